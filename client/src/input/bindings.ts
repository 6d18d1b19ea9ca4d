// The bindings of keys to commands. Keys are physical (`KeyW`), so that they lie the same on every layout.

export const COMMANDS = {
  forward: "Walk forward",
  back: "Walk back",
  left: "Step left",
  right: "Step right",
  slow: "Walk slower",
  turnLeft: "Turn left",
  turnRight: "Turn right",
  lookUp: "Look up",
  lookDown: "Look down",
  select: "Select what you point at",
  pick: "Pick up",
  openClose: "Open or close",
  clean: "Wash",
  fill: "Fill",
  pour: "Pour in",
  power: "Switch on or off",
  place: "Put down here",
  putInside: "Put inside",
  aim: "Aim a placement (hold)",
  approach: "Walk to what is selected",
  chat: "Chat",
  map: "Map",
  help: "Help",
  partnerView: "Partner's view",
  lock: "Lock the pointer",
  settings: "Settings",
} as const;

export type Command = keyof typeof COMMANDS;
export type Bindings = Record<Command, string[]>;

export const DEFAULT_BINDINGS: Bindings = {
  forward: ["KeyW", "ArrowUp"],
  back: ["KeyS", "ArrowDown"],
  left: ["KeyA", "ArrowLeft"],
  right: ["KeyD", "ArrowRight"],
  slow: ["ShiftLeft", "ShiftRight"],
  turnLeft: ["Comma"],
  turnRight: ["Period"],
  lookUp: ["PageUp"],
  lookDown: ["PageDown"],
  select: ["KeyQ"],
  pick: ["KeyE"],
  openClose: ["KeyF"],
  clean: ["KeyC"],
  fill: ["KeyR"],
  pour: ["KeyT"],
  power: ["KeyX"],
  place: ["KeyG"],
  putInside: ["KeyB"],
  aim: ["Space"],
  approach: ["KeyN"],
  chat: ["Enter", "NumpadEnter"],
  map: ["KeyM"],
  help: ["KeyH"],
  partnerView: ["KeyV"],
  lock: ["KeyL"],
  settings: ["KeyO"],
};

const COMMAND_OF_VERB: Record<string, Command> = {
  pick: "pick",
  open: "openClose",
  close: "openClose",
  clean: "clean",
  fill: "fill",
  pour: "pour",
  power_on: "power",
  power_off: "power",
  place: "place",
};

/** The commands that do something to a thing. */
export const ACTS: readonly Command[] = ["pick", "openClose", "clean", "fill", "pour", "power"];

/** Return the verbs that a command may mean, in order of preference. */
export function verbsOf(command: Command): string[] {
  return Object.keys(COMMAND_OF_VERB).filter((verb) => COMMAND_OF_VERB[verb] === command);
}

/** Look up the command of a key; null when it has none. */
export function commandOf(bindings: Bindings, code: string): Command | null {
  for (const command of Object.keys(COMMANDS) as Command[]) {
    if (bindings[command].includes(code)) return command;
  }
  return null;
}

const KEY_WORDS: Record<string, string> = {
  Space: "Space",
  Comma: ",",
  Period: ".",
  PageUp: "Page ↑",
  PageDown: "Page ↓",
  Enter: "Enter",
  ShiftLeft: "Shift",
  ShiftRight: "Shift",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  NumpadEnter: "Enter",
  ControlLeft: "Ctrl",
  ControlRight: "Ctrl",
  AltLeft: "Alt",
  AltRight: "Alt",
};

/** Return how a key is named on the screen: `KeyE` is `E`. */
export function keyWord(code: string): string {
  return KEY_WORDS[code] ?? code.replace(/^(Key|Digit|Numpad)/, "");
}

/** Return the key that a panel shows for a verb: `E`; empty when none is bound. */
export function hintFor(bindings: Bindings, verb: string): string {
  const command = COMMAND_OF_VERB[verb];
  const code = command && bindings[command][0];
  return code ? keyWord(code) : "";
}

/** Bind a key to a command; the command that had it loses it. */
export function rebind(bindings: Bindings, command: Command, code: string): Bindings {
  const changed = Object.fromEntries(
    (Object.keys(COMMANDS) as Command[]).map((other) => [
      other,
      bindings[other].filter((bound) => bound !== code),
    ]),
  ) as Bindings;
  changed[command] = [code, ...changed[command].slice(1)];
  return changed;
}
