// The floor as a way is looked for on it: the walkable area, and the bodies that stand on it.
import { WITHIN_M } from "./blocking";
import type { Vec2 } from "./units";
import type { Walkable } from "./walkable";

/** What a search for a way asks of the floor. */
export type Floor = Pick<Walkable, "contains" | "move">;

/** So much farther than bodies block (m) a way leads past one, which does not stand quite still. */
const MARGIN_M = 0.06;

/** Return the floor without the places that bodies take; who is in touch with one already may go away from it. */
export function aroundBodies(walkable: Walkable, bodies: readonly Vec2[]): Floor {
  const keepM = WITHIN_M + MARGIN_M;
  return {
    contains: (x, z) => walkable.contains(x, z) && bodies.every(([bx, bz]) => Math.hypot(x - bx, z - bz) >= keepM),
    move: (x, z, dx, dz) => {
      const to: Vec2 = [x + dx, z + dz];
      const isMet = bodies.some((body) => nearest(body, [x, z], to) < Math.min(keepM, Math.hypot(x - body[0], z - body[1]) - TOUCHING_M));
      return isMet ? [x, z] : walkable.move(x, z, dx, dz);
    },
  };
}

const TOUCHING_M = 1e-6;

/** Return how near a straight step comes to a point (m). */
function nearest([px, pz]: Vec2, [ax, az]: Vec2, [bx, bz]: Vec2): number {
  const [ex, ez] = [bx - ax, bz - az];
  const squared = ex * ex + ez * ez;
  const t = squared === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * ex + (pz - az) * ez) / squared));
  return Math.hypot(px - ax - ex * t, pz - az - ez * t);
}
