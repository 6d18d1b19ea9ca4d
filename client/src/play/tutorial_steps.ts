// The steps of the tutorial: what is to be done, the very next key for it, and when it is done.
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";
import type { KeyHint } from "../ui/key_hints";
import type { Entity, SeatKind } from "../world/world";

/** What the player has done since a step began. */
export interface Practice {
  /** How far the view has turned (rad), and the body walked (m). */
  turned: number;
  walked: number;
  /** Whether the body has come to the mark on the floor; null where there is none. */
  atMark: boolean | null;
  /** The verbs that the player did, and those of the partner. */
  did: ReadonlySet<string>;
  partnerDid: ReadonlySet<string>;
  said: boolean;
  /** How many times the partner's view was hidden or shown, and whether it is shown now. */
  viewToggles: number;
  isViewShown: boolean;
  /** Whether something that suits the step is selected. */
  selected: boolean;
}

/** What the player's moment is like, for the key that is shown. */
export interface TutorialMoment {
  /** Whether the player has fingers, and neither keys nor a mouse. */
  touch: boolean;
  holding: boolean;
  aiming: boolean;
  /** Whether something that suits the step is under the pointer or selected, and in reach. */
  atThing: boolean;
  /** Whether the furniture that stands open is in reach, whatever is under the pointer. */
  besideOpened: boolean;
  /** The key that takes what is selected while another thing is pointed at; empty: the usual one does what is meant. */
  takeKey: string;
  /** What is taken by it, or by the usual one where that is not the example; empty: the example. */
  takes: string;
  /** The key that closes what is selected, as its panel says; empty where nothing is selected. */
  closeKey: string;
  /** Whether something that suits the step is selected, in reach or not. */
  isSelected: boolean;
  /** Whether the button is there that walks to what is selected, and whether the example of the step is in reach. */
  walks: boolean;
  isInReach: boolean;
  /** Whether the example is out of view or behind something: then the sign with its name is what one sees of it. */
  isHidden: boolean;
  /** Names of things that suit: the nearest object in sight, furniture that opens, something to switch or wash. */
  thing: string;
  furniture: string;
  changeable: string;
  /** Furniture that stands open, and what lies or stands near what is held: something to put it next to. */
  opened: string;
  neighbour: string;
  /** Whether that is in reach. */
  besideNeighbour: boolean;
  /** Whether what is held fits behind nothing that opens here. */
  isTooLarge: boolean;
  /** What is said of something that was put down, and not as the step asks; empty: nothing was. */
  missed: string;
  /** Whether the partner's view is shown. */
  isViewShown: boolean;
  /** Whether the partner is about to do what it was asked for. */
  isHelped: boolean;
}

export type StepId = "look" | "walk" | "select" | "open" | "pick" | "inside" | "close" | "place" | "change" | "clean" | "fill" | "pour" | "ask" | "chat" | "view" | "task";

type KeyNames = (...commands: Command[]) => string[];

export interface TutorialStep {
  id: StepId;
  title: string;
  text(moment: TutorialMoment, key: KeyNames): string;
  /** The key or gesture that comes next; null where none is asked for. */
  cue(moment: TutorialMoment, key: KeyNames): KeyHint | null;
  done(practice: Practice): boolean;
  /** A line that can be written to the partner in this step. */
  line?(moment: TutorialMoment): string;
}

/** What turned, however short the drag: 20 pixels. */
const LOOKED_RAD = 0.08;
const WALKED_M = 1.5;
const CHANGES = ["clean", "fill", "pour", "power_on", "power_off"];
const changed = (did: ReadonlySet<string>): boolean => CHANGES.some((verb) => did.has(verb));
/** Whoever learns to fill has a second vessel as near as this (m), to pour into. */
const TOGETHER_M = 3;

