// Everything that can stand between a player and the scene, in words, with what can be done.
import type { CloseKind } from "../net/close_kind";
import { lossOf, secondsLeft } from "../session/connection_state";
import type { ConnectionState, Loss } from "../session/connection_state";
import type { Loading } from "../session/loading";
import { capitalised, listed } from "../world/words";

export type ScreenAction = "reload" | "home" | "take_over" | "retry" | "report";

export interface Screen {
  /** A name that stays the same, for tests. */
  id: string;
  title: string;
  text: string;
  actions: { label: string; action: ScreenAction }[];
  /** The share that is loaded, 0 to 1. */
  progress?: number;
  /** What is being waited for, each done or not. */
  steps?: { label: string; done: boolean }[];
}

/** All that decides what covers the scene. */
export interface PlaySituation {
  link: ConnectionState;
  loading: Loading;
  /** The episode's phase; empty before the first snapshot. */
  phase: string;
  endReason: string;
  /** Whether the verdict is stored, so that the report is next. */
  over: boolean;
  /** Whether the time is over that a study gives for practice. */
  practiceOver: boolean;
  /** Whether the player takes part in a study. */
  inStudy: boolean;
  /** The others, as they are called within a sentence. */
  others: readonly { name: string; presence: string }[];
  graphics: "ok" | "missing" | "lost";
  nowMs: number;
}

const HOME = { label: "Back to the start", action: "home" } as const;
const RELOAD = { label: "Reload the page", action: "reload" } as const;
const AGAIN = { label: "Try again", action: "retry" } as const;

/** Return what covers the scene now; null when nothing does. */
export function screenOf(now: PlaySituation): Screen | null {
  const screen = playScreen(now);
  if (screen === null || !now.inStudy) return screen;
  // A participant has no other home to play in: the study's own page says how it goes on for them.
  const told = screen.id === "refused" ? { ...screen, ...OUT_OF_STUDY_HOME } : screen;
  return { ...told, actions: told.actions.map((way) => (way.action === "home" ? { ...way, label: "Continue" } : way)) };
}

function playScreen(now: PlaySituation): Screen | null {
  if (now.graphics !== "ok") return graphicsScreen(now.graphics);
  // Whoever was done in time has passed, however late that is shown.
  const isDone = now.endReason === "finished" || now.endReason === "success";
  if (now.practiceOver && !isDone && (now.over || now.phase === "ended")) {
    return {
      id: "practice_over",
      title: "The time for the practice is over",
      text: "Let us see how you go on …",
      actions: [{ label: "Continue", action: "home" }],
    };
  }
  if (now.over) {
    return {
      id: "over",
      title: endTitle(now),
      text: "Let us see how it went …",
      actions: [{ label: "To the report", action: "report" }],
    };
  }
  if (now.link.kind === "closed") return closedScreen(now.link.cause);
  const loss = lossOf(now.link);
  if (loss) return reconnectingScreen(loss, now.nowMs);
  if (now.link.kind !== "open" && !now.loading.world) {
    return { id: "connecting", title: "Connecting", text: "Opening the door …", actions: [], steps: steps(now) };
  }
  if (!now.loading.world || now.loading.loaded < now.loading.total) {
    const { loaded, total } = now.loading;
    return {
      id: "loading",
      title: "Getting your home ready",
      text: "This takes a few seconds the first time.",
      actions: [],
      progress: total > 0 ? loaded / total : 0,
      steps: steps(now),
    };
  }
  if (now.phase === "gathering") return gatheringScreen(now);
  if (now.phase === "ended") {
    return { id: "ended", title: endTitle(now), text: "Working out how it went …", actions: [] };
  }
  return null;
}

function gatheringScreen(now: PlaySituation): Screen {
  const others = awaited(now.others);
  const missing = others.length > 1 ? others.filter((other) => !isReady(other.presence)) : others;
  const names = listed(missing.map(({ name }) => name));
  const lost = others.filter(({ presence }) => presence === "reconnecting").map(({ name }) => name);
  const everybody = others.length > 1 ? "everybody is" : "both of you are";
  return {
    id: "gathering",
    title: names ? `${capitalised(names)} ${missing.length > 1 ? "are" : "is"} on the way` : "Almost there",
    text:
      lost.length > 0
        ? `${capitalised(listed(lost))} lost the connection and ${lost.length > 1 ? "are" : "is"} coming back.`
        : `You start together, as soon as ${everybody} ready.`,
    actions: [],
    steps: steps(now),
  };
}

