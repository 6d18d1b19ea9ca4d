import * as THREE from "three";

import type { Maker } from "./limbs";

const WHITE = 0xfdfcf8;
const WIDTH = 0.1;
const HEIGHT = 0.17;
const STROKE = 0.03;
const DEPTH = 0.012;

/** Strokes as [x, y, wide] from -1 to 1: `wide` lies, otherwise it stands and is half as high. */
const TOP = [0, 1, true] as const;
const MIDDLE = [0, 0, true] as const;
const BOTTOM = [0, -1, true] as const;
const UPPER_RIGHT = [1, 0.5, false] as const;
const LOWER_RIGHT = [1, -0.5, false] as const;
const UPPER_LEFT = [-1, 0.5, false] as const;
const LOWER_LEFT = [-1, -0.5, false] as const;

const DIGITS: readonly (readonly (readonly [number, number, boolean])[])[] = [
  [[0, 0.5, false], [0, -0.5, false]],
  [TOP, UPPER_RIGHT, MIDDLE, LOWER_LEFT, BOTTOM],
  [TOP, UPPER_RIGHT, MIDDLE, LOWER_RIGHT, BOTTOM],
  [UPPER_LEFT, UPPER_RIGHT, MIDDLE, LOWER_RIGHT],
  [TOP, UPPER_LEFT, MIDDLE, LOWER_RIGHT, BOTTOM],
];

/** Make the number of a body, 1 to 5, of strokes that stand out; it can be read from where +Z points. None for 0. */
export function numberPlate(make: Maker, number: number): THREE.Group {
  const group = new THREE.Group();
  for (const [x, y, wide] of DIGITS[number - 1] ?? []) {
    const size: [number, number] = wide ? [WIDTH, STROKE] : [STROKE, HEIGHT / 2 + STROKE / 2];
    const stroke = make.mesh(new THREE.BoxGeometry(...size, DEPTH), WHITE);
    stroke.position.set((x * (WIDTH - STROKE)) / 2, (y * (HEIGHT - STROKE)) / 2, 0);
    group.add(stroke);
  }
  return group;
}
