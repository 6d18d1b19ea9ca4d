// Bodies that block: how a step ends at another body. The same rule, number for number, as the
// server's `server/sessions/blocking.py`, which states it; both are checked against
// tests/data/blocking_vectors.json.
import type { Vec2 } from "./units";

/** The feature of rules by which bodies block. */
export const BODIES_BLOCK = "bodies_block";
const APART_M = 0.5;
/** The distance at which one body is surely in another, whatever is rounded. */
export const WITHIN_M = APART_M - 0.02;
const TOUCHING_M = 1e-6;
const ALONG_M2 = 1e-9;

/** Return a step as the bodies at these places let it be: up to the first, then around it. */
export function clip([x, z]: Vec2, step: Vec2, others: readonly Vec2[]): Vec2 {
  let [dx, dz] = step;
  const first = met(x, z, dx, dz, others);
  if (!first) return step;
  const { share, body } = first;
  const goneX = dx * share;
  const goneZ = dz * share;
  x += goneX;
  z += goneZ;
  const awayX = x - body[0];
  const awayZ = z - body[1];
  const inward = ((1 - share) * (dx * awayX + dz * awayZ)) / (awayX * awayX + awayZ * awayZ);
  dx = dx * (1 - share) - inward * awayX;
  dz = dz * (1 - share) - inward * awayZ;
  const second = met(x, z, dx, dz, others);
  if (second) {
    dx *= second.share;
    dz *= second.share;
  }
  return [goneX + dx, goneZ + dz];
}

/** Tell whether a body has come deeper into another, by sliding along a wall for instance. */
export function sinksIn(before: Vec2, after: Vec2, others: readonly Vec2[]): boolean {
  return others.some((other) => apart(after, other) < Math.min(apart(before, other), APART_M) - TOUCHING_M);
}

/** Return the share of a step after which a body is met first, and where that body is. */
function met(x: number, z: number, dx: number, dz: number, others: readonly Vec2[]): { share: number; body: Vec2 } | null {
  const squared = dx * dx + dz * dz;
  if (squared === 0) return null;
  let found: { share: number; body: Vec2 } | null = null;
  for (const body of others) {
    const awayX = x - body[0];
    const awayZ = z - body[1];
    const toward = dx * awayX + dz * awayZ;
    const distance = Math.hypot(awayX, awayZ);
    if (toward >= -ALONG_M2 || distance === 0) continue;
    let share = 0;
    if (distance > APART_M + TOUCHING_M) {
      const inside = toward * toward - squared * (distance * distance - APART_M * APART_M);
      if (inside <= 0) continue;
      share = (-toward - Math.sqrt(inside)) / squared;
      if (share >= 1) continue;
    }
    if (!found || share < found.share) found = { share, body };
  }
  return found;
}

function apart(a: Vec2, b: Vec2): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