/** Return the way to something that is not at hand, by its name: select it, and be walked there. */
function wayTo({ touch, isSelected, walks, isInReach, isHidden }: TutorialMoment, key: KeyNames, name: string): KeyHint {
  const what = name ? `the ${name}` : "it";
  // The sign is as good as the thing.
  const meant = isHidden && name ? `the sign “${name}”` : what;
  if (!touch) {
    // What is selected may be another thing than the example.
    if (isSelected) return { keys: key("approach"), text: "to be walked there" };
    // What is in reach is no walk away: the key acts on what is pointed at.
    if (isInReach) return { keys: ["Point at"], text: what };
    return { keys: ["Click"], text: `${meant}, then press ${key("approach")[0] ?? ""} to be walked there` };
  }
  // The button is there once it is selected, and where walking helps.
  if (isSelected) return walks ? { keys: ["Walk there"], text: "the button takes you there" } : { keys: ["Left thumb"], text: `walk nearer to ${what}` };
  return { keys: ["Tap"], text: isInReach ? `${meant} to select it` : `${meant}, then Walk there` };
}

/** Return the key or button that takes up what is at hand, by name where that is not what the card names. */
function takeUp({ touch, takeKey, takes }: TutorialMoment, key: KeyNames): KeyHint {
  if (touch) return { keys: ["Pick up"], text: "press it on the panel" };
  return { keys: takeKey ? [takeKey] : key("pick"), text: takes ? `to pick up the ${takes}` : "to pick it up" };
}

