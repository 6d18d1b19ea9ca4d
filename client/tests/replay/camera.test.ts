import { expect, test } from "vitest";

import { FlyingCamera, behind, eyesOf } from "../../src/replay/camera";
import type { Vec3 } from "../../src/world/units";

const POSE = { position: [1, 0, 2] as Vec3, yaw: Math.PI / 2, pitch: 0.1 };

test("over the shoulder is behind the body, and never behind a wall", () => {
  const { eye, yaw } = behind(POSE, null, () => true);
  // Turned to the left, the body looks along -x: behind it is +x.
  expect(eye[0]).toBeGreaterThan(2);
  expect(eye[1]).toBeGreaterThan(eyesOf(POSE, null).eye[1]);
  expect(yaw).toBe(POSE.yaw);
  const near = behind(POSE, null, (_, to) => to[0] < 1.8);
  expect(near.eye[0]).toBeLessThan(1.8);
  expect(near.eye[0]).toBeGreaterThan(1);
  expect(behind(POSE, null, () => false).eye).toEqual(eyesOf(POSE, null).eye);
});

test("a camera flies where it looks, and not through the floor", () => {
  const camera = new FlyingCamera();
  camera.start({ eye: [0, 1.5, 0], yaw: Math.PI / 2, pitch: 0 });
  camera.move(1, 0, 0, false, 1);
  expect(camera.now.eye[0]).toBeCloseTo(-2.5);
  camera.move(0, 1, 0, false, 1);
  expect(camera.now.eye[2]).toBeCloseTo(-2.5);
  camera.move(0, 0, -1, true, 10);
  expect(camera.now.eye[1]).toBe(0.2);
  camera.turn(0, 9);
  expect(camera.now.pitch).toBe(1.5);
});
