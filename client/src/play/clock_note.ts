import { spokenTime } from "../world/duration";
import type { World } from "../world/world";
import { called, capitalised, listed } from "../world/words";

const MOVED_M = 0.1;
type Place = readonly [x: number, z: number];

/** What is known of who has begun, as long as the clock waits: the people who were seen to move, act or write. */
export class Beginners {
  private readonly starts = new Map<number, Place>();
  private readonly moved = new Set<number>();

  /** Begin another episode. */
  reset(): void {
    this.starts.clear();
    this.moved.clear();
  }

  /** Take note that somebody has done or written something. */
  heard(seat: number): void {
    this.moved.add(seat);
  }

  /** Take note of where everybody is; return the indices of those of the others who have moved. */
  look(world: World): ReadonlySet<number> {
    for (const { index, program } of world.others) {
      // A program may be asked for something before.
      if (program) continue;
      const at = world.agents[index]?.position;
      if (!at) continue;
      const start = this.starts.get(index);
      if (!start) this.starts.set(index, [at[0], at[2]]);
      else if (Math.hypot(at[0] - start[0], at[2] - start[1]) > MOVED_M) this.moved.add(index);
    }
    return this.moved;
  }
}

/** Messages of a player for whom the clock waits no more: acts, placements and chat. */
export const BEGINNINGS: ReadonlySet<string> = new Set(["a", "p", "say"]);

/** Say what the clock waits for, to somebody who has begun or not; `moved` are the others who have. Empty: nothing. */
export function clockNote(world: World, hasBegun: boolean, moved: ReadonlySet<number>): string {
  // Programs are not waited for.
  const people = world.others.filter(({ presence, program }) => presence !== "gone" && !program);
  if (people.length === 0) return hasBegun ? "" : "No hurry: the clock starts when you walk or write.";
  const { clockWaitS } = world.terms;
  const most = clockWaitS > 0 ? `, at the latest ${spokenTime(clockWaitS)} after the first` : "";
  const waiting = people.filter(({ index }) => moved.has(index)).map((seat) => called(world, seat));
  if (hasBegun) {
    const missing = people.filter(({ index }) => !moved.has(index)).map((seat) => called(world, seat));
    if (missing.length === 0) return `The clock starts when everybody has begun${most}.`;
    return `The clock starts when ${listed(missing)} ${missing.length > 1 ? "have" : "has"} begun too${most}.`;
  }
  if (waiting.length === 0) return `No hurry: the clock starts when everybody has begun${most}.`;
  return `${capitalised(listed(waiting))} ${waiting.length > 1 ? "wait" : "waits"} for you: the clock starts when you walk or write${most}.`;
}
