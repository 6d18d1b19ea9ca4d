// A person of 1.75 m: jumper in the colour of the seat, round head, arms that swing, a right hand that carries.
import * as THREE from "three";

import type { SeatLook } from "../../world/seat_looks";
import type { Palette } from "../palette";
import type { Body, Motion } from "./body";
import { Limb, Maker, roundedBox } from "./limbs";
import { numberPlate } from "./number_plate";
import { skin } from "./skin";
import type { Skin } from "./skin";

const TROUSERS = 0x34465a;
const SHOES = 0xf2ede4;
const SKIN = 0xd9a57e;
const HAIR = 0x4a3428;
const FACE = 0x2b211c;

const HIP_Y = 0.86;
const THIGH = 0.42;
const SHIN = 0.4;
const SHOULDER_Y = 1.38;
const UPPER_ARM = 0.29;
const FOREARM = 0.29;
/** Metres that a whole cycle of two steps takes. */
const STRIDE = 1.35;
const REACH = 1.9;

export class HumanBody implements Body {
  readonly root = new THREE.Group();
  readonly tagHeight = 1.98;
  private readonly skin: Skin;
  private readonly hips = new THREE.Group();
  private readonly chest = new THREE.Group();
  private readonly head = new THREE.Group();
  private readonly legs: [Limb, Limb];
  private readonly arms: [Limb, Limb];
  private readonly hand: THREE.Vector3;
  private phase = 0;
  private stride = 0;
  private carry = 0;

  constructor(carry: readonly [number, number, number], look: SeatLook, palette: Palette) {
    const make = new Maker();
    this.legs = [this.leg(make), this.leg(make)];
    this.arms = [this.arm(make, look.body), this.arm(make, look.body)];
    this.legs.forEach((leg, i) => leg.upper.position.set(i === 0 ? -0.095 : 0.095, 0, 0));

    const waist = make.mesh(roundedBox(0.31, 0.2, 0.21, 0.08), TROUSERS);
    waist.position.y = 0.02;
    const torso = make.mesh(roundedBox(0.39, 0.52, 0.235, 0.11), look.body);
    torso.position.y = 0.33;
    const collar = make.mesh(new THREE.TorusGeometry(0.085, 0.028, 6, 12).rotateX(Math.PI / 2), look.bodyDark);
    collar.position.y = 0.585;
    const neck = make.rod(0.055, 0.14, SKIN);
    neck.position.y = 0.68;
    this.chest.add(torso, collar, neck, this.head);
    for (const [z, turn] of [[0.118, 0], [-0.118, Math.PI]] as const) {
      const plate = numberPlate(make, look.number);
      plate.position.set(0, 0.36, z);
      plate.rotation.y = turn;
      this.chest.add(plate);
    }
    this.arms.forEach((arm, i) => {
      arm.upper.position.set(i === 0 ? -0.235 : 0.235, SHOULDER_Y - HIP_Y, 0);
      this.chest.add(arm.upper);
    });
    this.makeHead(make);
    this.hips.add(waist, this.chest, ...this.legs.map((leg) => leg.upper));
    this.hips.position.y = HIP_Y;
    this.root.add(this.hips);
    this.skin = skin(this.root, make, palette, REACH);
    // The hand is under the middle of what it carries.
    this.hand = new THREE.Vector3(carry[0] + 0.03, carry[1] - HIP_Y - 0.02, carry[2] + 0.06);
  }

