import { expect, test } from "vitest";

import { SteadyHover } from "../../src/play/steady_hover";
import type { Gaze } from "../../src/play/steady_hover";
import type { PickHit } from "../../src/scene/picker";

const CHEST = 1;
const APPLE = 2;
const HERE: Gaze = { at: { x: 640, y: 360 }, yaw: 3.14, pitch: -0.4, eye: [1, 1.6, 2] };

function hit(entity: number, part: number): PickHit {
  return { entity, part } as PickHit;
}

test("whoever keeps still means the same drawer, whatever slides under the pointer", () => {
  const hover = new SteadyHover();
  expect(hover.take(hit(CHEST, 0), HERE)?.part).toBe(0);
  expect(hover.take(hit(CHEST, 1), HERE)?.part).toBe(0);
  // A body that settles is no look elsewhere; what goes on counts from the beginning.
  const nearly = { ...HERE, yaw: -3.1415, eye: [1.01, 1.6, 2] as const };
  expect(hover.take(hit(CHEST, 1), { ...nearly, eye: [...nearly.eye] })?.part).toBe(0);
  expect(hover.take(hit(CHEST, -1), HERE)?.part).toBe(0);
  for (const moved of [{ at: { x: 640, y: 366 } }, { yaw: 3.1 }, { pitch: -0.41 }, { eye: [1.1, 1.6, 2] as [number, number, number] }]) {
    const other = new SteadyHover();
    other.take(hit(CHEST, 0), HERE);
    expect(other.take(hit(CHEST, 1), { ...HERE, ...moved })?.part).toBe(1);
  }
});

test("another thing under the pointer is another thing", () => {
  const hover = new SteadyHover();
  hover.take(hit(CHEST, 0), HERE);
  expect(hover.take(hit(APPLE, -1), HERE)?.entity).toBe(APPLE);
  expect(hover.take(hit(CHEST, 1), HERE)?.part).toBe(1);
  expect(hover.take(null, HERE)).toBeNull();
  // The whole of a thing is no part that is meant.
  hover.take(hit(CHEST, -1), HERE);
  expect(hover.take(hit(CHEST, 1), HERE)?.part).toBe(1);
});
