import { expect, test } from "vitest";

import { DEFAULT_BINDINGS } from "../../src/input/bindings";
import { onlyTakes, withKeys } from "../../src/play/panels";

test("of two actions that share a key only the one that it does names it", () => {
  const both = [{ verb: "open", possible: true }, { verb: "close", possible: true }, { verb: "clean", possible: true }];
  expect(withKeys(both, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["F", "", "C"]);
  const shut = [{ verb: "open", possible: false }, { verb: "close", possible: true }];
  expect(withKeys(shut, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["", "F"]);
});

test("to a full hand a small thing is no fault, and what is too far away is told to be", () => {
  const held = {} as unknown as Parameters<typeof onlyTakes>[0];
  const full = { verb: "pick", reason: "Your hand is full: put the cup down first" };
  expect(onlyTakes(held, [full])).toBe(true);
  expect(onlyTakes(null, [full])).toBe(false);
  expect(onlyTakes(held, [{ ...full, reason: "Too far away: walk closer" }])).toBe(false);
  expect(onlyTakes(held, [full, { verb: "clean", reason: "" }])).toBe(false);
  expect(onlyTakes(held, [])).toBe(false);
});
