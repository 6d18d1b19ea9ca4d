import { expect, test } from "vitest";

import { finishNote } from "../../src/play/finish_note";
import { teamOfFive, world } from "../fixtures";

test("in a pair: who waits for whom", () => {
  const pair = world();
  expect(finishNote(pair, "")).toBe("");
  pair.seats[0]!.finished = true;
  expect(finishNote(pair, "1:20")).toBe("Your partner thinks that it is done. You have 1:20 left.");
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
  expect(finishNote(five, "")).toBe("Robot 1 and person 2 think that it is done.");
  for (const seat of five.others) seat.finished = true;
  expect(finishNote(five, "0:40")).toBe("Everybody else thinks that it is done. You have 0:40 left.");
  for (const seat of five.others) seat.finished = seat.index === 0 || seat.index === 4;
  five.mySeat!.finished = true;
  expect(finishNote(five, "1:00")).toBe("Waiting for robot 2 and robot 3 to finish too: 1:00 at most.");
  five.seats[1]!.presence = "gone";
  expect(finishNote(five, "")).toBe("Waiting for robot 3 to finish too.");
});
