import { spokenTime } from "../world/duration";
import { called, capitalised, listed } from "../world/words";
import type { Seat, World } from "../world/world";

/** Tell whether everybody else is a program that has nothing to do now, so that nothing goes on by itself. */
export function othersWait(world: World): boolean {
  const there = world.others.filter(({ presence }) => presence !== "gone");
  return there.length > 0 && there.every(({ program, aim }) => program && aim?.verb === "wait");
}

/** Say who has finished and who is waited for; `left` is how long they have at most, empty where nobody counts.
    Where the others only `wait`, say what the end of the task takes. */
export function finishNote(world: World, left: string, wait = false): string {
  const there = world.others.filter(({ presence }) => presence !== "gone");
  if (there.length === 0) return "";
  const names = (finished: boolean): string[] => there.filter((seat) => seat.finished === finished).map((seat) => called(world, seat));
  if (world.mySeat?.finished) {
    const waited = world.isPair ? ["your partner"] : names(false);
    if (waited.length > 1 && waited.length === there.length) waited.splice(0, waited.length, "everybody else");
    return waited.length > 0 ? `Waiting for ${listed(waited)} to finish too${left && `: ${left} at most`}.` : "";
  }
  const done = names(true);
  if (done.length === 0) return wait ? goesOn(world, names(false)) : "";
  if (done.length > 1 && done.length === there.length) done.splice(0, done.length, "everybody else");
  const think = done.length > 1 ? "think" : "thinks";
  const held = world.heldBy(world.me);
  const but = held ? `, but you still hold the ${held.label}` : "";
  const then = held || left ? "" : " It ends when you press Finish too.";
  return `${capitalised(listed(done))} ${think} that it is done${but}.${left && ` You have ${left} left.`}${then}`;
}

function goesOn(world: World, waiting: readonly string[]): string {
  const who = waiting.length > 1 ? "Everybody else waits" : `${capitalised(waiting[0] ?? "")} waits`;
  return `${who}. The task goes on until ${world.others.length > 1 ? "all of you" : "both of you"} have pressed Finish.`;
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
