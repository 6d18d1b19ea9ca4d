// The player's forearm in the corner of the view, while something is carried.
import * as THREE from "three";

import type { Quat, Vec3 } from "../world/units";
import type { Entity, Seat } from "../world/world";
import { Maker, roundedBox } from "./bodies/limbs";
import { skin } from "./bodies/skin";
import type { Skin } from "./bodies/skin";
import type { Palette } from "./palette";

const SKIN = 0xd9a57e;
const DARK = 0x3a3f45;

export class FirstPersonHand {
  readonly root = new THREE.Group();
  private readonly skin: Skin;
  private readonly offset = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private sway = 0;

  constructor({ kind, look }: Seat, palette: Palette) {
    const make = new Maker();
    const arm = new THREE.Group();
    if (kind === "human") {
      const sleeve = make.mesh(new THREE.CapsuleGeometry(0.042, 0.3, 4, 12).rotateX(Math.PI / 2), look.body);
      sleeve.position.z = 0.24;
      const palm = make.mesh(roundedBox(0.085, 0.035, 0.1, 0.016), SKIN);
      const thumb = make.mesh(new THREE.CapsuleGeometry(0.013, 0.04, 3, 8), SKIN);
      thumb.position.set(-0.05, 0.02, -0.005);
      thumb.rotation.z = 0.5;
      arm.add(sleeve, palm, thumb);
    } else {
      const rod = make.mesh(new THREE.CapsuleGeometry(0.03, 0.34, 4, 12).rotateX(Math.PI / 2), look.body);
      rod.position.z = 0.26;
      const wrist = make.ball(0.042, DARK);
      wrist.position.z = 0.05;
      arm.add(rod, wrist);
      for (const side of [-1, 1]) {
        const finger = make.mesh(roundedBox(0.018, 0.05, 0.1, 0.008), DARK);
        finger.position.set(side * 0.045, 0.015, -0.03);
        arm.add(finger);
      }
    }
    arm.rotation.set(0.42, 0.28, 0);
    this.root.add(arm);
    this.skin = skin(this.root, make, palette, 1);
    this.skin.mesh.castShadow = false;
    this.root.visible = false;
  }

  /** Put the hand before the eye, and return where the thing that it holds is drawn. */
  hold(camera: THREE.Camera, held: Entity, walked: number): { position: Vec3; rotation: Quat } {
    this.sway += walked * 5.2;
    const { low, high } = held.template;
    const width = Math.max(high[0] - low[0], high[2] - low[2]);
    const height = high[1] - low[1];
    // Large things are held further away and lower, so that they do not fill the view.
    const away = 0.5 + width * 0.75;
    const bob = Math.sin(this.sway) * 0.006;
    this.offset.set(0.25 + width * 0.12, -0.15 - height * 0.6 + bob, -away);
    this.offset.applyQuaternion(camera.quaternion).add(camera.position);
    const yaw = new THREE.Euler().setFromQuaternion(camera.quaternion, "YXZ").y;
    this.turn.setFromAxisAngle(new THREE.Vector3(0, 1, 0), yaw);
    this.root.position.copy(this.offset);
    this.root.quaternion.copy(camera.quaternion);
    this.root.translateY(-0.065);
    const { x, y, z } = this.offset;
    const q = this.turn;
    return { position: [x, y, z], rotation: [q.x, q.y, q.z, q.w] };
  }

  dispose(): void {
    this.skin.dispose();
    this.root.removeFromParent();
  }
}