  animate({ walked, speed, pitch, carrying, headYaw, dt }: Motion): void {
    this.phase += (walked / STRIDE) * 2 * Math.PI;
    const ease = 1 - Math.exp(-dt * 10);
    this.stride += (Math.min(1, Math.abs(speed) / 1.2) - this.stride) * ease;
    this.carry += ((carrying ? 1 : 0) - this.carry) * ease;
    this.legs.forEach((leg, i) => {
      const swing = Math.sin(this.phase + i * Math.PI);
      const lift = Math.max(0, Math.cos(this.phase + i * Math.PI));
      leg.swing(swing * 0.52 * this.stride, (0.08 + lift * 0.85) * this.stride);
    });
    const [left, right] = this.arms;
    const counter = Math.sin(this.phase + Math.PI);
    left.swing(counter * 0.42 * this.stride, 0.12 + 0.3 * this.stride);
    left.upper.rotation.z = -0.07;
    const reached = right.upper.quaternion.clone();
    right.reach(this.hand);
    const carried = { upper: right.upper.quaternion.clone(), lower: right.lower.rotation.x };
    right.upper.quaternion.copy(reached);
    right.swing(-counter * 0.42 * this.stride, 0.12 + 0.3 * this.stride);
    right.upper.rotation.z = 0.07;
    right.upper.quaternion.slerp(carried.upper, this.carry);
    right.lower.rotation.x += (carried.lower - right.lower.rotation.x) * this.carry;

    this.hips.position.y = HIP_Y - 0.018 + Math.abs(Math.sin(this.phase)) * -0.024 * this.stride;
    this.chest.rotation.set(-0.05 * this.stride, Math.sin(this.phase) * 0.07 * this.stride, 0);
    this.head.rotation.y += (headYaw - this.head.rotation.y) * ease;
    this.head.rotation.x = Math.max(-0.75, Math.min(0.6, pitch * 0.8));
  }

  dispose(): void {
    this.skin.dispose();
  }

  private makeHead(make: Maker): void {
    const skull = make.ball(0.115, SKIN);
    skull.scale.set(0.94, 1.1, 1);
    const hair = make.mesh(new THREE.SphereGeometry(0.123, 12, 7, 0, 2 * Math.PI, 0, Math.PI * 0.52), HAIR);
    hair.position.set(0, 0.022, 0.014);
    hair.rotation.x = 0.32;
    hair.scale.set(0.98, 1.08, 1.04);
    const nose = make.ball(0.016, SKIN);
    nose.position.set(0, -0.012, -0.116);
    this.head.add(skull, hair, nose);
    for (const side of [-1, 1]) {
      const eye = make.ball(0.0135, FACE);
      eye.position.set(side * 0.041, 0.014, -0.105);
      eye.scale.set(1, 1.25, 0.6);
      const ear = make.ball(0.026, SKIN);
      ear.position.set(side * 0.108, -0.005, 0.008);
      ear.scale.set(0.5, 1, 0.8);
      this.head.add(eye, ear);
    }
    const smile = make.mesh(new THREE.TorusGeometry(0.032, 0.0055, 4, 8, Math.PI * 0.7), FACE);
    smile.position.set(0, -0.032, -0.104);
    smile.rotation.set(0.15, Math.PI, Math.PI + Math.PI * 0.15);
    this.head.add(smile);
    this.head.position.y = 0.745;
  }

  private leg(make: Maker): Limb {
    const leg = new Limb(THIGH, SHIN, -1);
    leg.upper.add(make.rod(0.078, THIGH, TROUSERS));
    leg.lower.add(make.rod(0.062, SHIN, TROUSERS));
    const shoe = make.mesh(roundedBox(0.1, 0.075, 0.25, 0.035), SHOES);
    shoe.position.set(0, -SHIN + 0.012, -0.05);
    leg.lower.add(shoe);
    return leg;
  }

  private arm(make: Maker, colour: number): Limb {
    const arm = new Limb(UPPER_ARM, FOREARM, 1);
    arm.upper.add(make.rod(0.055, UPPER_ARM, colour));
    arm.lower.add(make.rod(0.045, FOREARM * 0.86, colour));
    const hand = make.ball(0.05, SKIN);
    hand.position.y = -FOREARM;
    hand.scale.set(0.85, 1.15, 1);
    arm.lower.add(hand);
    return arm;
  }
}
