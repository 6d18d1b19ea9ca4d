// What is under the pointer of somebody who keeps still: of one piece of furniture it stays the same door or drawer.
import type { PickHit } from "../scene/picker";
import type { Point } from "../dom/pixels";
import { wrapAngle } from "../world/units";
import type { Vec3 } from "../world/units";

/** Whoever moves pointer, view and body less than this keeps still (px, rad, m). */
const STILL_PX = 3;
const STILL_RAD = 0.006;
const STILL_M = 0.02;

/** Where somebody looks from, and where the pointer is. */
export interface Gaze {
  at: Point;
  yaw: number;
  pitch: number;
  eye: Vec3;
}

export class SteadyHover {
  private kept: PickHit | null = null;
  private gaze: Gaze | null = null;

  /** Return what counts as hit: what was hit before, where only another part of the same entity has come under a pointer
      that rests, as when a drawer slides out below it or two fronts meet there. */
  take(hit: PickHit | null, gaze: Gaze): PickHit | null {
    const { kept } = this;
    const isSame = kept !== null && hit !== null && kept.entity === hit.entity && kept.part >= 0;
    if (isSame && this.gaze && isStill(this.gaze, gaze)) return { ...hit, part: kept.part };
    this.kept = hit;
    this.gaze = gaze;
    return hit;
  }
}

function isStill(a: Gaze, b: Gaze): boolean {
  const turned = Math.max(Math.abs(wrapAngle(a.yaw - b.yaw)), Math.abs(a.pitch - b.pitch));
  const moved = Math.hypot(a.eye[0] - b.eye[0], a.eye[1] - b.eye[1], a.eye[2] - b.eye[2]);
  return Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y) <= STILL_PX && turned <= STILL_RAD && moved <= STILL_M;
}
