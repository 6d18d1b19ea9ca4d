// The view of one entity: its model, its moving parts, the nodes that show its states.
import * as THREE from "three";

import type { Quat, Vec3 } from "../world/units";
import type { PlacedPart } from "../world/part_words";
import type { Entity, Part } from "../world/world";
import { isMesh } from "./nodes";

/** How long a part takes to open, and a thing to get from here to there (s). */
const PART_S = 0.35;
const MOVE_S = 0.22;

const STATE_NODES: Record<string, { node: string; shownWhen: boolean }> = {
  is_clean: { node: "state_dirty", shownWhen: false },
  is_filled: { node: "state_filled", shownWhen: true },
  is_powered_on: { node: "state_on", shownWhen: true },
};

interface MovingPart {
  node: THREE.Object3D | null;
  part: Part;
  from: number;
  value: number;
  target: number;
  /** The share of the way from `from` to `target`, 0 to 1. */
  progress: number;
}

export class EntityView {
  readonly root: THREE.Object3D;
  readonly meshes: THREE.Mesh[] = [];
  private readonly parts: MovingPart[];
  private readonly from = { position: new THREE.Vector3(), rotation: new THREE.Quaternion() };
  private readonly target = { position: new THREE.Vector3(), rotation: new THREE.Quaternion() };
  private progress = 1;
  private duration = MOVE_S;

  constructor(
    readonly entity: Entity,
    model: THREE.Object3D,
  ) {
    this.root = model;
    model.traverse((node) => {
      node.userData.entity = entity.index;
      if (isMesh(node)) this.meshes.push(node);
    });
    this.parts = entity.template.parts.map((part, i) => {
      const node = model.getObjectByName(`part_${i}`) ?? null;
      node?.traverse((child) => (child.userData.part = i));
      const value = entity.parts[i] ?? 0;
      return { node, part, from: value, value, target: value, progress: 1 };
    });
    for (const part of this.parts) poseOfPart(part);
    this.showStates();
    this.jump(entity.position, entity.rotation);
  }

  /** Return the parts with the middle of each in the furniture's frame: what turns is where its hinge is. */
  placedParts(): PlacedPart[] {
    return this.parts.map(({ node, part }) => {
      if (part.joint === "hinge" || !node) return { name: part.name, x: part.origin[0], y: part.origin[1] };
      const { x, y } = this.root.worldToLocal(new THREE.Box3().setFromObject(node).getCenter(new THREE.Vector3()));
      return { name: part.name, x, y };
    });
  }

  /** Whether something is still on its way. */
  get moving(): boolean {
    return this.progress < 1 || this.parts.some((part) => part.progress < 1);
  }

  showStates(): void {
    for (const [state, value] of Object.entries(this.entity.states)) {
      const known = STATE_NODES[state];
      if (!known) continue;
      this.root.traverse((node) => {
        if (node.name === known.node) node.visible = value === known.shownWhen;
      });
    }
  }

  /** Put the thing here at once. */
  jump(position: Vec3, rotation: Quat): void {
    this.target.position.set(...position);
    this.target.rotation.set(...rotation);
    this.progress = 1;
    this.place(1);
  }

  /** Start to move from where the thing is drawn to wherever `follow` says (s). */
  glide(duration = MOVE_S): void {
    this.from.position.copy(this.root.position);
    this.from.rotation.copy(this.root.quaternion);
    this.progress = 0;
    this.duration = duration;
  }

  /** Start to come out of a drawer together with it, from this far away. */
  glideFrom(offset: THREE.Vector3): void {
    this.root.position.add(offset);
    this.glide(PART_S);
  }

  /** Note where the thing belongs now (a held thing moves all the time). */
  follow(position: Vec3, rotation: Quat): void {
    this.target.position.set(...position);
    this.target.rotation.set(...rotation);
  }

  /** Start to move a part to where the entity has it now. */
  openPart(index: number): void {
    const part = this.parts[index];
    if (!part) return;
    part.from = part.value;
    part.target = this.entity.parts[index] ?? 0;
    part.progress = 0;
  }

  update(dt: number): void {
    for (const part of this.parts) {
      if (part.progress >= 1) continue;
      part.progress = Math.min(1, part.progress + dt / PART_S);
      part.value = part.from + (part.target - part.from) * smooth(part.progress);
      poseOfPart(part);
    }
    this.progress = Math.min(1, this.progress + dt / this.duration);
    this.place(smooth(this.progress));
  }

  private place(t: number): void {
    const { root, from, target } = this;
    if (t >= 1) {
      root.position.copy(target.position);
      root.quaternion.copy(target.rotation);
    } else {
      root.position.lerpVectors(from.position, target.position, t);
      root.quaternion.slerpQuaternions(from.rotation, target.rotation, t);
    }
    root.updateMatrix();
  }
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

const axis = new THREE.Vector3();
const origin = new THREE.Vector3();

function poseOfPart({ node, part, value }: MovingPart): void {
  if (!node) return;
  axis.set(...part.axis).normalize();
  if (part.joint === "slide") {
    node.position.copy(axis).multiplyScalar(value);
    return;
  }
  origin.set(...part.origin);
  node.quaternion.setFromAxisAngle(axis, value);
  node.position.copy(origin).applyQuaternion(node.quaternion).negate().add(origin);
}
