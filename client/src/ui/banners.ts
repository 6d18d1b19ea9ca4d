// The line across the top: what keeps somebody from playing now, and for how long.

import { capitalised, listed } from "../world/words";

/** Somebody else in the session. */
export interface OtherPresence {
  /** What they are called within a sentence. */
  name: string;
  presence: string;
  /** Seconds for which they are still waited for; -1 when they are not. */
  leftS: number;
}

/** All that decides what the line says. */
export interface PresenceSituation {
  phase: string;
  /** The presence of the own seat, and seconds for which it is still waited for; -1 when it is not. */
  own: string;
  ownLeftS: number;
  others: readonly OtherPresence[];
}

/** Return the line; empty when there is nothing to say. */
export function bannerOf(now: PresenceSituation): string {
  if (now.own === "away") {
    return `Are you still there? Press a key, move the mouse or touch the screen to go on${leftText(now.ownLeftS)}.`;
  }
  if (now.own === "gone") return "You were away for long. Press a key, move the mouse or touch the screen to come back.";
  const reconnecting = now.others.filter(({ presence }) => presence === "reconnecting");
  const away = now.others.filter(({ presence }) => presence === "away");
  const missing = [...reconnecting, ...away];
  if (missing.length > 0) {
    const after = now.phase === "paused" ? `It goes on when ${namesOf(missing)} ${verb(missing, "is", "are")} back.` : "You can go on.";
    return [lineOf(reconnecting, ["lost the connection and is reconnecting", "lost the connection and are reconnecting"]),
      lineOf(away, ["is looking at something else", "are looking at something else"]), after].filter(Boolean).join(" ");
  }
  // One of several who leaves ends nothing for the rest, and is told of once.
  if (now.others.length === 0 || now.others.some(({ presence }) => presence !== "gone")) return "";
  const who = now.others.length > 1 ? "Everybody else" : capitalised(namesOf(now.others));
  return `${who} has left. You can go on alone, or press Finish.`;
}

function namesOf(others: readonly OtherPresence[]): string {
  return listed(others.map(({ name }) => name));
}

function verb(others: readonly OtherPresence[], one: string, several: string): string {
  return others.length > 1 ? several : one;
}

/** Return a sentence about some of the others; empty when there are none. */
function lineOf(others: readonly OtherPresence[], [one, several]: readonly [string, string]): string {
  if (others.length === 0) return "";
  const left = leftText(Math.max(...others.map(({ leftS }) => leftS)));
  return `${capitalised(namesOf(others))} ${verb(others, one, several)}${left}.`;
}

function leftText(seconds: number): string {
  return seconds > 0 ? ` (${Math.ceil(seconds)} s left)` : "";
}
