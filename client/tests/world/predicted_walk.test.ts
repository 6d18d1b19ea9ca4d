// The body that the page predicts walks as the server's does: the same vectors are tested there.
import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { velocity } from "../../src/input/walk";
import { Prediction } from "../../src/world/prediction";
import { ringPoints } from "../../src/world/units";
import type { Vec3 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

interface Walk {
  name: string;
  start: [number, number];
  wish: [number, number, boolean];
  /** Forward and strafe as they are sent (mm/s). */
  drive: [number, number];
  /** mrad, by tick */
  yaws: number[];
  /** x, z, yaw after each tick. */
  path: [number, number, number][];
}

const TICK_S = 1 / 30;
/** The page knows the walls to the millimetre, and sends speeds and angles so. */
const NEAR_M = 0.003;
/** Smaller steps meet a corner a little earlier. */
const HALF_STEP_M = 0.025;
const path = new URL("../../../tests/data/walking_vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as {
  walkable: number[][][];
  speed: number;
  walks: Walk[];
};
const walkable = new Walkable(vectors.walkable.map((rings) => rings.map(ringPoints)));

function at([x, z]: readonly number[]): Vec3 {
  return [x ?? NaN, 0, z ?? NaN];
}

function apart(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}

describe.each(vectors.walks)("$name", ({ start, wish, drive, yaws, path: served }) => {
  const { forward, strafe } = velocity(...wish, vectors.speed);

  test("is as fast as the server lets it be", () => {
    expect([Math.round(forward * 1000), Math.round(strafe * 1000)]).toEqual(drive);
  });

  test("goes where the server's body goes", () => {
    const body = new Prediction(walkable);
    body.reset(walkable, at(start), 0);
    expect(served.length).toBe(yaws.length);
    served.forEach((pose, tick) => {
      const yaw = (yaws[tick] ?? NaN) / 1000;
      body.step(forward, strafe, yaw, TICK_S, (tick + 1) * TICK_S * 1000);
      expect(apart(body.position, at(pose)), `after tick ${tick + 1}`).toBeLessThan(NEAR_M);
      expect(Math.abs(Math.sin((pose[2] - yaw) / 2))).toBeLessThan(0.001);
    });
  });

  test("at twice the rate, with the server's word 100 ms late, nothing is corrected visibly", () => {
    const body = new Prediction(walkable);
    body.reset(walkable, at(start), 0);
    const late = 3;
    served.forEach((_, tick) => {
      for (const half of [0.5, 1]) {
        const nowMs = (tick + half) * TICK_S * 1000;
        body.step(forward, strafe, (yaws[tick] ?? NaN) / 1000, TICK_S / 2, nowMs);
        const word = half === 1 ? served[tick - late] : undefined;
        if (word) body.confirm(at(word), late * TICK_S * 1000, nowMs);
      }
      expect(apart(body.position, at(served[tick] ?? [])), `after tick ${tick + 1}`).toBeLessThan(HALF_STEP_M);
      expect(apart(body.eyePoint, body.position), `after tick ${tick + 1}`).toBeLessThan(HALF_STEP_M);
    });
  });
});
