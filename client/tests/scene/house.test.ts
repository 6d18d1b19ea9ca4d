import * as THREE from "three";
import { beforeEach, describe, expect, test } from "vitest";

import type { Assets } from "../../src/scene/assets";
import { HumanBody } from "../../src/scene/bodies/human";
import { RobotBody } from "../../src/scene/bodies/robot";
import { House } from "../../src/scene/house";
import { Palette } from "../../src/scene/palette";
import { MOST_OF_A_KIND, lookOf } from "../../src/world/seat_looks";
import type { SeatLook } from "../../src/world/seat_looks";
import { Picker } from "../../src/scene/picker";
import type { Template, World } from "../../src/world/world";
import { frame, world } from "../fixtures";

function box(low: readonly number[], high: readonly number[]): THREE.Mesh {
  const size = [0, 1, 2].map((i) => (high[i] ?? 0) - (low[i] ?? 0)) as [number, number, number];
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size));
  mesh.geometry.translate(...([0, 1, 2].map((i) => ((high[i] ?? 0) + (low[i] ?? 0)) / 2) as [number, number, number]));
  return mesh;
}

/** Models as the catalogue has them: a body, parts, nodes for states. */
function model(template: Template): THREE.Object3D {
  const root = new THREE.Group();
  if (template.parts.length === 0) {
    root.add(box(template.low, template.high));
    for (const name of ["state_dirty", "state_filled"]) {
      const node = new THREE.Group();
      node.name = name;
      root.add(node);
    }
    return root;
  }
  root.add(box(template.low, [template.high[0], template.high[1], 0.2]));
  template.parts.forEach((_, i) => {
    const part = new THREE.Group();
    part.name = `part_${i}`;
    part.add(box([-0.4 + 0.4 * i, 0, 0.2], [0.4 * i, 0.9, 0.3]));
    root.add(part);
  });
  return root;
}

const stub = {
  stage: () => {
    const floor = box([-2, -0.1, -2], [2, 0, 2]);
    const group = new THREE.Group();
    group.add(floor);
    return group;
  },
  isLoaded: () => true,
  instance: model,
} as unknown as Assets;

let seen: World;
let house: House;

beforeEach(() => {
  seen = world({ parts: [] });
  house = new House(seen, stub, new Palette());
});

function settle(seconds = 1): void {
  for (let t = 0; t < seconds; t += 0.05) house.update(seen.agents, null, 0.05);
  house.group.updateMatrixWorld(true);
}

function look(from: [number, number, number], to: [number, number, number]): ReturnType<Picker["point"]> {
  house.group.updateMatrixWorld(true);
  const camera = new THREE.PerspectiveCamera(60, 1, 0.05, 50);
  camera.position.set(...from);
  camera.lookAt(...to);
  camera.updateMatrixWorld();
  return new Picker(house).point(camera, 0, 0, 1000, 1000);
}

describe("pointing", () => {
  test("tells parts of furniture apart", () => {
    // The cabinet stands at x = -1, turned so that its front faces +X.
    expect(look([1, 0.5, 0.2], [-0.8, 0.5, 0.2])).toMatchObject({ entity: 1, part: 0 });
    expect(look([0.5, 0.5, -0.2], [-0.8, 0.5, -0.2])).toMatchObject({ entity: 1, part: 1 });
  });

  test("finds floors, and things before the furniture behind them", () => {
    expect(look([0, 1.6, 1.5], [0, 0, 1.6])).toMatchObject({ entity: -1, part: -1 });
    expect(look([0, 1.2, 0], [1, 0.8, 0])?.entity).toBe(2);
    // A little beside a small thing still means it.
    expect(look([0, 1.2, 0], [1, 0.8, 0.055])?.entity).toBe(2);
  });

  test("goes through what is carried", () => {
    seen.apply(frame({ tick: 101, holders: [{ index: 2, seat: 0 }] }));
    expect(look([0, 1.2, 0], [1, 0.75, 0])?.entity).toBe(0);
  });
});

