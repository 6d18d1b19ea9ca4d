// From where a film is seen: through a seat's eyes, over its shoulder, or from wherever one flies.
import { fromBody } from "../world/units";
import type { Vec3 } from "../world/units";
import type { Agent, Seat } from "../world/world";

export const VIEWS = ["eyes", "behind", "fly"] as const;
export type View = (typeof VIEWS)[number];

export interface Eye {
  eye: Vec3;
  yaw: number;
  pitch: number;
}

const USUAL_EYE: Vec3 = [0, 1.6, 0];
const BEHIND_M = 1.5;
const ABOVE_M = 0.45;
const DOWN_RAD = -0.32;
const STEEPEST = 1.5;
/** m/s; with the shift key held four times as fast. */
const FLIES = 2.5;
const HURRIES = 4;
const LOWEST_M = 0.2;
const HIGHEST_M = 8;

/** Return what a seat sees. */
export function eyesOf(pose: Agent, seat: Seat | null): Eye {
  return { eye: fromBody(pose.position, pose.yaw, seat?.eye ?? USUAL_EYE), yaw: pose.yaw, pitch: pose.pitch };
}

/** Return the view over a seat's shoulder; where a wall is behind it (`isClear` tells), from as near as need be. */
export function behind(pose: Agent, seat: Seat | null, isClear: (from: Vec3, to: Vec3) => boolean): Eye {
  const [x, y, z] = seat?.eye ?? USUAL_EYE;
  const eye = fromBody(pose.position, pose.yaw, [x, y, z]);
  const nearer = [1, 0.75, 0.5, 0.25];
  const places = nearer.map((share): Vec3 => fromBody(pose.position, pose.yaw, [x, y + ABOVE_M * share, z + BEHIND_M * share]));
  const place = places.find((found) => isClear(eye, found)) ?? eye;
  return { eye: place, yaw: pose.yaw, pitch: Math.max(-STEEPEST, Math.min(STEEPEST, pose.pitch * 0.5 + DOWN_RAD)) };
}

/** A camera that flies by keys and turns by drags. */
export class FlyingCamera {
  private at: Eye = { eye: [0, 1.6, 0], yaw: 0, pitch: 0 };

  get now(): Eye {
    return this.at;
  }

  /** Begin where one has looked from so far. */
  start(from: Eye): void {
    this.at = { ...from };
  }

  turn(yaw: number, pitch: number): void {
    this.at.yaw += yaw;
    this.at.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, this.at.pitch + pitch));
  }

  /** Move by held keys: forward, to the right and up, each from -1 to 1. */
  move(forward: number, right: number, up: number, hurry: boolean, seconds: number): void {
    const way = FLIES * (hurry ? HURRIES : 1) * seconds;
    const { eye, yaw } = this.at;
    const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
    const [x, y, z] = eye;
    const height = Math.min(HIGHEST_M, Math.max(LOWEST_M, y + up * way));
    this.at.eye = [x + (right * cos - forward * sin) * way, height, z - (right * sin + forward * cos) * way];
  }
}
