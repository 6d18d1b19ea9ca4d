import { expect, test } from "vitest";

import { clockText } from "../../src/world/duration";

test("waited time", () => {
  expect(clockText(75.9)).toBe("1:15");
  expect(clockText(-3)).toBe("0:00");
});
