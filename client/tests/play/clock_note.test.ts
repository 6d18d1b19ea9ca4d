import { expect, test } from "vitest";

import { Beginners, clockNote } from "../../src/play/clock_note";
import { World } from "../../src/world/world";
import { frame, snapshot, teamOfFive } from "../fixtures";

const TERMS = { named: false, finishWaitS: 120, clockWaitS: 60 };

test("who is alone hears of no others", () => {
  const alone = new World(snapshot(), 1, TERMS);
  alone.seats[0]!.presence = "gone";
  expect(clockNote(alone, false, new Set())).toBe("No hurry: the clock starts when you walk or write.");
  expect(clockNote(alone, true, new Set())).toBe("");
});

test("programs are not waited for", () => {
  const beside = new World(snapshot(), 1, TERMS);
  beside.seats[0]!.program = true;
  expect(clockNote(beside, false, new Set())).toBe("No hurry: the clock starts when you walk or write.");
  expect(clockNote(beside, true, new Set())).toBe("");
});

test("who waits and who is waited for both read what is true, with the limit", () => {
  const pair = new World(snapshot(), 1, TERMS);
  expect(clockNote(pair, false, new Set())).toBe("No hurry: the clock starts when everybody has begun, at the latest a minute after the first.");
  expect(clockNote(pair, true, new Set())).toBe("The clock starts when your partner has begun too, at the latest a minute after the first.");
  expect(clockNote(pair, false, new Set([0]))).toBe("Your partner waits for you: the clock starts when you walk or write, at the latest a minute after the first.");
  expect(clockNote(teamOfFive(), false, new Set([0, 4]))).toBe("Robot 1 and Person 2 wait for you: the clock starts when you walk or write.");
});

test("who has moved reads for whom the clock waits, and programs are not among them", () => {
  const five = teamOfFive();
  expect(clockNote(five, true, new Set([0, 1, 2]))).toBe("The clock starts when Person 2 has begun too.");
  five.seats[0]!.program = true;
  expect(clockNote(five, true, new Set([1]))).toBe("The clock starts when Robot 3 and Person 2 have begun too.");
  for (const seat of five.others) seat.program = true;
  expect(clockNote(five, false, new Set())).toBe("No hurry: the clock starts when you walk or write.");
  expect(clockNote(five, true, new Set())).toBe("");
});

test("who has moved is seen from where they began, anew in each task", () => {
  const five = teamOfFive();
  const beginners = new Beginners();
  expect([...beginners.look(five)]).toEqual([]);
  five.seats[0]!.program = true;
  five.agents[0]!.position = [9, 0, 9];
  five.agents[4]!.position = [five.agents[4]!.position[0] + 0.3, 0, 1.2];
  expect([...beginners.look(five)]).toEqual([4]);
  beginners.reset();
  expect([...beginners.look(five)]).toEqual([]);
});

test("who acts or writes where they stand has begun, too", () => {
  const pair = new World(snapshot(), 1, TERMS);
  const beginners = new Beginners();
  beginners.look(pair);
  beginners.heard(0);
  expect(clockNote(pair, false, beginners.look(pair))).toContain("waits for you");
  beginners.reset();
  expect([...beginners.look(pair)]).toEqual([]);
});

test("a clock that does not wait starts with the episode", () => {
  const begun = frame({ tick: 30, events: [{ tag: "phase", tick: 30, phase: "running", reason: "" }] });
  const starts = (clockWaitS: number): number => {
    const world = new World(snapshot({ phase: "gathering", startedTick: -1, clockTick: -1 }), 1, { ...TERMS, clockWaitS });
    world.apply(begun);
    return world.clockTick;
  };
  expect([starts(60), starts(0)]).toEqual([-1, 30]);
});
