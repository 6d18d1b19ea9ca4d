// Contact shadows: soft dark spots where things touch what they stand on, one draw call for all.
import * as THREE from "three";

import type { Template } from "../world/world";

const MOST = 700;
/** Furniture that hangs higher than this above its origin casts none. */
const HANGING_M = 0.06;

const VERTEX = /* glsl */ `
attribute vec4 spot;
varying vec2 at;
varying vec4 shape;
void main() {
  shape = spot;
  at = position.xz * 2.0 * (spot.xy + spot.z);
  vec3 local = vec3(at.x, 0.0, at.y);
  gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(local, 1.0);
}`;

const FRAGMENT = /* glsl */ `
varying vec2 at;
varying vec4 shape;
void main() {
  float away = length(max(abs(at) - shape.xy, 0.0));
  float dark = 1.0 - smoothstep(0.0, shape.z, away);
  gl_FragColor = vec4(0.10, 0.07, 0.05, dark * dark * shape.w);
}`;

export class ContactShadows {
  readonly mesh: THREE.InstancedMesh;
  private readonly spots: THREE.InstancedBufferAttribute;
  private readonly slots = new Map<string, number>();
  private readonly free: number[] = [];
  private used = 0;
  private readonly matrix = new THREE.Matrix4();
  private readonly lifted = new THREE.Vector3();
  private readonly one = new THREE.Vector3(1, 1, 1);

  constructor() {
    const geometry = new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
    this.spots = new THREE.InstancedBufferAttribute(new Float32Array(MOST * 4), 4);
    geometry.setAttribute("spot", this.spots);
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    });
    this.mesh = new THREE.InstancedMesh(geometry, material, MOST);
    this.mesh.count = 0;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    this.mesh.raycast = () => undefined;
  }

  /** Put a spot below an entity of this shape, wherever it stands now. */
  putEntity(key: string, template: Template, position: THREE.Vector3, rotation: THREE.Quaternion): void {
    const { low, high, kind } = template;
    if (low[1] > HANGING_M || (kind === "furniture" && position.y + low[1] > HANGING_M + 0.1)) return;
    const halfX = (high[0] - low[0]) / 2;
    const halfZ = (high[2] - low[2]) / 2;
    if (kind === "furniture") this.put(key, position, rotation, halfX - 0.03, halfZ - 0.03, 0.14, 0.5);
    else {
      const soft = Math.min(0.16, Math.max(halfX, halfZ) * 0.75);
      this.put(key, position, rotation, halfX * 0.7, halfZ * 0.7, soft, 0.45);
    }
  }

  /** Put a spot of this size (m) below a point, or move the one of this key there. */
  put(
    key: string,
    position: THREE.Vector3,
    rotation: THREE.Quaternion,
    halfX: number,
    halfZ: number,
    soft: number,
    dark: number,
  ): void {
    let slot = this.slots.get(key);
    if (slot === undefined) {
      slot = this.free.pop() ?? this.used++;
      if (slot >= MOST) return;
      this.slots.set(key, slot);
      this.mesh.count = this.used;
    }
    this.spots.setXYZW(slot, Math.max(0, halfX), Math.max(0, halfZ), soft, dark);
    this.spots.needsUpdate = true;
    this.lifted.copy(position).setY(position.y + 0.003);
    this.mesh.setMatrixAt(slot, this.matrix.compose(this.lifted, rotation, this.one));
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  remove(key: string): void {
    const slot = this.slots.get(key);
    if (slot === undefined) return;
    this.slots.delete(key);
    this.free.push(slot);
    this.spots.setXYZW(slot, 0, 0, 0, 0);
    this.spots.needsUpdate = true;
  }

  clear(): void {
    this.slots.clear();
    this.free.length = 0;
    this.used = 0;
    this.mesh.count = 0;
  }
}
