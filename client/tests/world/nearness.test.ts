import { expect, test } from "vitest";

import { Departure, isInRoomOf } from "../../src/world/nearness";
import { world } from "../fixtures";

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

test("what stands in a room that one has left is not selected any more once it is out of reach", () => {
  const departure = new Departure();
  expect(departure.hasLeft(1.8, 2, true)).toBe(false);
  expect(departure.hasLeft(1.9, 2, false)).toBe(false);
  expect(departure.hasLeft(2.1, 2, false)).toBe(true);
});

test("what was selected through a doorway stays selected while one has not been in its room", () => {
  const departure = new Departure();
  for (const distance of [4, 3.2, 3.4]) expect(departure.hasLeft(distance, 2, false)).toBe(false);
  expect(departure.hasLeft(2.2, 2, true)).toBe(false);
  expect(departure.hasLeft(2.3, 2, false)).toBe(true);
});

test("furniture is in one room, and a doorway in none", () => {
  const rooms = [
    { roomId: "kitchen.000", label: "kitchen", polygon: [-2000, -2000, 4000, 0, 0, 4000, -4000, 0] },
    { roomId: "hall.000", label: "hall", polygon: [2100, -2000, 4000, 0, 0, 4000, -4000, 0] },
  ];
  const house = world({ rooms });
  const cabinet = house.entities[1]!;
  expect([[0, 0], [3, 0], [2.05, 0]].map(([x, z]) => isInRoomOf(house, cabinet, [x!, z!]))).toEqual([true, false, true]);
});
