import { expect, test } from "vitest";

import { buttonWords, pressed } from "../../src/replay/stretch";

test("a clip is marked by its two ends, in any order, and then recorded", () => {
  const begun = pressed({ kind: "none" }, 90);
  expect(begun).toEqual({ kind: "begun", first: 90 });
  expect(buttonWords(begun, (tick) => `${tick / 30} s`)).toBe("Clip 3 s to here");
  const recording = pressed(begun, 30);
  expect(recording).toEqual({ kind: "recording", first: 30, last: 90 });
  expect(pressed(recording, 50)).toEqual({ kind: "none" });
  expect(pressed(begun, 90.5)).toEqual({ kind: "none" });
});
