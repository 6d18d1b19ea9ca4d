import { expect, test } from "vitest";

import { NEAR_M, fovFor } from "../../src/scene/viewport";

/** Radius of every body, and how far a robot's eye is ahead of its middle (`episodes/bodies.py`), in metres. */
const RADIUS_M = 0.25;
const EYE_AHEAD_M = 0.2;

test.each([390 / 844, 4 / 3, 16 / 9, 844 / 390, 21 / 9])("at a wall an eye sees the wall, and not what is behind it: %d", (aspect) => {
  const up = Math.tan((fovFor(aspect) * Math.PI) / 360);
  const corner = NEAR_M * Math.hypot(1, up, up * aspect);
  expect(corner).toBeLessThan(RADIUS_M - EYE_AHEAD_M);
});
