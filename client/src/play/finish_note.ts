import { called, capitalised, listed } from "../world/words";
import type { World } from "../world/world";

/** Say who has finished and who is waited for; `left` is how long they have at most, empty where nobody counts. */
export function finishNote(world: World, left: string): string {
  const there = world.others.filter(({ presence }) => presence !== "gone");
  if (there.length === 0) return "";
  const names = (finished: boolean): string[] => there.filter((seat) => seat.finished === finished).map((seat) => called(world, seat));
  if (world.mySeat?.finished) {
    const waited = world.isPair ? ["your partner"] : names(false);
    if (waited.length > 1 && waited.length === there.length) waited.splice(0, waited.length, "everybody else");
    return waited.length > 0 ? `Waiting for ${listed(waited)} to finish too${left && `: ${left} at most`}.` : "";
  }
  const done = names(true);
  if (done.length === 0) return "";
  if (done.length > 1 && done.length === there.length) done.splice(0, done.length, "everybody else");
  const think = done.length > 1 ? "think" : "thinks";
  return `${capitalised(listed(done))} ${think} that it is done.${left && ` You have ${left} left.`}`;
}
