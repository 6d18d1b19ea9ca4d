// A four-legged robot of 0.85 m with an arm on its back, friendly, in the colour of its seat.
import * as THREE from "three";

import type { SeatLook } from "../../world/seat_looks";
import type { Palette } from "../palette";
import type { Body, Motion } from "./body";
import { Limb, Maker, roundedBox } from "./limbs";
import { numberPlate } from "./number_plate";
import { skin } from "./skin";
import type { Skin } from "./skin";

const DARK = 0x3a3f45;
const LIGHT = 0xe9e4da;
const EYE = 0xcdf3ff;

const BODY_Y = 0.5;
const THIGH = 0.27;
const SHIN = 0.27;
const UPPER_ARM = 0.3;
const FOREARM = 0.3;
/** Metres that a whole cycle of its trot takes. */
const STRIDE = 0.78;
const REACH = 1.4;
/** Diagonal legs move together. */
const LEGS = [
  { x: -0.17, z: -0.25, phase: 0 },
  { x: 0.17, z: -0.25, phase: Math.PI },
  { x: -0.17, z: 0.27, phase: Math.PI },
  { x: 0.17, z: 0.27, phase: 0 },
] as const;

export class RobotBody implements Body {
  readonly root = new THREE.Group();
  readonly tagHeight = 1.16;
  private readonly skin: Skin;
  private readonly trunk = new THREE.Group();
  private readonly neck = new THREE.Group();
  private readonly legs: Limb[];
  private readonly arm: Limb;
  private readonly gripper = new THREE.Group();
  private readonly hand: THREE.Vector3;
  private readonly stowed = new THREE.Vector3(0, 0.33, -0.3);
  private readonly reached = new THREE.Vector3();
  private phase = 0;
  private stride = 0;
  private carry = 0;

  constructor(carry: readonly [number, number, number], look: SeatLook, palette: Palette) {
    const make = new Maker();
    const shell = make.mesh(roundedBox(0.29, 0.2, 0.74, 0.085), look.body);
    const belly = make.mesh(roundedBox(0.24, 0.12, 0.66, 0.05), DARK);
    belly.position.y = -0.07;
    const saddle = make.mesh(roundedBox(0.2, 0.05, 0.34, 0.022), look.number > 0 ? DARK : LIGHT);
    saddle.position.set(0, 0.1, 0.12);
    this.trunk.add(shell, belly, saddle);
    this.addNumbers(make, look.number);

    this.makeFace(make);
    this.legs = LEGS.map(({ x, z }) => {
      const leg = this.makeLeg(make, look.body);
      leg.upper.position.set(x, -0.02, z);
      this.trunk.add(leg.upper);
      return leg;
    });

    this.arm = new Limb(UPPER_ARM, FOREARM, 1);
    const base = make.mesh(new THREE.CylinderGeometry(0.07, 0.085, 0.07, 12), DARK);
    base.position.set(0, 0.12, -0.14);
    this.arm.upper.position.set(0, 0.17, -0.14);
    this.arm.upper.add(make.ball(0.062, DARK), make.rod(0.045, UPPER_ARM, look.body));
    this.arm.lower.add(make.ball(0.052, DARK), make.rod(0.036, FOREARM * 0.9, LIGHT));
    for (const side of [-1, 1]) {
      const finger = make.mesh(roundedBox(0.022, 0.095, 0.045, 0.01), DARK);
      finger.position.set(side * 0.035, -0.04, 0);
      finger.rotation.z = side * 0.12;
      this.gripper.add(finger);
    }
    this.gripper.add(make.ball(0.045, look.body));
    this.gripper.position.y = -FOREARM;
    this.arm.lower.add(this.gripper);
    this.trunk.add(base, this.arm.upper);
    this.trunk.position.y = BODY_Y;
    this.root.add(this.trunk);
    this.skin = skin(this.root, make, palette, REACH);
    this.hand = new THREE.Vector3(carry[0], carry[1] - BODY_Y + 0.07, carry[2] + 0.05);
  }

  animate({ walked, speed, pitch, carrying, headYaw, dt }: Motion): void {
    this.phase += (walked / STRIDE) * 2 * Math.PI;
    const ease = 1 - Math.exp(-dt * 10);
    this.stride += (Math.min(1, Math.abs(speed) / 1.0) - this.stride) * ease;
    this.carry += ((carrying ? 1 : 0) - this.carry) * ease;
    this.legs.forEach((leg, i) => {
      const at = this.phase + (LEGS[i]?.phase ?? 0);
      const lift = Math.max(0, Math.cos(at)) * this.stride;
      // At rest the thigh leans back and the shin forward, as a dog stands.
      leg.swing(-0.42 + Math.sin(at) * 0.42 * this.stride - lift * 0.12, -(0.86 + lift * 0.55));
    });
    this.reached.lerpVectors(this.stowed, this.hand, this.carry);
    this.arm.reach(this.reached);
    this.trunk.position.y = BODY_Y + Math.sin(this.phase * 2) * 0.012 * this.stride;
    this.trunk.rotation.z = Math.sin(this.phase) * 0.018 * this.stride;
    this.neck.rotation.y += (headYaw - this.neck.rotation.y) * ease;
    this.neck.rotation.x = Math.max(-0.5, Math.min(0.5, pitch * 0.6));
  }

  dispose(): void {
    this.skin.dispose();
  }

  /** Put its number on both flanks, and on the back, to be read from behind. */
  private addNumbers(make: Maker, number: number): void {
    for (const side of [-1, 1]) {
      const plate = numberPlate(make, number);
      plate.position.set(side * 0.146, 0.005, 0.04);
      plate.rotation.y = (side * Math.PI) / 2;
      this.trunk.add(plate);
    }
    const plate = numberPlate(make, number);
    plate.position.set(0, 0.126, 0.14);
    plate.rotation.x = -Math.PI / 2;
    this.trunk.add(plate);
  }

  private makeFace(make: Maker): void {
    const head = make.mesh(roundedBox(0.25, 0.17, 0.15, 0.06), LIGHT);
    const screen = make.mesh(roundedBox(0.2, 0.115, 0.03, 0.014), DARK);
    screen.position.z = -0.068;
    this.neck.add(head, screen);
    for (const side of [-1, 1]) {
      const eye = make.mesh(roundedBox(0.034, 0.05, 0.012, 0.0055), EYE);
      eye.position.set(side * 0.045, 0.004, -0.08);
      this.neck.add(eye);
    }
    this.neck.position.set(0, 0.055, -0.42);
    this.trunk.add(this.neck);
  }

  private makeLeg(make: Maker, colour: number): Limb {
    const leg = new Limb(THIGH, SHIN, -1);
    leg.upper.add(make.ball(0.058, DARK), make.rod(0.047, THIGH, colour));
    leg.lower.add(make.rod(0.032, SHIN, DARK));
    const foot = make.ball(0.038, DARK);
    foot.position.y = -SHIN;
    leg.lower.add(foot);
    return leg;
  }
}
