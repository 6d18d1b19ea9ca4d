import { expect, test } from "vitest";

import { Departure } from "../../src/world/nearness";

test("one has walked away once one is out of reach and well farther off than before", () => {
  const departure = new Departure();
  for (const distance of [1.2, 0.5, 1.9, 2.5]) expect(departure.hasLeft(distance, 2)).toBe(false);
  expect(departure.hasLeft(2.7, 2)).toBe(true);
});

test("what was selected from afar stays selected while one comes nearer", () => {
  const departure = new Departure();
  for (const distance of [6, 5, 4, 4.4]) expect(departure.hasLeft(distance, 2)).toBe(false);
  expect(departure.hasLeft(4.8, 2)).toBe(true);
  departure.begin();
  expect(departure.hasLeft(4.8, 2)).toBe(false);
});
