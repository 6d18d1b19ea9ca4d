// The picker, which finds what is under a point of the screen.
import * as THREE from "three";

import type { House } from "./house";
import { isShown } from "./nodes";

/** The first thing that a ray meets. */
export interface PickHit {
  /** Index of the entity; -1 for floor and walls. */
  entity: number;
  part: number;
  point: THREE.Vector3;
  /** In world coordinates. */
  normal: THREE.Vector3;
  distance: number;
}

const UPRIGHT = 0.85;
/** How far below the pointer the shelf or the bottom of a drawer may be (m), and how far before a wall a thing stands. */
const SHELF_M = 1.2;
const BEFORE_M = 0.1;
/** Small things are hard to hit: a ray that passes as near as this (px) counts. */
const NEAR_PX = 11;

export class Picker {
  private readonly ray = new THREE.Raycaster();
  private readonly ndc = new THREE.Vector2();
  private readonly normalMatrix = new THREE.Matrix3();

  constructor(private readonly house: House) {}

  /** Find what is at a point (-1 to 1 each way); a small thing right beside the point wins over the furniture behind it. */
  point(camera: THREE.PerspectiveCamera, x: number, y: number, width: number, height: number): PickHit | null {
    const hit = this.shoot(camera, x, y);
    if (hit && this.isObject(hit.entity)) return hit;
    for (let i = 0; i < 6; i++) {
      const angle = (i * Math.PI) / 3;
      const dx = (Math.cos(angle) * NEAR_PX * 2) / width;
      const dy = (Math.sin(angle) * NEAR_PX * 2) / height;
      this.ray.setFromCamera(this.ndc.set(x + dx, y + dy), camera);
      const near = this.first((hit?.distance ?? 20) + 0.2, [this.house.things]);
      if (near && this.isObject(near.entity)) return near;
    }
    return hit;
  }

  /** Find where a thing could be put: a surface that faces up, at or just behind the point. */
  surface(camera: THREE.PerspectiveCamera, x: number, y: number): PickHit | null {
    const hit = this.shoot(camera, x, y);
    if (!hit || hit.normal.y >= UPRIGHT) return hit;
    // A front or an edge: what lies on top of it, a little further in?
    const inwards = this.ray.ray.direction.clone().setY(0).normalize().multiplyScalar(0.08);
    const above = hit.point.clone().add(inwards).setY(hit.point.y + 0.35);
    this.ray.set(above, new THREE.Vector3(0, -1, 0));
    const top = this.first(0.42);
    if (top && top.normal.y >= UPRIGHT) return top;
    return this.shelfBelow(hit) ?? hit;
  }

  /** Find the shelf or the bottom of a drawer below a back wall, a side or a board from beneath; null for none. */
  private shelfBelow(hit: PickHit): PickHit | null {
    if (!this.house.views.get(hit.entity)) return null;
    const from = hit.point.clone().addScaledVector(hit.normal, hit.normal.y < -UPRIGHT ? 0.01 : BEFORE_M);
    this.ray.set(from, new THREE.Vector3(0, -1, 0));
    const shelf = this.first(SHELF_M);
    const isItsOwn = shelf?.entity === hit.entity || this.isObject(shelf?.entity ?? -1);
    return shelf && isItsOwn && shelf.normal.y >= UPRIGHT ? shelf : null;
  }

  /** Find the surfaces of one thing that face up, each straight below one of these points. */
  surfacesBelow(entity: number, points: readonly THREE.Vector3[]): THREE.Vector3[] {
    const view = this.house.views.get(entity);
    if (!view) return [];
    return points.flatMap((point) => {
      this.ray.set(point, new THREE.Vector3(0, -1, 0));
      const hit = this.first(Infinity, [view.root]);
      return hit?.entity === entity && hit.normal.y >= UPRIGHT ? [hit.point] : [];
    });
  }

  /** Tell whether nothing of the house stands between two points. */
  clear(from: THREE.Vector3, to: THREE.Vector3): boolean {
    const way = to.clone().sub(from);
    this.ray.set(from, way.clone().normalize());
    this.ray.far = way.length();
    const hit = this.ray.intersectObject(this.house.stage, true).find((h) => h.object.visible);
    this.ray.far = Infinity;
    return !hit;
  }

  /** Tell whether nothing stands between a point and a thing, towards a point of it. */
  reaches(from: THREE.Vector3, to: THREE.Vector3, entity: number): boolean {
    const way = to.clone().sub(from);
    this.ray.set(from, way.clone().normalize());
    const hit = this.first(way.length());
    return hit === null || hit.entity === entity;
  }

  private shoot(camera: THREE.PerspectiveCamera, x: number, y: number): PickHit | null {
    this.ray.setFromCamera(this.ndc.set(x, y), camera);
    return this.first(Infinity);
  }

  private first(far: number, among: THREE.Object3D[] = [this.house.things, this.house.stage]): PickHit | null {
    this.ray.far = far;
    const hits = this.ray.intersectObjects(among, true);
    this.ray.far = Infinity;
    const hit = hits.find((h) => isShown(h.object) && !this.isHeld(h.object));
    if (!hit?.face) return null;
    const normal = hit.face.normal
      .clone()
      .applyMatrix3(this.normalMatrix.getNormalMatrix(hit.object.matrixWorld))
      .normalize();
    return {
      entity: (hit.object.userData.entity as number | undefined) ?? -1,
      part: (hit.object.userData.part as number | undefined) ?? -1,
      point: hit.point,
      normal,
      distance: hit.distance,
    };
  }

  private isObject(index: number): boolean {
    return this.house.views.get(index)?.entity.template.kind === "object";
  }

  private isHeld(node: THREE.Object3D): boolean {
    const index = node.userData.entity as number | undefined;
    return index !== undefined && (this.house.views.get(index)?.entity.holder ?? -1) >= 0;
  }
}