const LOOK: TutorialStep = {
  id: "look",
  title: "Look round",
  text: ({ touch }, key) => (touch ? "Drag your right thumb over the right half of the picture." : `Hold the mouse button and drag. The keys ${key("turnLeft", "turnRight").map((name) => `“${name}”`).join(" and ")} turn, too.`),
  cue: ({ touch }) => ({ keys: [touch ? "Right thumb" : "Drag"], text: touch ? "drag to look round" : "to look round" }),
  done: ({ turned }) => turned >= LOOKED_RAD,
};
const WALK: TutorialStep = {
  id: "walk",
  title: "Walk",
  text: ({ touch }) => (touch ? "Walk to the mark on the floor. Put your left thumb down at the lower left and push it the way you want to go." : "Walk to the mark on the floor. The arrow keys do the same; a click on the floor walks there, too."),
  cue: ({ touch }, key) => (touch ? { keys: ["Left thumb"], text: "push to walk" } : { keys: key("forward", "left", "back", "right"), text: "to walk" }),
  done: ({ walked, atMark }) => atMark ?? walked >= WALKED_M,
};
const SELECT: TutorialStep = {
  id: "select",
  title: "Select something",
  text: ({ furniture, touch }) => `${touch ? "Tap" : "Click"} something${furniture && `, for instance the ${furniture}`}: a panel says what you can do with it.`,
  cue: ({ touch, furniture }) => ({ keys: [touch ? "Tap" : "Click"], text: `the ${furniture || "furniture"}` }),
  done: ({ selected }) => selected,
};
const OPEN: TutorialStep = {
  id: "open",
  title: "Open something",
  text: ({ furniture, touch }) => `Doors and drawers open${furniture && `, for instance the ${furniture}`}. ${touch ? "The panel" : "The key"} works when you are near.`,
  cue: (moment, key) => {
    if (!moment.atThing) return wayTo(moment, key, moment.furniture);
    return moment.touch ? { keys: ["Open"], text: "press it on the panel" } : { keys: key("openClose"), text: "to open it" };
  },
  done: ({ did }) => did.has("open"),
};
const PICK: TutorialStep = {
  id: "pick",
  title: "Pick something up",
  text: ({ thing, touch }) => `${touch ? "Tap" : "Point at"} a thing${thing && `, for instance the ${thing}`}. If it is far, select it and let yourself be walked there.`,
  cue: (moment, key) => {
    if (!moment.atThing) return wayTo(moment, key, moment.thing);
    return takeUp(moment, key);
  },
  done: ({ did }) => did.has("pick") || did.has("holds"),
};
const INSIDE: TutorialStep = {
  id: "inside",
  title: "Put it inside",
  text: ({ furniture, touch, holding, thing, missed, isTooLarge }, key) => {
    if (isTooLarge) return `The ${thing} fits behind no door here: put it down, and take something smaller.`;
    const way = `${touch ? "tap" : "point at"} ${furniture ? `the ${furniture}` : "something with doors or drawers"}`;
    if (holding) return `${way.charAt(0).toUpperCase()}${way.slice(1)}: it opens by itself.`;
    const then = touch ? "press Put inside" : `press ${key("putInside")[0] ?? ""}`;
    return `${missed}Take the ${thing || "thing"} up ${missed ? "again" : "first"}, then ${way} and ${then}.`;
  },
  cue: (moment, key) => {
    const { holding, atThing, touch, aiming, isTooLarge } = moment;
    if (isTooLarge) return { keys: touch ? ["Put down"] : key("place"), text: "to put it down" };
    if (!holding) return atThing ? takeUp(moment, key) : wayTo(moment, key, moment.thing);
    if (aiming) return touch ? { keys: ["Tap"], text: "a shut door or drawer, then Put it here" } : { keys: key("aim"), text: "point at a shut door or drawer and let go" };
    if (!atThing) return wayTo(moment, key, moment.furniture);
    return touch ? { keys: ["Put inside"], text: "press it on the panel" } : { keys: key("putInside"), text: "to put it inside" };
  },
  done: ({ did }) => did.has("put_inside"),
};
const CLOSE: TutorialStep = {
  id: "close",
  title: "Close it again",
  text: ({ opened }) => (opened ? `The ${opened} stands open.` : "Everything is closed: open something, then close it."),
  cue: (moment, key) => {
    if (!moment.opened) return null;
    if (!moment.atThing && moment.besideOpened) return { keys: [moment.touch ? "Tap" : "Point at"], text: "the part that stands open" };
    if (!moment.atThing) return wayTo(moment, key, moment.opened);
    return moment.touch ? { keys: ["Close"], text: "press it on the panel" } : { keys: moment.closeKey ? [moment.closeKey] : key("openClose"), text: "to close it" };
  },
  done: ({ did }) => did.has("close"),
};
const PLACE: TutorialStep = {
  id: "place",
  title: "Put it next to something",
  text: ({ holding, touch, thing, neighbour, besideNeighbour, missed }, key) => {
    if (!holding) return `${missed}Take the ${thing || "thing"} up${missed ? " again" : ", or something else"}.`;
    if (!neighbour) return "Furniture does not count: look in the rooms for another small thing to put it beside.";
    const place = `right beside the ${neighbour}`;
    const first = besideNeighbour ? "" : "First go there. ";
    if (touch) return `${first}Press Aim and tap a free place ${place}, or another small thing. Then put it there.`;
    return `${first}Hold ${key("aim")[0] ?? ""}, point ${place}, or another small thing, and let go. The wheel turns it.`;
  },
  cue: (moment, key) => {
    const { holding, aiming, touch } = moment;
    if (!holding && !moment.atThing) return wayTo(moment, key, moment.thing);
    // It is put next to what is marked, or to anything on the way.
    if (holding && !aiming && moment.neighbour && !moment.besideNeighbour) return wayTo(moment, key, moment.neighbour);
    if (!holding) return takeUp(moment, key);
    // Green says that it fits there, not that it is beside anything.
    if (!moment.neighbour) return null;
    const beside = `right beside the ${moment.neighbour}`;
    if (touch) return aiming ? { keys: ["Tap"], text: `${beside}, then Put it here` } : { keys: ["Aim"], text: `then tap ${beside}` };
    return aiming ? { keys: key("aim"), text: `let go ${beside}` } : { keys: key("aim"), text: `hold, and point ${beside}` };
  },
  done: ({ did }) => did.has("beside"),
};

/** Return the step of a change that only people make: of what it says, and the key and the button for it. */
function change(id: "change" | "clean" | "fill" | "pour", verbs: readonly string[], title: string, says: (name: string) => string, command: Command, word: string): TutorialStep {
  return {
    id,
    title,
    text: ({ changeable }) => `Only people can. ${says(changeable ? `the ${changeable}` : "something")}`,
    cue: (moment, key) => {
      if (!moment.atThing) return wayTo(moment, key, moment.changeable);
      return moment.touch ? { keys: [word], text: "press it on the panel" } : { keys: key(command), text: `to ${word.toLowerCase()}` };
    },
    done: ({ did }) => verbs.some((verb) => did.has(verb)),
  };
}

