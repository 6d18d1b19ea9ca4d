// The words for what a seat does now, for somebody who watches.
import { capitalised } from "../world/words";
import type { Seat, World } from "../world/world";

const PRESENCE: Record<string, string> = {
  loading: "loading",
  ready: "ready",
  away: "looking at something else",
  reconnecting: "reconnecting …",
  gone: "has left",
  empty: "empty",
};

export function seatName(seat: Seat): string {
  return capitalised(seat.name);
}

/** Return what a seat does: `connected · walking to the kitchen · holding the cup`. */
export function seatWords(world: World, seat: Seat): string {
  const held = world.heldBy(seat.index);
  const words = [
    PRESENCE[seat.presence],
    seat.doing,
    held && `holding the ${held.label}`,
    seat.finished && "has finished",
  ].filter(Boolean);
  return words.join(" · ") || "playing";
}

const PHASES: Record<string, string> = {
  gathering: "Waiting until everybody is ready",
  paused: "Paused: somebody is waited for",
};

/** Return the line of the banner for a phase; empty while an episode runs. */
export function phaseWords(phase: string, endReason: string): string {
  if (phase === "ended") return `The episode has ended${endReason && ` (${endReason.replaceAll("_", " ")})`}`;
  return PHASES[phase] ?? "";
}
