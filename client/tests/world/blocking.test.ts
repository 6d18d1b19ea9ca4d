import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { clip, sinksIn } from "../../src/world/blocking";
import { Prediction } from "../../src/world/prediction";
import type { Vec2 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

interface Case {
  at: Vec2;
  step: Vec2;
  others: Vec2[];
  to: Vec2;
}

const path = new URL("../../../tests/data/blocking_vectors.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(path, "utf8")) as { cases: Case[] };
const field = new Walkable([[[[-5, -5], [5, -5], [5, 5], [-5, 5]]]]);

describe("a step among bodies", () => {
  test("ends where it does on the server", () => {
    expect(cases.length).toBeGreaterThan(100);
    for (const { at, step, others, to } of cases) {
      const [x, z] = clip(at, step, others);
      expect(Math.hypot(x - to[0], z - to[1]), JSON.stringify({ at, step, others })).toBeLessThan(1e-9);
    }
  });

  test("that leads deeper into one is told", () => {
    expect(sinksIn([0, 0], [0.1, 0], [[0.5, 0]])).toBe(true);
    expect(sinksIn([0, 0], [-0.1, 0], [[0.3, 0]])).toBe(false);
  });
});

describe("the predicted body", () => {
  function walked(others: Vec2[]): Prediction {
    const body = new Prediction(field);
    body.reset(field, [0, 0, 0], 0);
    for (let tick = 1; tick <= 60; tick++) body.step(1.5, 0, 0, 1 / 30, (tick * 1000) / 30, others);
    return body;
  }

  test("stops at another", () => {
    expect(walked([[0, -1.5]]).position[2]).toBeCloseTo(-1, 5);
  });

  test("walks on where nobody is in the way", () => {
    expect(walked([]).position[2]).toBeCloseTo(-3, 5);
  });
});
