import { expect, test } from "vitest";

import { finishNote, finishQuestion, othersWait } from "../../src/play/finish_note";
import { World } from "../../src/world/world";
import type { Seat } from "../../src/world/world";
import { snapshot, teamOfFive, world } from "../fixtures";

test("in a pair: who waits for whom", () => {
  const pair = world();
  expect(finishNote(pair, "")).toBe("");
  pair.seats[0]!.finished = true;
  expect(finishNote(pair, "1:20")).toBe("Your partner thinks that it is done. You have 1:20 left.");
  const before = pair.entities[2]!.holder;
  pair.entities[2]!.holder = pair.me;
  expect(finishNote(pair, "")).toBe("Your partner thinks that it is done, but you still hold the tea cup 2.");
  pair.entities[2]!.holder = before;
  pair.seats[1]!.finished = true;
  pair.seats[0]!.finished = false;
  expect(finishNote(pair, "")).toBe("Waiting for your partner to finish too.");
  pair.seats[0]!.presence = "gone";
  expect(finishNote(pair, "")).toBe("");
});

test("among several: by name, and without those who have left", () => {
  const five = teamOfFive();
  five.seats[0]!.finished = true;
  expect(finishNote(five, "0:40")).toBe("Robot 1 thinks that it is done. You have 0:40 left.");
  five.seats[4]!.finished = true;
  expect(finishNote(five, "")).toBe("Robot 1 and Person 2 think that it is done. It ends when you press Finish too.");
  for (const seat of five.others) seat.finished = true;
  expect(finishNote(five, "0:40")).toBe("Everybody else thinks that it is done. You have 0:40 left.");
  for (const seat of five.others) seat.finished = seat.index === 0 || seat.index === 4;
  five.mySeat!.finished = true;
  expect(finishNote(five, "1:00")).toBe("Waiting for Robot 2 and Robot 3 to finish too: 1:00 at most.");
  five.seats[1]!.presence = "gone";
  expect(finishNote(five, "")).toBe("Waiting for Robot 3 to finish too.");
  for (const seat of five.others) seat.program = seat.kind === "robot";
  expect(finishNote(five, "0:20")).toBe("Waiting for Robot 3 to finish too: 0:20 at most.");
});

test("the question says what finishing does to the others, and nothing of how the task stands", () => {
  const pair = world();
  expect(finishQuestion(pair)).toBe(
    "Is everything done as far as you can see? The task ends when your partner finishes too, or shortly after, even while something is being carried; until then you can take it back.",
  );
  pair.seats[0]!.finished = true;
  expect(finishQuestion(pair)).toContain("Everybody else has finished: this ends the task.");
  pair.seats[0]!.presence = "gone";
  expect(finishQuestion(pair)).toBe("Is everything done as far as you can see? This ends the task.");
  pair.entities[2]!.holder = pair.me;
  expect(finishQuestion(pair)).toContain("You still hold the tea cup 2.");
  expect(finishQuestion(teamOfFive())).toContain("when the others finish too");
});

test("the question names how long people have", () => {
  const pair = new World(snapshot(), 1, { named: false, finishWaitS: 120, clockWaitS: 60 });
  expect(finishQuestion(pair)).toContain("when your partner finishes too, at the latest after 2 minutes; until then");
  pair.seats[0]!.program = true;
  expect(finishQuestion(pair)).toContain("when your partner finishes too, or shortly after, even while something is being carried;");
});

test("in a team of two everybody has a name", () => {
  const two = new World(snapshot(), 1, { named: true, finishWaitS: 0, clockWaitS: 0 });
  two.seats[0]!.finished = true;
  expect(finishNote(two, "")).toBe("The robot thinks that it is done. It ends when you press Finish too.");
});

test("where programs only wait, it is said what ends the task", () => {
  const pair = world();
  const [robot, me] = pair.seats as [Seat, Seat];
  expect(othersWait(pair)).toBe(false);
  robot.program = true;
  expect(othersWait(pair)).toBe(false);
  robot.aim = { verb: "pick", text: "getting the cup", why: "", place: -1, room: -1 };
  expect(othersWait(pair)).toBe(false);
  robot.aim.verb = "wait";
  expect(othersWait(pair)).toBe(true);
  expect(finishNote(pair, "", true)).toBe("Your partner waits. The task goes on until both of you have pressed Finish.");
  robot.finished = true;
  expect(finishNote(pair, "", true)).toBe("Your partner thinks that it is done. It ends when you press Finish too.");
  me.finished = true;
  expect(finishNote(pair, "", true)).toBe("Waiting for your partner to finish too.");
  robot.presence = "gone";
  expect(othersWait(pair)).toBe(false);
});
