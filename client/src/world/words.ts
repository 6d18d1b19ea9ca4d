// The words in which things are put to a player.
import type { Entity, Seat, World } from "./world";

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

/** Return a verb as it stands before its thing: `pour into` the cup. */
export function verbWords(verb: string): string {
  return verb === "pour" ? "pour into" : (VERBS[verb]?.toLowerCase() ?? verb.replaceAll("_", " "));
}

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

/** Return what a seat is called within a sentence: `your partner`, and among several `the person`, `Robot 2`. */
export function called(world: World, seat: Seat): string {
  if (world.isPair) return "your partner";
  return seat.look.number > 0 ? capitalised(seat.name) : `the ${seat.name}`;
}

/** Return what a seat is called where it stands alone: `Partner`, `Person`, `Robot 2`. A program in a person's
    body is said to be one, where the page is told; so is one in a robot's where a person plays another robot. */
export function titleOf(world: World, seat: Seat): string {
  const alike = world.seats.filter(({ kind }) => kind === seat.kind);
  const isUnexpected = seat.kind === "human" || alike.some(({ program }) => !program);
  return (world.isPair ? "Partner" : capitalised(seat.name)) + (seat.program && isUnexpected ? " (program)" : "");
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Put words one after the other: `robot 1, robot 2 and the person`. */
export function listed(words: readonly string[], joint: "and" | "or" = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${joint} ${last}` : last;
}

/** Return the states of a thing in a few words: `dirty`, `empty`, `off`, `open`. */
export function stateWords(world: World, entity: Entity): string[] {
  const words: string[] = [];
  const { is_clean, is_filled, is_powered_on } = entity.states;
  if (is_clean !== undefined) words.push(is_clean ? "clean" : "dirty");
  if (is_filled !== undefined) words.push(is_filled ? "full" : "empty");
  if (is_powered_on !== undefined) words.push(is_powered_on ? "on" : "off");
  if (entity.parts.length > 0) words.push(openness(entity));
  const holder = world.seats[entity.holder];
  if (holder) words.push(holder.index === world.me ? "in your hand" : `held by ${called(world, holder)}`);
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
  return [entity.label, room?.label, stateWords(world, entity).join(", ")]
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
