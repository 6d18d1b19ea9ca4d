// The clock of a film: what the clock of the task said at a moment, as reports tell it.
import type { FilmIndex } from "../wire/generated";
import { clockText } from "../world/duration";

type Times = Pick<FilmIndex, "tickRate" | "clock" | "ended" | "pauses">;

/** Return what the clock of the task said at a tick (s): it stands in pauses, and from the end on. */
export function secondsAt({ tickRate, clock, ended, pauses }: Times, tick: number): number {
  const at = Math.min(tick, ended);
  const stood = pauses.reduce((sum, { first, last }) => sum + Math.max(0, Math.min(at, last) - Math.max(first, clock)), 0);
  return Math.max(0, at - clock - stood) / tickRate;
}

/** Return what the clock of the task said at a tick: `1:15`. */
export function clockAt(times: Times, tick: number): string {
  return clockText(secondsAt(times, tick));
}

/** Say where in the task a tick is: by the clock, before it started or after the end. */
export function momentWords(times: Times, tick: number): string {
  const { clock, ended } = times;
  return tick < clock ? "before the start" : tick > ended ? "after the end" : clockAt(times, tick);
}

/** Return how long the task took: `3:21`. */
export function wholeClock(times: Times): string {
  return clockAt(times, times.ended);
}
