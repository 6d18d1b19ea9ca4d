import { expect, test } from "vitest";

import { Playback, SPEEDS } from "../../src/replay/playback";

test("time passes as fast as is asked, and stops at the end", () => {
  const playback = new Playback(10, 100, 100, 30);
  playback.advance(1000);
  expect(playback.tick).toBe(10);
  playback.toggle();
  playback.advance(1000);
  expect(playback.tick).toBe(40);
  playback.faster(1);
  expect(playback.speed).toBe(2);
  playback.advance(500);
  expect(playback.tick).toBe(70);
  playback.advance(60_000);
  expect(playback.tick).toBe(100);
  expect(playback.playing).toBe(false);
  playback.toggle();
  expect(playback.tick).toBe(10);
});

test("one goes as far as the film goes, and no faster than the fastest", () => {
  const playback = new Playback(10, 100, 100, 30);
  playback.seek(-5);
  expect(playback.tick).toBe(10);
  playback.seekBy(1e6);
  expect(playback.tick).toBe(100);
  playback.faster(99);
  expect(playback.speed).toBe(SPEEDS[SPEEDS.length - 1]);
  playback.faster(-99);
  expect(playback.speed).toBe(0.25);
  playback.setSpeed(3);
  expect(playback.speed).toBe(0.25);
});

test("play stops where the task was over, and goes on from there only for who has gone beyond", () => {
  const playback = new Playback(10, 100, 200, 30);
  playback.toggle();
  playback.advance(60_000);
  expect(playback.tick).toBe(100);
  expect(playback.playing).toBe(false);
  playback.toggle();
  expect(playback.tick).toBe(10);
  playback.seek(130);
  playback.advance(1000);
  expect(playback.tick).toBe(160);
  playback.advance(60_000);
  expect(playback.tick).toBe(200);
});
