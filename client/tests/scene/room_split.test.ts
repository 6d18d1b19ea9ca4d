import * as THREE from "three";
import { expect, test } from "vitest";

import { splitByRoom } from "../../src/scene/room_split";
import { isMesh } from "../../src/scene/nodes";
import type { Vec2 } from "../../src/world/units";

const west: Vec2[] = [[-4, -2], [0, -2], [0, 2], [-4, 2]];
const east: Vec2[] = [[0, -2], [4, -2], [4, 2], [0, 2]];

/** A floor of 8 m by 4 m over both rooms, in many small tiles. */
function floor(name: string): THREE.Group {
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(8, 4, 16, 8).rotateX(-Math.PI / 2));
  mesh.name = name;
  mesh.castShadow = true;
  const group = new THREE.Group();
  group.position.y = 0.5;
  group.add(mesh);
  return group;
}

function meshesOf(root: THREE.Object3D): THREE.Mesh[] {
  const meshes: THREE.Mesh[] = [];
  root.traverse((node) => {
    if (isMesh(node)) meshes.push(node);
  });
  return meshes;
}

test("A stage is cut into one mesh per room that keeps every triangle", () => {
  const stage = floor("floor");
  splitByRoom(stage, [west, east]);
  const [first, second] = meshesOf(stage);
  expect(meshesOf(stage)).toHaveLength(2);
  expect(first?.geometry.index?.count).toBe(16 * 8 * 6 * 0.5);
  expect(second?.geometry.index?.count).toBe(16 * 8 * 6 * 0.5);
  expect([first?.name, first?.castShadow]).toEqual(["floor", true]);
});

test("Each piece is bounded by its own corners, not by those that all share", () => {
  const stage = floor("floor");
  splitByRoom(stage, [west, east]);
  const boxes = meshesOf(stage).map(({ geometry }) => geometry.boundingBox);
  expect(boxes.map((box) => [box?.min.x, box?.max.x])).toEqual([[-4, 0], [0, 4]]);
  expect(meshesOf(stage)[0]?.geometry.boundingSphere?.center.x).toBeCloseTo(-2);
});

test("What is outside stays whole", () => {
  const stage = floor("outside");
  const [whole] = meshesOf(stage);
  splitByRoom(stage, [west, east]);
  expect(meshesOf(stage)).toEqual([whole]);
});
