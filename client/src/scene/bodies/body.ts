import type * as THREE from "three";

import type { SeatKind } from "../../world/world";
import type { Palette } from "../palette";
import { HumanBody } from "./human";
import { RobotBody } from "./robot";

/** What moves a body's limbs. */
export interface Motion {
  /** Metres walked in this step; negative backwards. */
  walked: number;
  /** m/s, smoothed. */
  speed: number;
  pitch: number;
  carrying: boolean;
  dt: number;
}

/** A drawn body. Its origin is on the floor, it faces -Z. */
export interface Body {
  readonly root: THREE.Group;
  /** Height of the name tag above the floor. */
  readonly tagHeight: number;
  animate(motion: Motion): void;
  dispose(): void;
}

export function makeBody(kind: SeatKind, carry: readonly [number, number, number], palette: Palette): Body {
  return kind === "robot" ? new RobotBody(carry, palette) : new HumanBody(carry, palette);
}