const SWITCH = change("change", ["power_on", "power_off"], "Switch something on", (name) => `Try ${name}.`, "power", "Switch on");
const CLEAN = change("clean", ["clean"], "Wash something", (name) => `${capital(name)} is dirty. What is small is washed at a tap: carry it there first.`, "clean", "Wash");
const FILL = change("fill", ["fill"], "Fill something", (name) => `Carry ${name} to a tap and fill it there.`, "fill", "Fill");
const POUR = change("pour", ["pour"], "Pour it", (name) => `Hold what is full, and pour it into ${name}.`, "pour", "Pour");

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function apart({ position: [x, , z] }: Entity, { position: [otherX, , otherZ] }: Entity): number {
  return Math.hypot(x - otherX, z - otherZ);
}

/** Return the changes of things that can be learnt in a house as it is now. */
function changesIn(entities: readonly (Entity | null)[]): TutorialStep[] {
  const things = entities.filter((entity): entity is Entity => entity !== null);
  const steps: TutorialStep[] = [];
  if (things.some(({ states }) => states.is_powered_on === false)) steps.push(SWITCH);
  if (things.some(({ states }) => states.is_clean === false)) steps.push(CLEAN);
  const vessels = things.filter(({ states, template }) => template.kind === "object" && states.is_filled === false);
  if (vessels.some((one) => vessels.some((other) => one !== other && apart(one, other) <= TOGETHER_M))) steps.push(FILL, POUR);
  return steps;
}
/** Return how to write to the partner. */
function write({ touch }: TutorialMoment, key: KeyNames): KeyHint {
  return touch ? { keys: ["Chat"], text: "write, then send" } : { keys: key("chat"), text: "write, Enter sends" };
}

const ASK: TutorialStep = {
  id: "ask",
  title: "Ask for what you cannot do",
  text: ({ isHelped }) =>
    isHelped ? "Your helper has understood, and is on the way: wait until it is done." : "A robot cannot wash, fill or switch: your helper can. Write what it should do, in your own words or in these.",
  // There is nothing to write while it is on its way.
  cue: (moment, key) => (moment.isHelped ? null : write(moment, key)),
  line: ({ changeable, isHelped }) => (isHelped ? "" : `Please switch on the ${changeable || "lamp"}`),
  done: ({ said, partnerDid }) => said && changed(partnerDid),
};
const CHAT: TutorialStep = {
  id: "chat",
  title: "Say something",
  text: () => "Your partner reads what you write, and answers. Write what you like, or this.",
  cue: write,
  line: () => "What are you doing?",
  done: ({ said }) => said,
};
const VIEW: TutorialStep = {
  id: "view",
  title: "See what your partner sees",
  text: ({ touch }) => (touch ? "The small picture at the right. Hide it by its button and bring it back." : "The picture at the bottom right. Hide it and bring it back."),
  cue: ({ touch, isViewShown }, key) => ({ keys: [...(touch ? [] : key("partnerView")), isViewShown ? "hide" : "show"], text: `${isViewShown ? "hides it" : "shows it again"}${touch ? ": beside your partner's name" : ""}` }),
  done: ({ viewToggles, isViewShown }) => viewToggles >= 2 && isViewShown,
};
const TASK: TutorialStep = {
  id: "task",
  title: "Now a small task of your own",
  text: () => "The task is in the box at the top: do it now. When it is done, press Finish.",
  // What comes next is the player's own affair: the keys that matter are shown as in every task.
  cue: () => null,
  done: () => false,
};

/** Return the steps of a body in a house: what it can do there, and what its interface has. */
export function stepsFor(kind: SeatKind, features: ReadonlySet<string>, entities: readonly (Entity | null)[]): TutorialStep[] {
  const steps = [LOOK, WALK, SELECT, OPEN, PICK, PLACE, INSIDE, CLOSE];
  if (kind === "human") steps.push(...changesIn(entities));
  if (features.has("chat")) steps.push(kind === "robot" ? ASK : CHAT);
  if (features.has("partner_view")) steps.push(VIEW);
  return [...steps, TASK];
}

/** Return how keys are named on the screen. */
export function keyNames(bindings: Bindings): KeyNames {
  return (...commands) => commands.map((command) => keyWord(bindings[command][0] ?? "–"));
}