/** Return the others without those who have left: nobody waits for them. */
function awaited(others: PlaySituation["others"]): PlaySituation["others"] {
  return others.filter(({ presence }) => presence !== "gone");
}

function isReady(presence: string): boolean {
  return presence === "ready" || presence === "connected";
}

function steps({ loading, others, phase }: PlaySituation): { label: string; done: boolean }[] {
  const all = [
    { label: "The home", done: loading.world },
    { label: "Its things", done: loading.world && loading.loaded >= loading.total },
  ];
  const there = phase !== "" && phase !== "gathering";
  for (const { name, presence } of awaited(others)) all.push({ label: capitalised(name), done: there || isReady(presence) });
  return all;
}

const END_TITLES: Record<string, string> = {
  finished: "All done",
  success: "Task complete",
  time_limit: "Time is up",
  operator: "The session was ended",
  abandoned: "This home was closed",
  failed: "Something went wrong on our side",
};

function endTitle({ endReason, others }: PlaySituation): string {
  if (endReason === "left" && others.length > 0) return others.length > 1 ? "Everybody else has left" : "Your partner has left";
  return END_TITLES[endReason] ?? "That was it";
}

function reconnectingScreen(loss: Loss, nowMs: number): Screen {
  const left = secondsLeft(loss, nowMs);
  const title = loss.cause === "restarting" ? "The server is restarting" : "Reconnecting";
  if (left > 0) {
    return {
      id: loss.cause === "restarting" ? "restarting" : "reconnecting",
      title,
      text: `We lost the connection and are getting you back. Your place is kept for ${left} s.`,
      actions: [AGAIN],
    };
  }
  return {
    id: "offline",
    title: "Still no connection",
    text: "Please check your network. We keep trying.",
    actions: [AGAIN, HOME],
  };
}

const BROKEN: Omit<Screen, "id"> = {
  title: "Something went wrong on our side",
  text: "What you did until now is saved. Reloading often helps.",
  actions: [RELOAD, HOME],
};

/** What players are told about each close; the reasons that the server gives are for programmers. */
const CLOSED: Partial<Record<CloseKind, Omit<Screen, "id">>> = {
  left: { title: "You have left", text: "You left this home.", actions: [HOME] },
  refused: {
    title: "You cannot join this session",
    text: "No place in it is kept for you. You can play in another one from the start page.",
    actions: [HOME],
  },
  over_limit: {
    title: "Disconnected",
    text: "The page sent something that the server does not accept.",
    actions: [RELOAD, HOME],
  },
  other_tab: {
    title: "You play in another tab",
    text: "This home is open in another tab or window of yours.",
    actions: [{ label: "Play here instead", action: "take_over" }, HOME],
  },
  not_you: {
    title: "Please come in again",
    text: "The page was open for too long, or was opened in another browser.",
    actions: [RELOAD, HOME],
  },
  no_session: {
    title: "This home is closed",
    text: "It ended, or no page of it was open for a while. Its report says which, and what was done is saved.",
    actions: [{ label: "See how it went", action: "reload" }, HOME],
  },
  version: {
    title: "There is a new version",
    text: "Cohabit was updated since this page was opened. Reload to go on where you were.",
    actions: [RELOAD],
  },
  ended: {
    title: "The session was ended",
    text: "Whoever runs this study ended the session. What you did is saved.",
    actions: [HOME],
  },
};

const OUT_OF_STUDY_HOME: Pick<Screen, "title" | "text"> = {
  title: "You have no place in this home any more",
  text: "What you did is saved. The next page says how the study goes on for you.",
};

function closedScreen(cause: CloseKind): Screen {
  return { id: cause, ...(CLOSED[cause] ?? BROKEN) };
}

function graphicsScreen(graphics: "missing" | "lost"): Screen {
  if (graphics === "missing") {
    return {
      id: "no_webgl",
      title: "This browser cannot draw the home",
      text: "Cohabit needs WebGL 2. Try another browser, or switch on hardware acceleration in its settings.",
      actions: [RELOAD, HOME],
    };
  }
  return {
    id: "graphics_lost",
    title: "The picture was lost",
    text: "The graphics card stopped drawing. Reloading brings the picture back; your place is kept.",
    actions: [RELOAD],
  };
}
