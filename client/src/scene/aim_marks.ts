// Marks of where robots go: a ring on the floor and an arrow above, in the colour of the seat.
import * as THREE from "three";

import type { SeatLook } from "../world/seat_looks";
import { destination } from "../world/destinations";
import type { Destination } from "../world/destinations";
import type { World } from "../world/world";

const ABOVE_FLOOR_M = 0.015;
const RING_M = 0.05;
const ARROW_ABOVE_M = 0.28;
const ARROW_M = { radius: 0.075, height: 0.17 } as const;
const SEGMENTS = 40;

interface Mark {
  group: THREE.Group;
  ring: THREE.Mesh;
  arrow: THREE.Mesh;
}

/** The marks of all robots; `group` belongs into the scene. */
export class AimMarks {
  readonly group = new THREE.Group();
  private readonly marks = new Map<number, Mark>();
  private shown = "";

  /** Show where everybody else goes, and where the player is being walked (`own`); return whether anything looks different now. */
  show(world: World, own: Destination | null): boolean {
    const goals = world.others.map((seat) => ({ seat, to: destination(world, seat.index) }));
    if (world.mySeat) goals.push({ seat: world.mySeat, to: own });
    const key = JSON.stringify(goals.map(({ seat, to }) => [seat.index, to]));
    if (key === this.shown) return false;
    this.shown = key;
    for (const { group } of this.marks.values()) group.visible = false;
    for (const { seat, to } of goals) {
      if (!to) continue;
      const { group, ring, arrow } = this.of(seat.index, seat.look);
      group.visible = true;
      group.position.set(to.position[0], to.position[1], to.position[2]);
      ring.scale.set(to.radius, 1, to.radius);
      arrow.position.y = to.height + ARROW_ABOVE_M;
    }
    return true;
  }

  private of(seat: number, look: SeatLook): Mark {
    const known = this.marks.get(seat);
    if (known) return known;
    const material = new THREE.MeshBasicMaterial({ color: look.bright, transparent: true, opacity: 0.85, depthWrite: false, toneMapped: false });
    const ring = new THREE.Mesh(new THREE.RingGeometry(1, 1 + RING_M * 2.4, SEGMENTS).rotateX(-Math.PI / 2), material);
    ring.position.y = ABOVE_FLOOR_M;
    const arrow = new THREE.Mesh(new THREE.ConeGeometry(ARROW_M.radius, ARROW_M.height, 4).rotateX(Math.PI), material);
    const group = new THREE.Group();
    group.add(ring, arrow);
    for (const mesh of [ring, arrow]) mesh.raycast = () => undefined;
    this.group.add(group);
    const mark = { group, ring, arrow };
    this.marks.set(seat, mark);
    return mark;
  }

  /** Forget the marks: another world is shown. */
  clear(): void {
    for (const { ring, arrow, group } of this.marks.values()) {
      ring.geometry.dispose();
      arrow.geometry.dispose();
      (ring.material as THREE.Material).dispose();
      group.removeFromParent();
    }
    this.marks.clear();
    this.shown = "";
  }
}
