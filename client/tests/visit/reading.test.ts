import { expect, test } from "vitest";

import { ReadingClock } from "../../src/visit/reading";

test("reading is time in which the text is in view on a page that is to be seen", () => {
  const clock = new ReadingClock();
  clock.shown(true, 0);
  clock.inView(true, 1000);
  clock.inView(false, 3000);
  clock.inView(true, 10_000);
  expect(clock.take(11_500)).toBe(3500);
});

test("a hidden tab reads nothing, however long it stays", () => {
  const clock = new ReadingClock();
  clock.shown(false, 0);
  clock.inView(true, 0);
  clock.shown(true, 60_000);
  clock.shown(false, 62_000);
  expect(clock.take(62_000)).toBe(2000);
  expect(clock.take(900_000)).toBe(0);
  clock.shown(true, 900_000);
  expect(clock.take(900_250)).toBe(250);
});

test("what was told is not told again, and parts of milliseconds are kept", () => {
  const clock = new ReadingClock();
  clock.shown(true, 0);
  clock.inView(true, 0);
  expect(clock.take(100.6)).toBe(100);
  expect(clock.take(100.6)).toBe(0);
  expect(clock.take(201.1)).toBe(101);
});
