import { describe, expect, test } from "vitest";

import { EDGE_PX, edgePlace, freePlace, spread, tagPlace } from "../../src/play/edge_places";

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

describe("a name tag", () => {
  const size = { width: 100, height: 24 };
  const panel = { left: 500, right: 700, top: 300, bottom: 400 };

  test("stays where it belongs while nothing hides it, and is whole within the view", () => {
    expect(tagPlace({ x: 200, y: 200 }, size, WIDTH, HEIGHT, [panel])).toEqual({ x: 200, y: 200 });
    expect(tagPlace({ x: 3, y: 10 }, size, WIDTH, HEIGHT, [])).toEqual({ x: 54, y: 28 });
  });

  test("moves beside a panel, and is hidden where that is far", () => {
    expect(tagPlace({ x: 600, y: 310 }, size, WIDTH, HEIGHT, [panel])).toEqual({ x: 600, y: 296 });
    expect(tagPlace({ x: 460, y: 350 }, size, WIDTH, HEIGHT, [panel])).toEqual({ x: 446, y: 350 });
    const wide = { left: 0, right: WIDTH, top: 100, bottom: 600 };
    expect(tagPlace({ x: 600, y: 350 }, size, WIDTH, HEIGHT, [wide])).toBeNull();
  });

  test("moves from one panel not under another, but along both", () => {
    const above = { left: 500, right: 700, top: 200, bottom: 296 };
    const place = tagPlace({ x: 600, y: 310 }, size, WIDTH, HEIGHT, [panel, above]);
    expect(place).toBeNull();
    expect(freePlace({ x: 600, y: 310 }, size, WIDTH, HEIGHT, [panel, above])).toEqual({ x: 600, y: 196 });
  });

  test("of a thing in plain view stays at it, whatever corner of a card it touches", () => {
    // A window of 800 x 450 with the task, the buttons, a step, a selection and the partner's view.
    const cards = [[8, 440, 8, 81], [514, 792, 8, 40], [8, 264, 85, 139], [8, 264, 147, 239], [624, 792, 247, 402]] as const;
    const panels = cards.map(([left, right, top, bottom]) => ({ left, right, top, bottom }));
    const place = tagPlace({ x: 497, y: 108 }, { width: 130, height: 34 }, 800, 450, panels);
    expect(place).toEqual({ x: 497, y: 119 });
  });

  test("finds room between the cards of a low window", () => {
    const cards = [[8, 344, 8, 153], [352, 632, 8, 40], [8, 251, 157, 288], [497, 632, 177, 312], [259, 488, 302, 352], [8, 62, 320, 352], [560, 632, 320, 352]] as const;
    const panels = cards.map(([left, right, top, bottom]) => ({ left, right, top, bottom }));
    for (const at of [{ x: 20, y: 200 }, { x: 620, y: 250 }, { x: 320, y: 350 }, { x: 600, y: 20 }]) {
      const { x, y } = freePlace(at, { width: 120, height: 34 }, 640, 360, panels)!;
      expect(panels.filter(({ left, right, top, bottom }) => x + 60 > left && x - 60 < right && y > top && y - 34 < bottom)).toEqual([]);
      expect(x >= 60 && x <= 580 && y >= 34 && y <= 360).toBe(true);
    }
  });
});
