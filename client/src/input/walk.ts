// The velocity that keys, a stick or a program ask for.
import { wrapAngle } from "../world/units";
import type { Vec2 } from "../world/units";

export interface Velocity {
  /** m/s, ahead. */
  forward: number;
  /** m/s, to the right. */
  strafe: number;
}

export const STILL: Velocity = { forward: 0, strafe: 0 };
const SLOW = 0.45;
/** A stick pushed less than this is at rest. */
const DEAD = 0.14;

/** Return the velocity of a wish (`x` to the right, `y` forward, each -1 to 1) at a full speed in m/s. */
export function velocity(x: number, y: number, slow: boolean, speed: number): Velocity {
  const length = Math.hypot(x, y);
  if (length < DEAD) return STILL;
  const most = (slow ? SLOW : 1) * speed * Math.min(1, length);
  return { forward: (y / length) * most, strafe: (x / length) * most };
}

/** Distance to the goal below which a body slows down, so that it stops on it. */
const BRAKE_M = 0.35;
const SLOWEST = 0.12;
const ARRIVED_M = 0.025;
const FACING_RAD = 0.5;

/** Return how to turn and move to walk straight to a point; null when there. */
export function steer(
  from: Vec2,
  yaw: number,
  to: Vec2,
  speed: number,
): { yaw: number; velocity: Velocity } | null {
  const dx = to[0] - from[0];
  const dz = to[1] - from[1];
  const distance = Math.hypot(dx, dz);
  if (distance < ARRIVED_M) return null;
  const heading = distance < 0.08 ? yaw : Math.atan2(-dx, -dz);
  const pace = speed * Math.max(SLOWEST, Math.min(1, distance / BRAKE_M));
  if (distance >= 0.08) {
    const facing = Math.abs(wrapAngle(heading - yaw)) < FACING_RAD;
    return { yaw: heading, velocity: facing ? { forward: pace, strafe: 0 } : STILL };
  }
  // So near, it steps rather than turns.
  const s = Math.sin(yaw);
  const c = Math.cos(yaw);
  return {
    yaw,
    velocity: {
      forward: ((-dx * s - dz * c) / distance) * pace,
      strafe: ((dx * c - dz * s) / distance) * pace,
    },
  };
}
