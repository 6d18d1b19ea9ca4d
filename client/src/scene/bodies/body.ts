import type * as THREE from "three";

/** What moves a body's limbs. */
export interface Motion {
  /** Metres walked in this step; negative backwards. */
  walked: number;
  /** m/s, smoothed. */
  speed: number;
  pitch: number;
  carrying: boolean;
  /** How far the head turns to the left of the body's front, to where it goes (radians). */
  headYaw: number;
  dt: number;
}

/** A drawn body. Its origin is on the floor, it faces -Z. */
export interface Body {
  readonly root: THREE.Group;
  /** Height of the name tag above the floor (m). */
  readonly tagHeight: number;
  animate(motion: Motion): void;
  dispose(): void;
}
