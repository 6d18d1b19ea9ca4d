// The words in which things are put to a player.
import type { Entity, World } from "./world";

export const VERBS: Record<string, string> = {
  pick: "Pick up",
  place: "Put down",
  open: "Open",
  close: "Close",
  clean: "Wash",
  fill: "Fill",
  pour: "Pour in",
  power_on: "Switch on",
  power_off: "Switch off",
};

const DONE: Record<string, string> = {
  pick: "picked up",
  place: "put down",
  open: "opened",
  close: "closed",
  clean: "washed",
  fill: "filled",
  pour: "poured into",
  power_on: "switched on",
  power_off: "switched off",
};

/** Return the states of a thing in a few words: `dirty`, `empty`, `off`, `open`. */
export function stateWords(entity: Entity, me: number): string[] {
  const words: string[] = [];
  const { is_clean, is_filled, is_powered_on } = entity.states;
  if (is_clean !== undefined) words.push(is_clean ? "clean" : "dirty");
  if (is_filled !== undefined) words.push(is_filled ? "full" : "empty");
  if (is_powered_on !== undefined) words.push(is_powered_on ? "on" : "off");
  if (entity.parts.length > 0) words.push(openness(entity));
  if (entity.holder >= 0) words.push(entity.holder === me ? "in your hand" : "held by your partner");
  return words;
}

function openness(entity: Entity): string {
  const open = entity.parts.filter((value, i) => {
    const most = entity.template.parts[i]?.openValue ?? 0;
    return Math.abs(value) > Math.abs(most) * 0.01;
  });
  if (open.length === 0) return "closed";
  return open.length === entity.parts.length ? "open" : "partly open";
}

/** Return a thing in one line: `mug — kitchen — dirty`. */
export function describe(world: World, entity: Entity): string {
  const { position } = world.pose(entity);
  const room = world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
  return [entity.label, room?.label, stateWords(entity, world.me).join(", ")]
    .filter(Boolean)
    .join(" — ");
}

/** Return what a seat has just done: `put down cup on table`. */
export function didText(world: World, verb: string, target: number, where: string): string {
  const label = world.entities[target]?.label;
  const done = DONE[verb] ?? verb.replaceAll("_", " ");
  const place = where ? ` · ${where}` : "";
  return label ? `${done} the ${label}${place}` : `${done} something${place}`;
}
