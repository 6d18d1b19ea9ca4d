import { describe, expect, test } from "vitest";

import { aim, fromBody, quaternion, ringPoints, wrapAngle } from "../../src/world/units";

describe("units", () => {
  test("rings are differences in mm", () => {
    expect(ringPoints([1000, 2000, 500, 0, 0, -500])).toEqual([
      [1, 2],
      [1.5, 2],
      [1.5, 1.5],
    ]);
  });

  test("rotation vectors", () => {
    expect(quaternion([0, 0, 0])).toEqual([0, 0, 0, 1]);
    const [, y, , w] = quaternion([0, 3141, 0]);
    expect(y).toBeCloseTo(1, 4);
    expect(w).toBeCloseTo(0, 3);
  });

  test("angles are brought into half a turn either way", () => {
    expect(wrapAngle(3 * Math.PI)).toBeCloseTo(Math.PI, 9);
    expect(wrapAngle(-3.5)).toBeCloseTo(2 * Math.PI - 3.5, 9);
  });

  test("yaw 0 faces -Z and grows to the left", () => {
    expect(aim([0, 0, 0], [0, 0, -1]).yaw).toBeCloseTo(0, 9);
    expect(aim([0, 0, 0], [-1, 0, 0]).yaw).toBeCloseTo(Math.PI / 2, 9);
    expect(aim([0, 0, 0], [0, 1, -1]).pitch).toBeCloseTo(Math.PI / 4, 9);
    const [x, , z] = fromBody([1, 0, 1], Math.PI / 2, [0, 0, -1]);
    expect(x).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(1, 9);
  });
});
