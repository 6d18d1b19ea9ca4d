// The steps of the tutorial: what is to be done, the very next key for it, and when it is done.
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";
import type { KeyHint } from "../ui/key_hints";
import type { SeatKind } from "../world/world";

/** What the player has done since a step began. */
export interface Practice {
  /** How far the view has turned (rad), and the body walked (m). */
  turned: number;
  walked: number;
  /** The verbs that the player did, and those of the partner. */
  did: ReadonlySet<string>;
  partnerDid: ReadonlySet<string>;
  said: boolean;
  lookedThroughPartner: boolean;
}

/** What the player's moment is like, for the key that is shown. */
export interface TutorialMoment {
  /** Whether the player has fingers, and neither keys nor a mouse. */
  touch: boolean;
  holding: boolean;
  aiming: boolean;
  /** Whether something that suits the step is under the pointer or selected, and in reach. */
  atThing: boolean;
  /** Whether something that suits the step is selected, in reach or not. */
  isSelected: boolean;
  /** Names of things that suit: the nearest object in sight, furniture that opens, something to switch or wash. */
  thing: string;
  furniture: string;
  changeable: string;
}

export type StepId = "look" | "walk" | "open" | "pick" | "inside" | "place" | "change" | "ask" | "chat" | "view" | "task";

type KeyNames = (...commands: Command[]) => string[];

export interface TutorialStep {
  id: StepId;
  title: string;
  text(moment: TutorialMoment, key: KeyNames): string;
  /** The key or gesture that comes next; null where none is asked for. */
  cue(moment: TutorialMoment, key: KeyNames): KeyHint | null;
  done(practice: Practice): boolean;
}

/** Less than a drag of 200 pixels. */
const LOOKED_RAD = 0.6;
const WALKED_M = 1.5;
const CHANGES = ["clean", "fill", "pour", "power_on", "power_off"];
const changed = (did: ReadonlySet<string>): boolean => CHANGES.some((verb) => did.has(verb));

/** Return the way to something that is not at hand, by its name: select it, and be walked there. */
function wayTo({ touch, isSelected }: TutorialMoment, key: KeyNames, name: string): KeyHint {
  const what = name ? `the ${name}` : "it";
  if (!touch) return { keys: ["Click", ...key("approach")], text: `select ${what}, then walk there` };
  return isSelected ? { keys: ["Walk there"], text: "the button takes you there" } : { keys: ["Tap"], text: `${what} to select it` };
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
  text: ({ touch }) => (touch ? "Put your left thumb down at the lower left and push it the way you want to go." : "Walk a few steps. The arrow keys do the same."),
  cue: ({ touch }, key) => (touch ? { keys: ["Left thumb"], text: "push to walk" } : { keys: key("forward", "left", "back", "right"), text: "to walk" }),
  done: ({ walked }) => walked >= WALKED_M,
};
const OPEN: TutorialStep = {
  id: "open",
  title: "Open something",
  text: ({ furniture, touch }) => `Doors and drawers open${furniture && `, for instance the ${furniture}`}. ${touch ? "Tap" : "Click"} it first: the panel says what you can do.`,
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
    return moment.touch ? { keys: ["Pick up"], text: "press it on the panel" } : { keys: key("pick"), text: "to pick it up" };
  },
  done: ({ did }) => did.has("pick"),
};
const INSIDE: TutorialStep = {
  id: "inside",
  title: "Put it inside",
  text: ({ furniture, touch }) => `${touch ? "Tap" : "Point at"} something with doors or drawers${furniture && `, such as the ${furniture}`}: it opens by itself.`,
  cue: (moment, key) => {
    const { holding, atThing, touch } = moment;
    if (!holding) return { keys: touch ? ["Pick up"] : key("pick"), text: "take something first" };
    if (!atThing) return wayTo(moment, key, moment.furniture);
    return touch ? { keys: ["Put inside"], text: "press it on the panel" } : { keys: key("putInside"), text: "to put it inside" };
  },
  done: ({ did }) => did.has("put_inside"),
};
const PLACE: TutorialStep = {
  id: "place",
  title: "Put it exactly there",
  text: ({ holding, touch, thing }) => {
    if (!holding) return `Take the ${thing || "thing"} up again, or something else.`;
    return touch ? "Press Aim and tap a free place: green fits. Then put it there." : "Hold the key and point: green fits. The wheel turns it. Let go to put it down.";
  },
  cue: (moment, key) => {
    const { holding, aiming, touch } = moment;
    if (!holding && !moment.atThing) return wayTo(moment, key, moment.thing);
    if (touch) return { keys: [holding ? "Aim" : "Pick up"], text: holding ? "then tap the place" : "something again" };
    if (!holding) return { keys: key("pick"), text: "to pick up" };
    return aiming ? { keys: key("aim"), text: "point at a free place and let go" } : { keys: key("aim"), text: "hold to aim" };
  },
  done: ({ did }) => did.has("aimed"),
};
const CHANGE: TutorialStep = {
  id: "change",
  title: "Wash, fill or switch something",
  text: ({ changeable }) => `Only people can${changeable && `. Try the ${changeable}`}. Dirty things are washed at a tap, lamps and machines are switched.`,
  cue: (moment, key) => {
    if (!moment.atThing) return wayTo(moment, key, moment.changeable);
    return moment.touch ? { keys: ["Switch on"], text: "or wash, or fill: on the panel" } : { keys: key("power", "clean", "fill"), text: "switch, wash or fill" };
  },
  done: ({ did }) => changed(did),
};
/** Return how to write to the partner. */
function write({ touch }: TutorialMoment, key: KeyNames): KeyHint {
  return touch ? { keys: ["Chat"], text: "write, then send" } : { keys: key("chat"), text: "write, Enter sends" };
}

