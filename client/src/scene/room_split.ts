// The split of a stage by room. A stage comes as a few meshes that reach through the whole house;
// split, what is behind the eye is not drawn at all, and what is behind a wall is drawn after the
// wall: both are cheap then, which matters most where a program stands in for a graphics card.
import * as THREE from "three";

import type { Vec2 } from "../world/units";
import { isMesh } from "./nodes";

/** Meshes below this many triangles are left whole. */
const WORTH_CUTTING = 60;

interface Bounds {
  low: Vec2;
  high: Vec2;
}

/** Exchange the meshes of a stage for one per room, with the same vertices, names and materials.
    What is outside stays whole. `polygons` are the floors of the rooms (m). */
export function splitByRoom(stage: THREE.Object3D, polygons: readonly Vec2[][]): void {
  const rooms = polygons.map(boundsOf);
  stage.updateMatrixWorld(true);
  const meshes: THREE.Mesh[] = [];
  stage.traverse((node) => {
    if (isMesh(node) && !isOutside(node)) meshes.push(node);
  });
  for (const mesh of meshes) {
    const pieces = cut(mesh, rooms);
    if (pieces.length < 2) continue;
    mesh.parent?.add(...pieces);
    mesh.removeFromParent();
  }
}

function isOutside(node: THREE.Object3D): boolean {
  for (let at: THREE.Object3D | null = node; at; at = at.parent) if (at.name.startsWith("outside")) return true;
  return false;
}

function boundsOf(polygon: readonly Vec2[]): Bounds {
  const xs = polygon.map(([x]) => x);
  const zs = polygon.map(([, z]) => z);
  return { low: [Math.min(...xs), Math.min(...zs)], high: [Math.max(...xs), Math.max(...zs)] };
}

function cut(mesh: THREE.Mesh, rooms: readonly Bounds[]): THREE.Mesh[] {
  const { index } = mesh.geometry;
  const position = mesh.geometry.getAttribute("position");
  if (!index || index.count < WORTH_CUTTING * 3) return [];
  const faces = rooms.map((): number[] => []);
  const corner = new THREE.Vector3();
  const middle = new THREE.Vector3();
  for (let i = 0; i + 2 < index.count; i += 3) {
    middle.set(0, 0, 0);
    for (let k = 0; k < 3; k++) middle.add(corner.fromBufferAttribute(position, index.getX(i + k)));
    middle.divideScalar(3).applyMatrix4(mesh.matrixWorld);
    faces[nearest(rooms, middle.x, middle.z)]?.push(index.getX(i), index.getX(i + 1), index.getX(i + 2));
  }
  return faces.filter((own) => own.length > 0).map((own) => piece(mesh, own));
}

/** Return the room that a point is in, or nearest to. */
function nearest(rooms: readonly Bounds[], x: number, z: number): number {
  let best = 0;
  let least = Infinity;
  rooms.forEach(({ low, high }, room) => {
    const dx = Math.max(low[0] - x, 0, x - high[0]);
    const dz = Math.max(low[1] - z, 0, z - high[1]);
    const away = dx * dx + dz * dz;
    if (away < least) [best, least] = [room, away];
  });
  return best;
}

function piece(mesh: THREE.Mesh, corners: readonly number[]): THREE.Mesh {
  const geometry = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(mesh.geometry.attributes)) geometry.setAttribute(name, attribute);
  geometry.setIndex(corners as number[]);
  // By its own corners: three.js would take all the vertices that it shares with the other rooms.
  const position = mesh.geometry.getAttribute("position");
  const box = new THREE.Box3();
  const corner = new THREE.Vector3();
  for (const i of corners) box.expandByPoint(corner.fromBufferAttribute(position, i));
  geometry.boundingBox = box;
  geometry.boundingSphere = box.getBoundingSphere(new THREE.Sphere());
  const own = mesh.clone(false);
  own.geometry = geometry;
  return own;
}
