import { describe, expect, test } from "vitest";

import { Prediction } from "../../src/world/prediction";
import { Walkable } from "../../src/world/walkable";

const ROOM = new Walkable([
  [
    [
      [-5, -5],
      [5, -5],
      [5, 5],
      [-5, 5],
    ],
  ],
]);

describe("the own body", () => {
  const still = (x: number): [number, number, number] => [x, 0, 0];

  test("walks at once and is not pulled back by the server's older word", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    const served: number[] = [];
    for (let i = 1; i <= 60; i++) {
      body.step(0, 1.5, 0, 1 / 60, i * (1000 / 60));
      served.push((i / 60) * 1.5);
      // A round trip of 100 ms: the server's word is six frames old.
      if (i % 2 === 0 && i > 6) body.confirm(still(served[i - 7] ?? 0), 100, i * (1000 / 60));
    }
    expect(body.position[0]).toBeCloseTo(1.5, 2);
  });

  test("comes to where the server stands", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    for (let i = 1; i <= 30; i++) body.step(0, 1.5, 0, 1 / 60, i * 17);
    for (let i = 31; i <= 120; i++) {
      body.step(0, 0, 0, 1 / 60, i * 17);
      body.confirm(still(0.6), 50, i * 17, false);
    }
    expect(body.position[0]).toBeCloseTo(0.6, 9);
    expect(body.eyePoint[0]).toBeCloseTo(0.6, 2);
  });

  test("a correction is shown smoothly", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    body.step(0, 0, 0, 1 / 60, 1000);
    body.confirm(still(0.5), 50, 1000);
    expect(body.position[0]).toBeCloseTo(0.5, 9);
    expect(body.eyePoint[0]).toBeCloseTo(0, 9);
    body.step(0, 0, 0, 0.3, 1300);
    expect(body.eyePoint[0]).toBeGreaterThan(0.4);
  });

  test("stops at walls", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(4.9), 0);
    for (let i = 1; i <= 30; i++) body.step(0, 1.5, 0, 1 / 30, i * 33);
    expect(body.position[0]).toBeLessThan(5);
  });
});