const ASK: TutorialStep = {
  id: "ask",
  title: "Ask for what you cannot do",
  text: ({ changeable }) => `A robot cannot wash, fill or switch: your helper can. Write to it, for instance: switch on the ${changeable || "lamp"}.`,
  cue: write,
  done: ({ said, partnerDid }) => said && changed(partnerDid),
};
const CHAT: TutorialStep = {
  id: "chat",
  title: "Say something",
  text: () => "Your partner reads what you write, and answers.",
  cue: write,
  done: ({ said }) => said,
};
const VIEW: TutorialStep = {
  id: "view",
  title: "See what your partner sees",
  text: ({ touch }) => (touch ? "The small picture at the right. Hide it with ▾ and bring it back." : "The picture at the bottom right. Hide it and bring it back."),
  cue: ({ touch }, key) => ({ keys: touch ? ["▾"] : [...key("partnerView"), "▾"], text: touch ? "beside your partner's name" : "hides and shows it" }),
  done: ({ lookedThroughPartner }) => lookedThroughPartner,
};
const TASK: TutorialStep = {
  id: "task",
  title: "Now a small task of your own",
  text: () => "It stands at the top. When it is done, press Finish.",
  // What comes next is the player's own affair: the keys that matter are shown as in every task.
  cue: () => null,
  done: () => false,
};

/** Return the steps of a body, where the house has these parts of the interface. */
export function stepsFor(kind: SeatKind, features: ReadonlySet<string>): TutorialStep[] {
  const steps = [LOOK, WALK, OPEN, PICK, INSIDE, PLACE];
  if (kind === "human") steps.push(CHANGE);
  if (features.has("chat")) steps.push(kind === "robot" ? ASK : CHAT);
  if (features.has("partner_view")) steps.push(VIEW);
  return [...steps, TASK];
}

/** Return how keys are named on the screen. */
export function keyNames(bindings: Bindings): KeyNames {
  return (...commands) => commands.map((command) => keyWord(bindings[command][0] ?? "–"));
}
