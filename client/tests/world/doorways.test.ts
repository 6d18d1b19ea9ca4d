import { expect, test } from "vitest";

import { doorways } from "../../src/world/doorways";
import type { Vec2 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

// Two rooms of 4 m by 4 m with a wall of 0.2 m between them, and a doorway of 1 m in it: a body of 0.25 m walks
// in what is left of them.
const LEFT: Vec2[] = [[0, 0], [4, 0], [4, 4], [0, 4]];
const RIGHT: Vec2[] = [[4.2, 0], [8.2, 0], [8.2, 4], [4.2, 4]];
const WALKABLE = new Walkable([
  [[[0.25, 0.25], [3.75, 0.25], [3.75, 1.75], [4.45, 1.75], [4.45, 0.25], [7.95, 0.25], [7.95, 3.75], [4.45, 3.75], [4.45, 2.25], [3.75, 2.25], [3.75, 3.75], [0.25, 3.75]]],
]);

test.each([["clockwise", 1], ["the other way round", -1]])("a doorway is found from both rooms, outlines run %s", (_, way) => {
  for (const [room, x] of [[LEFT, 4], [RIGHT, 4.2]] as const) {
    const [door, ...more] = doorways(way > 0 ? room : [...room].reverse(), WALKABLE);
    expect(more).toEqual([]);
    const ends = door!.map(([, z]) => z).sort();
    expect(door!.map(([at]) => at)).toEqual([x, x]);
    expect(ends[0]).toBeCloseTo(1.5, 1);
    expect(ends[1]).toBeCloseTo(2.5, 1);
  }
});

test("a room without a way out has no doorway", () => {
  expect(doorways(LEFT, new Walkable([[[[1, 1], [3, 1], [3, 3], [1, 3]]]]))).toEqual([]);
});
