import { spokenTime } from "../world/duration";
import { called, capitalised, listed } from "../world/words";
import type { Seat, World } from "../world/world";

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
  const held = world.heldBy(world.me);
  const but = held ? `, but you still hold the ${held.label}` : "";
  return `${capitalised(listed(done))} ${think} that it is done${but}.${left && ` You have ${left} left.`}`;
}

/** Ask whether somebody means to finish, and say what that does to the others. It does not say whether the task
    is done: who plays has to see that. */
export function finishQuestion(world: World): string {
  const held = world.heldBy(world.me);
  const first = held ? `You still hold the ${held.label}. Finish all the same?` : "Is everything done as far as you can see?";
  const there = world.others.filter(({ presence }) => presence !== "gone");
  if (there.length === 0) return `${first} This ends the task.`;
  const waiting = there.filter(({ finished }) => !finished);
  if (waiting.length === 0) return `${first} Everybody else has finished: this ends the task.`;
  const names = waiting.length > 1 && !world.isPair ? "the others" : called(world, waiting[0] as (typeof waiting)[number]);
  return `${first} The task ends when ${names} ${waiting.length > 1 ? "finish" : "finishes"} too, ${atMost(world, waiting)}; until then you can take it back.`;
}

/** Say how long the others have at most: programs alone have less than people. */
function atMost(world: World, waiting: readonly Seat[]): string {
  const { finishWaitS } = world.terms;
  if (world.finishing || finishWaitS <= 0 || waiting.every(({ program }) => program)) return "or shortly after, even while something is being carried";
  return `at the latest after ${spokenTime(finishWaitS)}`;
}
