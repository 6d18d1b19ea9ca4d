import { expect, test } from "vitest";

import { Presses } from "../../src/visit/page_use";

test("the gaps between presses are told, without keys that repeat themselves while they are held", () => {
  const presses = new Presses();
  presses.note(1000);
  presses.note(1180.04);
  presses.note(1210, true);
  presses.note(1500);
  expect(presses.gapsMs).toEqual([180, 320]);
});

test("only the last presses are kept", () => {
  const presses = new Presses();
  for (let press = 0; press < 500; press++) presses.note(press * press);
  expect(presses.gapsMs).toHaveLength(40);
  expect(presses.gapsMs.at(-1)).toBe(499 * 499 - 498 * 498);
});
