// What a key of an action does at this moment, and to what: one decision for the hand and for the words on the screen.
import type { Entity } from "../world/world";

export interface Meant {
  entity: Entity;
  /** Door or drawer; -1 for the whole. */
  part: number;
}

/** All that decides what a key does. */
export interface KeyMoment {
  /** What the pointer is on, and whether that is in reach; null for nothing. */
  pointed: (Meant & { isNear: boolean }) | null;
  selected: Meant | null;
  /** What the selection offers of the key's verbs, one that is possible first; null for none. */
  offered: { verb: string; possible: boolean; reason: string } | null;
  /** Whether the pointer has rested since the selection was made, or is on a panel: then it was not moved to what is
      under it now. */
  rests: boolean;
  held: Entity | null;
}

export interface KeyAct {
  verb: string;
  entity: number;
  part: number;
  /** Whether it is done to what is pointed at, to what is selected, or to what the hand holds. */
  by: "pointer" | "selection" | "hand";
  /** Whether it can be done, as far as that is known, and why not. */
  possible: boolean;
  reason: string;
}

/** Return what a key that means these verbs does now; null for nothing. The pointer wins, where something in reach
    is under it to which that can be done; else what is selected counts, and then what the hand holds. */
export function keyAct(verbs: readonly string[], { pointed, selected, offered, rests, held }: KeyMoment): KeyAct | null {
  const verb = pointed && verbs.find((one) => applies(one, pointed.entity, pointed.part));
  const onPointed: KeyAct | null = pointed && verb ? { verb, entity: pointed.entity.index, part: pointed.part, by: "pointer", possible: true, reason: "" } : null;
  const onSelected: KeyAct | null = selected && offered && { ...offered, entity: selected.entity.index, part: selected.part, by: "selection" };
  if (onPointed && onSelected) {
    // Of what is pointed at and selected, the server has said more than the page can know.
    const isSame = onPointed.entity === onSelected.entity && (onPointed.part === onSelected.part || onPointed.part < 0);
    return isSame || !pointed?.isNear || (rests && onSelected.possible) ? onSelected : onPointed;
  }
  if (onPointed || onSelected) return onPointed ?? onSelected;
  // Who stands at a tap with a cup points at nothing.
  const withHeld = held && verbs.find((one) => applies(one, held, -1));
  return held && withHeld ? { verb: withHeld, entity: held.index, part: -1, by: "hand", possible: true, reason: "" } : null;
}

/** Tell whether a verb makes sense for a thing, as far as the page can know. */
function applies(verb: string, entity: Entity, part: number): boolean {
  const open = part >= 0 ? entity.parts[part] !== 0 : entity.parts.some((value) => value !== 0);
  switch (verb) {
    case "pick":
      return entity.template.kind === "object";
    case "open":
      return entity.parts.length > 0 && !open;
    case "close":
      return entity.parts.length > 0 && open;
    case "clean":
      return "is_clean" in entity.states;
    case "fill":
    case "pour":
      return "is_filled" in entity.states;
    case "power_on":
      return entity.states.is_powered_on === false;
    case "power_off":
      return entity.states.is_powered_on === true;
    default:
      return false;
  }
}
