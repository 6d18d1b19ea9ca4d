// What a player is told all the time: who they are, and the keys that matter now.
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";
import type { KeyHint } from "../ui/key_hints";
import { called, listed } from "../world/words";
import type { World } from "../world/world";

const MOST_HINTS = 3;

/** Return who the player is in this house, and what their body can do. */
export function roleText(world: World): string {
  const { mySeat } = world;
  if (!mySeat) return "";
  const who = world.isPair ? (mySeat.kind === "robot" ? "the robot" : "the person") : mySeat.look.number > 0 ? capital(mySeat.name) : `the ${mySeat.name}`;
  if (mySeat.kind !== "robot") return `You are ${who}: you carry, open, wash, fill and switch.`;
  const canAsk = world.features.has("chat");
  const people = canAsk ? world.others.filter(({ kind, presence }) => kind === "human" && presence !== "gone") : [];
  const asked = listed(people.map((seat) => called(world, seat)), "or");
  const ask = asked ? `; ask ${asked} to wash, fill or switch` : "; a robot cannot wash, fill or switch";
  return `You are ${who}: you carry and open${ask}.`;
}

/** All that decides which keys matter. */
export interface Moment {
  bindings: Bindings;
  touch: boolean;
  hasMoved: boolean;
  aiming: boolean;
  holding: boolean;
  /** What is under the pointer: an object, furniture that opens, other furniture; null for nothing. */
  hovered: "object" | "openable" | "furniture" | null;
  isSelected: boolean;
  /** Whether what is selected has doors or drawers: things are put into that, and its panel says so. */
  selectionOpens: boolean;
  /** What keys do to what is pointed at, in words. */
  keyed: readonly KeyHint[];
  /** Whether walking to what is selected helps: it is out of reach, or hidden from here. */
  canWalkThere: boolean;
}

/** Return the keys that matter now, the most helpful first. */
export function hintsFor(now: Moment): KeyHint[] {
  if (now.touch) return touchHints(now);
  const key = (...commands: Command[]): string[] => commands.map((command) => keyWord(now.bindings[command][0] ?? "–"));
  if (now.aiming) {
    return [
      { keys: ["Wheel"], text: "turns it" },
      { keys: key("aim"), text: "let go to put it down" },
      { keys: ["Esc"], text: "keep it" },
    ];
  }
  const hints: KeyHint[] = [];
  if (!now.hasMoved) {
    hints.push({ keys: key("forward", "left", "back", "right"), text: "walk" }, { keys: ["Drag"], text: "look around" }, { keys: ["Click"], text: "on the floor: walk there" });
  }
  if (now.canWalkThere) hints.push({ keys: key("approach"), text: "walk there" });
  if (now.holding) {
    if (now.hovered === "openable" && !now.selectionOpens) hints.push({ keys: key("putInside"), text: "put inside" });
    // The key that puts down is on the panel of the hand.
    hints.push({ keys: key("aim"), text: "hold to aim" });
  }
  // With a selection they stand at the pointer.
  if (!now.isSelected) hints.push(...now.keyed);
  if (now.hasMoved && hints.length < 2 && now.hovered !== null && !now.canWalkThere) hints.push({ keys: ["Click"], text: "it to see what you can do with it" });
  return hints.slice(0, MOST_HINTS);
}

function touchHints(now: Moment): KeyHint[] {
  if (!now.hasMoved) {
    return [
      { keys: ["Left thumb"], text: "walk" },
      { keys: ["Right thumb"], text: "look around" },
      { keys: ["Tap"], text: "select, or walk to a spot" },
    ];
  }
  return [];
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