describe("things", () => {
  test("show their states", () => {
    const node = (name: string): boolean | undefined => house.views.get(2)?.root.getObjectByName(name)?.visible;
    expect([node("state_dirty"), node("state_filled")]).toEqual([false, false]);
    house.apply(seen.apply(frame({ tick: 101, flags: [{ index: 2, state: "is_clean", value: false }, { index: 2, state: "is_filled", value: true }] })));
    expect([node("state_dirty"), node("state_filled")]).toEqual([true, true]);
  });

  test("open and close over a while", () => {
    const drawer = house.views.get(1)?.root.getObjectByName("part_0");
    const door = house.views.get(1)?.root.getObjectByName("part_1");
    house.apply(seen.apply(frame({ tick: 101, parts: [{ furniture: 1, part: 0, value: 400 }, { furniture: 1, part: 1, value: -1800 }] })));
    house.update(seen.agents, null, 0.1);
    expect(drawer?.position.z).toBeGreaterThan(0);
    expect(drawer?.position.z).toBeLessThan(0.39);
    settle();
    expect(drawer?.position.z).toBeCloseTo(0.4, 9);
    // The hinge itself stays where it is.
    const hinge = new THREE.Vector3(-0.4, 0, 0.3);
    door?.updateMatrix();
    expect(hinge.clone().applyMatrix4(door?.matrix ?? new THREE.Matrix4()).distanceTo(hinge)).toBeLessThan(1e-9);
    expect(house.busy).toBe(false);
  });

  test("are carried, and put down where the server says", () => {
    const cup = house.views.get(2)?.root;
    house.apply(seen.apply(frame({ tick: 101, holders: [{ index: 2, seat: 0 }] })));
    settle();
    expect(cup?.position.toArray()[1]).toBeCloseTo(0.82, 6);
    house.apply(seen.apply(frame({ tick: 140, holders: [{ index: 2, seat: -1 }], objects: [{ index: 2, position: [300, 0, 400], rotation: [0, 0, 0] }] })));
    settle();
    expect(cup?.position.toArray()).toEqual([0.3, 0, 0.4]);
  });

  test("leave nothing behind when they vanish, ten times over", () => {
    const before = house.things.children.length;
    for (let i = 0; i < 10; i++) {
      house.apply(seen.apply(frame({ tick: 101 + 2 * i, vanished: [2] })));
      expect(house.things.children.length).toBe(before - 1);
      const entity = { template: 2, instance: 3, number: 2, room: -1, position: [0, 0, 0] as [number, number, number], rotation: [0, 0, 0] as [number, number, number], label: "" };
      house.apply(seen.apply(frame({ tick: 102 + 2 * i, appeared: [{ index: 2, entity }] })));
    }
    expect(house.things.children.length).toBe(before);
  });
});

/** Return the corners of the body's mesh where its bones have brought them. */
function cornersOf(root: THREE.Object3D): THREE.Vector3[] {
  root.updateMatrixWorld(true);
  const mesh = root.children.find((node): node is THREE.SkinnedMesh => node instanceof THREE.SkinnedMesh);
  if (!mesh) throw new Error("the body is no single mesh");
  const { count } = mesh.geometry.getAttribute("position");
  return Array.from({ length: count }, (_, i) => mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
}

describe("bodies", () => {
  const motion = { speed: 1.5, pitch: 0, carrying: true, headYaw: 0, dt: 0.1 };

  test("of seats that nobody occupies are not drawn", () => {
    expect(house.bodies.map((body) => body !== null)).toEqual([true, true]);
    house.apply(seen.apply(frame({ tick: 101, seats: [{ seat: 0, presence: "empty", finished: false, secondsLeft: -1, doing: "" }] })));
    expect(house.bodies.map((body) => body !== null)).toEqual([false, true]);
  });

  test.each([
    ["human", new HumanBody([0.16, 1.08, -0.45], lookOf("human", 0, false), new Palette()), 1.75],
    ["robot", new RobotBody([0, 0.82, -0.62], lookOf("robot", 1, true), new Palette()), 0.85],
  ])("a %s stands on the floor, is as tall as it should be and walks without coming apart", (_kind, body, height) => {
    for (let i = 0; i < 40; i++) body.animate({ ...motion, walked: 0.05 });
    body.root.updateMatrixWorld(true);
    const bounds = new THREE.Box3().setFromObject(body.root);
    expect(bounds.min.y).toBeGreaterThan(-0.08);
    expect(bounds.min.y).toBeLessThan(0.12);
    expect(bounds.max.y).toBeGreaterThan(height - 0.15);
    expect(bounds.max.y).toBeLessThan(height + 0.2);
    expect(bounds.getSize(new THREE.Vector3()).z).toBeLessThan(1.6);
  });

  test("reach for what they carry, in front of them", () => {
    const body = new HumanBody([0.16, 1.08, -0.45], lookOf("human", 0, false), new Palette());
    for (let i = 0; i < 40; i++) body.animate({ ...motion, speed: 0, walked: 0 });
    body.root.updateMatrixWorld(true);
    const hand = new THREE.Vector3(0.16, 1.08, -0.45);
    const nearest = Math.min(...cornersOf(body.root).map((corner) => corner.distanceTo(hand)));
    expect(nearest).toBeLessThan(0.12);
  });

  test.each([
    ["human", (look: SeatLook) => new HumanBody([0.16, 1.08, -0.45], look, new Palette())],
    ["robot", (look: SeatLook) => new RobotBody([0, 0.82, -0.62], look, new Palette())],
  ] as const)("a %s is one mesh, light enough, and the number on it is one of its kind", (kind, make) => {
    const sizes = Array.from({ length: MOST_OF_A_KIND }, (_, i) => cornersOf(make(lookOf(kind, i, true)).root).length);
    expect(Math.max(...sizes)).toBeLessThan(3000);
    const { root } = make(lookOf(kind, 0, false));
    let meshes = 0;
    root.traverse((node) => (meshes += node instanceof THREE.Mesh ? 1 : 0));
    expect(meshes).toBe(1);
    // The strokes of a number stand out of the body: without them there is less of it.
    expect(Math.min(...sizes)).toBeGreaterThan(cornersOf(root).length);
  });
});
