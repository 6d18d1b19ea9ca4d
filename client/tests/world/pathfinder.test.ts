import { expect, test } from "vitest";

import { findWay, findWayToPoint } from "../../src/world/pathfinder";
import type { Vec2 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

const ring = (x0: number, z0: number, x1: number, z1: number): Vec2[] => [[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
/** A room of 6 x 6 m with a wall across it that leaves a gap at one side. */
const room = new Walkable([[ring(0, 0, 6, 6), ring(1, 2.9, 5.999, 3.1)]]);
const to = (x: number, z: number) => (place: Vec2): number => Math.hypot(place[0] - x, place[1] - z);

test("the way leads round a wall, and each leg of it can be walked straight", () => {
  const way = findWay(room, [5, 1], to(5, 5), 0.3);
  expect(way).not.toBeNull();
  let at: Vec2 = [5, 1];
  for (const next of way ?? []) {
    const [x, z] = room.move(at[0], at[1], next[0] - at[0], next[1] - at[1]);
    expect(Math.hypot(x - next[0], z - next[1])).toBeLessThan(0.01);
    at = next;
  }
  expect(to(5, 5)(at)).toBeLessThanOrEqual(0.3);
  expect(way?.length).toBeLessThan(8);
});

test("who is near enough need not walk, and what nobody can reach has no way", () => {
  expect(findWay(room, [5, 5], to(5, 5.2), 0.3)).toEqual([]);
  expect(findWay(room, [5, 5], () => Infinity, 0.3)).toBeNull();
});

test("what stands beyond the floor is approached as near as can be", () => {
  const way = findWay(room, [3, 1], to(3, -2), 0.5);
  const [, z] = way?.at(-1) ?? [0, 9];
  expect(z).toBeLessThan(0.25);
});

test("a walk to a point of the floor ends right there, straight where nothing is in between", () => {
  expect(findWayToPoint(room, [5, 1], [3, 1.5])).toEqual([[3, 1.5]]);
  const round = findWayToPoint(room, [5, 1], [5.03, 5.07]);
  expect(round?.length).toBeGreaterThan(1);
  expect(round?.at(-1)).toEqual([5.03, 5.07]);
});

test("a walk to where something stands ends beside it, and far beyond the floor leads none", () => {
  const end = findWayToPoint(room, [3, 1], [3, -0.5])?.at(-1) ?? [0, 9];
  expect(room.contains(...end)).toBe(true);
  expect(Math.hypot(end[0] - 3, end[1] + 0.5)).toBeLessThan(0.8);
  expect(findWayToPoint(room, [3, 1], [3, -4])).toBeNull();
});
