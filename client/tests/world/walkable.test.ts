import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { Vec2 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

interface Vectors {
  areas: {
    name: string;
    polygons: { outer: Vec2[]; holes: Vec2[][] }[];
    cases: [number, number, number, number, number, number][];
  }[];
}

const path = new URL("../../../tests/data/walkable_vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vectors;

describe("a body slides as on the server", () => {
  test.each(vectors.areas)("in the area $name", ({ polygons, cases }) => {
    const walkable = new Walkable(polygons.map(({ outer, holes }) => [outer, ...holes]));
    expect(cases.length).toBeGreaterThan(0);
    for (const [x, z, dx, dz, toX, toZ] of cases) {
      const [gotX, gotZ] = walkable.move(x, z, dx, dz);
      expect(Math.hypot(gotX - toX, gotZ - toZ), `from ${x}, ${z} by ${dx}, ${dz}`).toBeLessThan(1e-6);
    }
  });
});
