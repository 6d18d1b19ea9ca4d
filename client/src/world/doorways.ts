// Where one walks from room to room: the gaps in the walls of the floor plan.
import type { Vec2 } from "./units";
import type { Walkable } from "./walkable";

const STEP_M = 0.05;
/** So far outside a room (m) lies the inside of its wall. */
const IN_WALL_M = 0.06;
/** What the body's radius takes from each side of a doorway, about (m). */
const SIDE_M = 0.25;

/** A gap along a wall, from one end to the other. */
export type Doorway = readonly [Vec2, Vec2];

/** Return the doorways of a room: the stretches of its outline behind which a body can stand in the wall. */
export function doorways(outline: readonly Vec2[], walkable: Walkable): Doorway[] {
  const outward = isClockwise(outline) ? 1 : -1;
  return outline.flatMap((a, i) => alongWall(a, outline[(i + 1) % outline.length] as Vec2, outward, walkable));
}

function alongWall([ax, az]: Vec2, [bx, bz]: Vec2, outward: number, walkable: Walkable): Doorway[] {
  const length = Math.hypot(bx - ax, bz - az);
  const [ex, ez] = [(bx - ax) / length, (bz - az) / length];
  const [nx, nz] = [ez * outward * IN_WALL_M, -ex * outward * IN_WALL_M];
  const found: Doorway[] = [];
  let from: number | null = null;
  for (let at = 0; at <= length + STEP_M; at += STEP_M) {
    const isOpen = at <= length && walkable.contains(ax + ex * at + nx, az + ez * at + nz);
    if (isOpen) from ??= at;
    if (isOpen || from === null) continue;
    const [start, end] = [Math.max(0, from - SIDE_M), Math.min(length, at - STEP_M + SIDE_M)];
    found.push([[ax + ex * start, az + ez * start], [ax + ex * end, az + ez * end]]);
    from = null;
  }
  return found;
}

/** Tell whether an outline runs so that its outside is to the left, with x to the right and z down. */
function isClockwise(outline: readonly Vec2[]): boolean {
  const doubled = outline.reduce((sum, [x0, z0], i) => {
    const [x1, z1] = outline[(i + 1) % outline.length] as Vec2;
    return sum + x0 * z1 - x1 * z0;
  }, 0);
  return doubled > 0;
}
