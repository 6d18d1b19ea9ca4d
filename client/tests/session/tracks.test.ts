import { describe, expect, test } from "vitest";

import { TickClock } from "../../src/session/clock";
import { Track } from "../../src/session/tracks";

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
