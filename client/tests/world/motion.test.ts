import { describe, expect, test } from "vitest";

import { steer, velocity } from "../../src/input/walk";
import { TickClock, Track } from "../../src/session/tracks";
import { Prediction } from "../../src/world/prediction";
import { aim, fromBody, quaternion, ringPoints, wrapAngle } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

const ROOM = new Walkable([
  [
    [
      [-5, -5],
      [5, -5],
      [5, 5],
      [-5, 5],
    ],
  ],
]);

describe("units", () => {
  test("rings are differences in mm", () => {
    expect(ringPoints([1000, 2000, 500, 0, 0, -500])).toEqual([
      [1, 2],
      [1.5, 2],
      [1.5, 1.5],
    ]);
  });

  test("rotation vectors", () => {
    expect(quaternion([0, 0, 0])).toEqual([0, 0, 0, 1]);
    const [, y, , w] = quaternion([0, 3141, 0]);
    expect(y).toBeCloseTo(1, 4);
    expect(w).toBeCloseTo(0, 3);
  });

  test("angles are brought into half a turn either way", () => {
    expect(wrapAngle(3 * Math.PI)).toBeCloseTo(Math.PI, 9);
    expect(wrapAngle(-3.5)).toBeCloseTo(2 * Math.PI - 3.5, 9);
  });

  test("yaw 0 faces -Z and grows to the left", () => {
    expect(aim([0, 0, 0], [0, 0, -1]).yaw).toBeCloseTo(0, 9);
    expect(aim([0, 0, 0], [-1, 0, 0]).yaw).toBeCloseTo(Math.PI / 2, 9);
    expect(aim([0, 0, 0], [0, 1, -1]).pitch).toBeCloseTo(Math.PI / 4, 9);
    const [x, , z] = fromBody([1, 0, 1], Math.PI / 2, [0, 0, -1]);
    expect(x).toBeCloseTo(0, 9);
    expect(z).toBeCloseTo(1, 9);
  });
});

describe("wishes", () => {
  test("diagonals are no faster, Shift is slower", () => {
    const { forward, strafe } = velocity(1, 1, false, 1.5);
    expect(Math.hypot(forward, strafe)).toBeCloseTo(1.5, 9);
    expect(velocity(0, 1, true, 1.5).forward).toBeLessThan(0.8);
    expect(velocity(0.05, 0.05, false, 1.5)).toEqual({ forward: 0, strafe: 0 });
  });

  test("a walk to a point ends on it", () => {
    const at = { x: 0, z: 0, yaw: 2 };
    for (let i = 0; i < 600; i++) {
      const way = steer([at.x, at.z], at.yaw, [2, -1], 1.5);
      if (!way) break;
      at.yaw = way.yaw;
      const { forward, strafe } = way.velocity;
      at.x += (strafe * Math.cos(at.yaw) - forward * Math.sin(at.yaw)) / 30;
      at.z += (-forward * Math.cos(at.yaw) - strafe * Math.sin(at.yaw)) / 30;
    }
    expect(Math.hypot(at.x - 2, at.z + 1)).toBeLessThan(0.03);
  });
});

describe("the own body", () => {
  const still = (x: number): [number, number, number] => [x, 0, 0];

  test("walks at once and is not pulled back by the server's older word", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    const served: number[] = [];
    for (let i = 1; i <= 60; i++) {
      body.step(0, 1.5, 0, 1 / 60, i * (1000 / 60));
      served.push((i / 60) * 1.5);
      // A round trip of 100 ms: the server's word is six frames old.
      if (i % 2 === 0 && i > 6) body.confirm(still(served[i - 7] ?? 0), 100, i * (1000 / 60));
    }
    expect(body.position[0]).toBeCloseTo(1.5, 2);
  });

  test("comes to where the server stands", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    for (let i = 1; i <= 30; i++) body.step(0, 1.5, 0, 1 / 60, i * 17);
    for (let i = 31; i <= 120; i++) {
      body.step(0, 0, 0, 1 / 60, i * 17);
      body.confirm(still(0.6), 50, i * 17, false);
    }
    expect(body.position[0]).toBeCloseTo(0.6, 9);
    expect(body.eyePoint[0]).toBeCloseTo(0.6, 2);
  });

  test("a correction is shown smoothly", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(0), 0);
    body.step(0, 0, 0, 1 / 60, 1000);
    body.confirm(still(0.5), 50, 1000);
    expect(body.position[0]).toBeCloseTo(0.5, 9);
    expect(body.eyePoint[0]).toBeCloseTo(0, 9);
    body.step(0, 0, 0, 0.3, 1300);
    expect(body.eyePoint[0]).toBeGreaterThan(0.4);
  });

  test("stops at walls", () => {
    const body = new Prediction(ROOM);
    body.reset(ROOM, still(4.9), 0);
    for (let i = 1; i <= 30; i++) body.step(0, 1.5, 0, 1 / 30, i * 33);
    expect(body.position[0]).toBeLessThan(5);
  });
});

describe("others", () => {
  const at = (x: number, yaw = 0): { position: [number, number, number]; yaw: number; pitch: number } => ({
    position: [x, 0, 0],
    yaw,
    pitch: 0,
  });

  test("are drawn between two poses", () => {
    const track = new Track();
    track.reset(10, at(0, 3.1));
    track.push(12, at(0.1, -3.1));
    expect(track.at(11)?.position[0]).toBeCloseTo(0.05, 9);
    // The short way round.
    expect(Math.abs(track.at(11)?.yaw ?? 0)).toBeCloseTo(Math.PI, 1);
    expect(track.at(99)?.position[0]).toBeCloseTo(0.1, 9);
  });

  test("stand until they start to walk", () => {
    const track = new Track();
    track.reset(0, at(0));
    track.push(100, at(0.05));
    expect(track.at(60)?.position[0]).toBe(0);
    expect(track.at(100)?.position[0]).toBeCloseTo(0.05, 9);
  });

  test("do not glide through the house when they are put somewhere else", () => {
    const track = new Track();
    track.reset(0, at(0));
    track.push(2, at(4));
    expect(track.at(1)?.position[0]).toBe(4);
  });

  test("with 100 ms of jitter no step is longer than 5 cm at 1 m/s", () => {
    const ticks = new TickClock(30);
    const track = new Track();
    track.reset(0, at(0));
    let random = 7;
    const jitter = (): number => ((random = (random * 16807) % 2147483647) / 2147483647) * 100;
    const arrivals = Array.from({ length: 300 }, (_, tick) => ({ tick, ms: (tick * 1000) / 30 + jitter() }));
    // In order, as a websocket delivers.
    for (let i = 1; i < arrivals.length; i++) {
      const [a, b] = [arrivals[i - 1], arrivals[i]];
      if (a && b) b.ms = Math.max(a.ms, b.ms);
    }
    let next = 0;
    let before: number | null = null;
    let longest = 0;
    for (let ms = 0; ms < 9000; ms += 1000 / 60) {
      while ((arrivals[next]?.ms ?? Infinity) <= ms) {
        const { tick } = arrivals[next++] as { tick: number };
        ticks.heard(tick, ms);
        track.push(tick, at(tick / 30));
      }
      const x = track.at(ticks.drawnTick(ms))?.position[0] ?? 0;
      if (before !== null && ms > 2000) longest = Math.max(longest, Math.abs(x - before));
      before = x;
    }
    expect(longest).toBeLessThan(0.05);
    expect(before).toBeGreaterThan(8.3);
  });
});
