import { expect, test } from "vitest";

import { clockAt, momentWords, wholeClock } from "../../src/replay/film_clock";

const TIMES = { tickRate: 30, clock: 600, ended: 6630, pauses: [{ first: 300, last: 630 }, { first: 1200, last: 1500 }] };

test("the clock of a film is the one of the report: late, still in pauses, and over at the end", () => {
  expect(momentWords(TIMES, 590)).toBe("before the start");
  expect(clockAt(TIMES, 930)).toBe("0:10");
  expect(clockAt(TIMES, 1350)).toBe("0:19");
  expect(clockAt(TIMES, 1800)).toBe("0:29");
  expect(wholeClock(TIMES)).toBe("3:10");
  expect(momentWords(TIMES, 6630)).toBe("3:10");
  expect(momentWords(TIMES, 7000)).toBe("after the end");
  expect(clockAt(TIMES, 9000)).toBe("3:10");
});
