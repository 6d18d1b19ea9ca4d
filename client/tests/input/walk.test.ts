import { describe, expect, test } from "vitest";

import { steer, velocity } from "../../src/input/walk";

describe("wishes", () => {
  test("diagonals are no faster, Shift is slower", () => {
    const { forward, strafe } = velocity(1, 1, false, 1.5);
    expect(Math.hypot(forward, strafe)).toBeCloseTo(1.5, 9);
    expect(velocity(0, 1, true, 1.5).forward).toBeLessThan(0.8);
    expect(velocity(0.05, 0.05, false, 1.5)).toEqual({ forward: 0, strafe: 0 });
  });

  test("a walk to a point ends on it", () => {
    const at = { x: 0, z: 0, yaw: 2 };
    for (let i = 0; i < 600; i++) {
      const way = steer([at.x, at.z], at.yaw, [2, -1], 1.5);
      if (!way) break;
      at.yaw = way.yaw;
      const { forward, strafe } = way.velocity;
      at.x += (strafe * Math.cos(at.yaw) - forward * Math.sin(at.yaw)) / 30;
      at.z += (-forward * Math.cos(at.yaw) - strafe * Math.sin(at.yaw)) / 30;
    }
    expect(Math.hypot(at.x - 2, at.z + 1)).toBeLessThan(0.03);
  });
});
