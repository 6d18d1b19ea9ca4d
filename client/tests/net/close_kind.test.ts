import { expect, test } from "vitest";

import { closeKind, comesBack } from "../../src/net/close_kind";
import { CloseCode } from "../../src/wire/generated";

test("close codes", () => {
  expect(comesBack(closeKind(1006))).toBe(true);
  expect(comesBack(closeKind(4001))).toBe(true);
  expect(comesBack(closeKind(4010))).toBe(true);
  for (const code of [1000, 4000, 4003, 4008, 4009, 4401, 4404, 4426]) {
    expect(comesBack(closeKind(code)), String(code)).toBe(false);
  }
  expect(closeKind(4009)).toBe("other_tab");
});

test("a refusal is no lost connection, and is not tried again", () => {
  expect(closeKind(CloseCode.REFUSED)).toBe("refused");
  expect(comesBack("refused")).toBe(false);
});

test("a code that nobody knows means a lost connection", () => {
  expect(closeKind(4999)).toBe("lost");
});
