// What robots are about to do, as the server tells it.
import type { AimEvent } from "../wire/generated";

/** Something that a robot is about to do. */
export interface Aim {
  verb: string;
  /** What, in words: `taking the red book to the coffee table`. */
  text: string;
  /** Why, as a clause; may be empty. */
  why: string;
  /** Index of the entity where it goes, or of the room; -1 for none. */
  place: number;
  room: number;
}

/** Return the aim of an event; null where nothing is shown any more. */
export function aimOf({ verb, text, why, place, room }: AimEvent): Aim | null {
  return verb ? { verb, text, why, place, room } : null;
}
