import { expect, test } from "vitest";

import { openYaw } from "../../src/play/guided_walk";
import { world } from "../fixtures";

/** The free floor of a room of 3.5 x 3.5 m about the origin. */
const { walkable } = world();

test("who comes to a wall looks into the room, turned no more than need be", () => {
  // A yaw of 0 faces -z: here the wall is right ahead.
  const turned = openYaw(walkable, [0, -1.6], 0);
  expect(Math.cos(turned)).toBeLessThan(0.1);
  expect(openYaw(walkable, [0, 1.6], 0)).toBe(0);
  // In a corner, too, there is free floor ahead then.
  const corner = openYaw(walkable, [-1.6, -1.6], 0);
  expect(walkable.contains(-1.6 - 2 * Math.sin(corner), -1.6 - 2 * Math.cos(corner))).toBe(true);
});
