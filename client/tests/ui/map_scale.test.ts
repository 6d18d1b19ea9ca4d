import { expect, test } from "vitest";

import { labelPlace } from "../../src/ui/map_panel";
import { MapScale } from "../../src/ui/map_scale";

const ROOMS: [number, number][][] = [[[-2, 1], [4, 1], [4, 5], [-2, 5]], [[4, 1], [8, 1], [8, 3], [4, 3]]];

test("what is pressed on the map is the point of the floor that is drawn there", () => {
  const map = new MapScale(ROOMS, 300, 200);
  for (const [x, z] of [[-2, 1], [8, 5], [0.3, 4.2]] as const) {
    const [backX, backZ] = map.toFloor({ x: map.toX(x), y: map.toY(z) });
    expect(backX).toBeCloseTo(x);
    expect(backZ).toBeCloseTo(z);
  }
});

test("the whole house fits into the map, with a margin", () => {
  for (const [width, height] of [[300, 200], [120, 400]] as const) {
    const map = new MapScale(ROOMS, width, height);
    for (const [x, z] of ROOMS.flat()) {
      expect(map.toX(x)).toBeGreaterThan(10);
      expect(map.toX(x)).toBeLessThan(width - 10);
      expect(map.toY(z)).toBeGreaterThan(10);
      expect(map.toY(z)).toBeLessThan(height - 10);
    }
  }
});

test("the label of a mark lies to its right, and to its left where the map ends", () => {
  expect(labelPlace(150, 12)).toEqual([12, "left"]);
  expect(labelPlace(20, 12)).toEqual([-12, "right"]);
});
