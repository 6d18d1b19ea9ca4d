import { expect, test } from "vitest";

import { DEFAULT_BINDINGS } from "../../src/input/bindings";
import { withKeys } from "../../src/play/panels";

test("of two actions that share a key only the one that it does names it", () => {
  const both = [{ verb: "open", possible: true }, { verb: "close", possible: true }, { verb: "clean", possible: true }];
  expect(withKeys(both, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["F", "", "C"]);
  const shut = [{ verb: "open", possible: false }, { verb: "close", possible: true }];
  expect(withKeys(shut, DEFAULT_BINDINGS).map(({ key }) => key)).toEqual(["", "F"]);
});
