import { expect, test } from "vitest";

import { DEFAULT_BINDINGS } from "../../src/input/bindings";
import { onlyTakes, withKeys } from "../../src/play/panels";

test("of two actions that share a key only the one that it does names it", () => {
  const both = [{ verb: "open", possible: true }, { verb: "close", possible: true }, { verb: "clean", possible: true }];
  expect(withKeys(both, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["F", "", "C"]);
  const shut = [{ verb: "open", possible: false }, { verb: "close", possible: true }];
  expect(withKeys(shut, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["", "F"]);
});

test("to a full hand a small thing is no fault", () => {
  const pick = { verb: "pick" };
  expect(onlyTakes(true, [pick])).toBe(true);
  // An empty hand, or what somebody else holds.
  expect(onlyTakes(false, [pick])).toBe(false);
  expect(onlyTakes(true, [pick, { verb: "clean" }])).toBe(false);
  expect(onlyTakes(true, [])).toBe(false);
});
