import { describe, expect, test } from "vitest";

import { EDGE_PX, edgePlace, spread } from "../../src/play/edge_places";

const [WIDTH, HEIGHT] = [1280, 720];

test("an arrow sits at the edge towards somebody, and beside for who is behind", () => {
  expect(edgePlace({ x: 5000, y: 360, ahead: true }, WIDTH, HEIGHT)).toEqual({ x: WIDTH - EDGE_PX, y: 360 });
  expect(edgePlace({ x: 900, y: 300, ahead: false }, WIDTH, HEIGHT)).toEqual({ x: EDGE_PX, y: 360 });
  expect(edgePlace({ x: 100, y: 300, ahead: false }, WIDTH, HEIGHT)).toEqual({ x: WIDTH - EDGE_PX, y: 360 });
});

describe("arrows of one side", () => {
  test("lie apart, around where they would be", () => {
    const places = spread([1, 2, 3, 4].map(() => ({ x: EDGE_PX, y: 360 })), WIDTH, HEIGHT);
    const ys = places.map(({ y }) => y).sort((a, b) => a - b);
    expect(ys.slice(1).every((y, i) => y - (ys[i] ?? 0) >= 28)).toBe(true);
    expect((ys[0]! + ys[3]!) / 2).toBeCloseTo(360, 6);
  });

  test("stay on the canvas, and leave those of the other side and the lonely where they are", () => {
    const places = spread([{ x: EDGE_PX, y: 680 }, { x: EDGE_PX, y: 686 }, { x: WIDTH - EDGE_PX, y: 684 }], WIDTH, HEIGHT);
    expect(places[2]).toEqual({ x: WIDTH - EDGE_PX, y: 684 });
    expect(Math.max(...places.slice(0, 2).map(({ y }) => y))).toBeLessThanOrEqual(HEIGHT - EDGE_PX);
    expect(Math.abs(places[0]!.y - places[1]!.y)).toBeGreaterThanOrEqual(28);
  });

  test("lie where no panel hides them, as near as may be", () => {
    const panels = [{ left: 10, right: 400, top: 300, bottom: 420 }, { left: 1000, right: 1270, top: 0, bottom: 700 }];
    const places = spread([{ x: EDGE_PX, y: 400 }, { x: EDGE_PX, y: 410 }], WIDTH, HEIGHT, panels);
    expect(places.map(({ y }) => y)).toEqual([436, 464]);
    // Of the other side's panels nothing is said, and where there is no room at all they are seen all the same.
    expect(spread([{ x: WIDTH - EDGE_PX, y: 300 }], WIDTH, HEIGHT, panels.slice(0, 1))).toEqual([{ x: WIDTH - EDGE_PX, y: 300 }]);
    expect(spread([{ x: WIDTH - EDGE_PX, y: 300 }], WIDTH, HEIGHT, panels)).toEqual([{ x: WIDTH - EDGE_PX, y: 300 }]);
  });

  test("lie closer where there is little room between panels", () => {
    const panels = [{ left: 0, right: 400, top: 0, bottom: 170 }, { left: 0, right: 300, top: 250, bottom: 390 }];
    const ys = spread([1, 2, 3, 4].map(() => ({ x: EDGE_PX, y: 156 })), 844, 390, panels).map(({ y }) => y).sort((a, b) => a - b);
    expect(ys[0]).toBeCloseTo(186, 6);
    expect(ys[3]).toBeCloseTo(234, 6);
  });
});
