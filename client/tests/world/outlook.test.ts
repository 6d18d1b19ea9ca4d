import { expect, test } from "vitest";

import { outlook } from "../../src/world/outlook";
import type { Vec2 } from "../../src/world/units";
import { wrapAngle } from "../../src/world/units";

/** A room of 6 x 3 m; a yaw of 0 faces -z, and one of pi / 2 faces -x. */
const ROOM: Vec2[] = [[0, 0], [6, 0], [6, 3], [0, 3]];
const turned = (a: number, b: number): number => Math.abs(wrapAngle(a - b));

test("who comes to a wall looks into the room", () => {
  // At the right end, facing the wall there: to the left is the room.
  expect(turned(outlook(ROOM, [5.6, 1.5], -Math.PI / 2), Math.PI / 2)).toBeLessThan(0.6);
  // At the far wall: along the longer half.
  const yaw = outlook(ROOM, [1, 0.3], 0);
  expect(-Math.sin(yaw)).toBeGreaterThan(0.5);
});

test("who looks into the room already is not turned", () => {
  expect(outlook(ROOM, [5.6, 1.5], Math.PI / 2)).toBe(Math.PI / 2);
  expect(outlook(ROOM, [5.6, 1.5], Math.PI / 2 + 0.3)).toBe(Math.PI / 2 + 0.3);
});

test("in a corner one looks out of it", () => {
  for (const [x, z] of [[0.3, 0.3], [5.7, 0.3], [5.7, 2.7], [0.3, 2.7]] as const) {
    const yaw = outlook(ROOM, [x, z], Math.atan2(x - (x < 3 ? -1 : 7), z - (z < 1.5 ? -1 : 4)));
    expect(-Math.sin(yaw) * (3 - x), `${x}, ${z}`).toBeGreaterThan(0.5);
  }
});
