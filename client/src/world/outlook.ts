// Where to look in a room, so that one sees most of it.
import type { Vec2 } from "./units";
import { wrapAngle } from "./units";

/** Directions that are compared, and rays within half a view to each side (rad). */
const DIRECTIONS = 24;
const RAYS_RAD = [-0.6, -0.3, 0, 0.3, 0.6];
/** Farther than this (m) one sees no details. */
const FAR_M = 6;
/** The way one looks already is kept where it shows as much of the best as this, and else the nearest that shows as much as that. */
const KEPT = 0.6;
const NEARLY_BEST = 0.9;

/** Return the yaw from which a room is seen best at a place in it, turned no more than need be. */
export function outlook(room: readonly Vec2[], at: Vec2, yaw: number): number {
  const shown = (turned: number): number => RAYS_RAD.reduce((sum, ray) => sum + Math.min(FAR_M, depth(room, at, turned + ray)) ** 2, 0);
  const found = Array.from({ length: DIRECTIONS }, (_, i) => wrapAngle(yaw + (i * 2 * Math.PI) / DIRECTIONS)).map((turned) => ({ turned, area: shown(turned) }));
  const best = Math.max(...found.map(({ area }) => area));
  if (shown(yaw) >= KEPT * best) return yaw;
  const good = found.filter(({ area }) => area >= NEARLY_BEST * best);
  const turn = ({ turned }: { turned: number }): number => Math.abs(wrapAngle(turned - yaw));
  return good.reduce((a, b) => (turn(b) < turn(a) ? b : a)).turned;
}

/** Return how far it is to the wall of a room from a place in it (m). */
function depth(room: readonly Vec2[], [x, z]: Vec2, yaw: number): number {
  const [dx, dz] = [-Math.sin(yaw), -Math.cos(yaw)];
  let nearest = Infinity;
  room.forEach(([ax, az], i) => {
    const [bx, bz] = room[(i + 1) % room.length] ?? [ax, az];
    const [ex, ez] = [bx - ax, bz - az];
    const cross = dx * ez - dz * ex;
    if (Math.abs(cross) < 1e-9) return;
    const along = ((ax - x) * ez - (az - z) * ex) / cross;
    const share = ((ax - x) * dz - (az - z) * dx) / cross;
    if (along >= 0 && share >= 0 && share <= 1) nearest = Math.min(nearest, along);
  });
  return nearest;
}
