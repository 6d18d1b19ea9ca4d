// Corrections of the own body at a round trip of 100 ms, among bodies that block. The server is played by the same
// rule, tick for tick: it hears of a walk 50 ms late, and its word is 50 ms old.
// The figures of `meetings` are those of decision 14.
import { describe, expect, test } from "vitest";

import { clip, sinksIn } from "../../src/world/blocking";
import { Prediction } from "../../src/world/prediction";
import type { Vec2 } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";

const TICK_MS = 1000 / 30;
const FRAME_MS = 1000 / 60;
const ONE_WAY_MS = 50;
const SPEED = 1.5;
const LENGTH_MS = 1900;
const field = new Walkable([[[[-9, -9], [9, -9], [9, 9], [-9, 9]]]]);
/** A doorway of 0.48 m, from z = -0.5 to -1.5, between two rooms. */
const door = new Walkable([
  [[[-9, -0.5], [-0.24, -0.5], [-0.24, -1.5], [-9, -1.5], [-9, -9], [9, -9], [9, -1.5], [0.24, -1.5], [0.24, -0.5], [9, -0.5], [9, 9], [-9, 9]]],
]);

/** Another body: where it begins, and its velocity (m/s). */
interface Other {
  at: Vec2;
  velocity: Vec2;
}

interface Found {
  /** The most that the body was corrected by in one frame (m). */
  most: number;
  /** How far the predicted body is at most from where the server has it when it hears of the walk (m). */
  off: number;
}

/** Return where both bodies are at each tick: the own one walks toward -z from the time that the server hears of it. */
function served(walkable: Walkable, other: Other): { me: Vec2; other: Vec2 }[] {
  let me: Vec2 = [0, 0];
  let { at } = other;
  const ways = [];
  for (let tick = 0; tick * TICK_MS <= LENGTH_MS; tick++) {
    ways.push({ me, other: at });
    me = stepped(walkable, me, tick * TICK_MS < ONE_WAY_MS ? [0, 0] : [0, (-SPEED * TICK_MS) / 1000], at);
    at = stepped(walkable, at, [(other.velocity[0] * TICK_MS) / 1000, (other.velocity[1] * TICK_MS) / 1000], me);
  }
  return ways;
}

function stepped(walkable: Walkable, at: Vec2, step: Vec2, other: Vec2): Vec2 {
  if (step[0] === 0 && step[1] === 0) return at;
  const to = walkable.move(...at, ...clip(at, step, [other]));
  return sinksIn(at, to, [other]) ? at : to;
}

/** Predict the walk on a page that knows the other body as it was told, or does not know it. */
function predicted(walkable: Walkable, other: Other, knows: boolean): Found {
  const ways = served(walkable, other);
  const body = new Prediction(walkable);
  body.reset(walkable, [0, 0, 0], 0);
  const found = { most: 0, off: 0 };
  let heard = 0;
  for (let nowMs = FRAME_MS; nowMs < LENGTH_MS; nowMs += FRAME_MS) {
    const tick = Math.max(0, Math.floor((nowMs - ONE_WAY_MS) / TICK_MS));
    const told = ways[tick];
    if (!told) break;
    body.step(SPEED, 0, 0, FRAME_MS / 1000, nowMs, knows ? [told.other] : []);
    const before = body.position;
    body.confirm([told.me[0], 0, told.me[1]], 2 * ONE_WAY_MS, nowMs, tick !== heard);
    heard = tick;
    found.most = Math.max(found.most, Math.hypot(body.position[0] - before[0], body.position[2] - before[2]));
    const then = ways[Math.round((nowMs + ONE_WAY_MS) / TICK_MS)];
    if (!then) break;
    found.off = Math.max(found.off, Math.hypot(body.position[0] - then.me[0], body.position[2] - then.me[1]));
  }
  return found;
}

/** Whom the body meets, and what comes of it where the page knows the other, and where it does not: [most, off] in cm. */
const meetings: [string, Walkable, Other, [number, number], [number, number]][] = [
  ["nobody is met", field, { at: [5, 5], velocity: [0, 0] }, [0, 5], [0, 5]],
  ["one who stands", field, { at: [0, -1.5], velocity: [0, 0] }, [0, 5], [5, 77.5]],
  ["one who stands 0.2 m aside", field, { at: [0.2, -1.5], velocity: [0, 0] }, [0, 6.1], [2.2, 41.1]],
  ["one who comes", field, { at: [0, -3], velocity: [0, SPEED] }, [1.8, 10], [5, 77.4]],
  ["one who comes 0.2 m aside", field, { at: [0.2, -3], velocity: [0, SPEED] }, [1.3, 7.7], [1.8, 23.9]],
  ["one who crosses", field, { at: [-1.5, -1.5], velocity: [SPEED, 0] }, [2.6, 55], [3.6, 66.5]],
  ["one who stands in a doorway", door, { at: [0, -1.2], velocity: [0, 0] }, [0, 5], [5.3, 78.7]],
  ["one who comes in a doorway", door, { at: [0, -2.5], velocity: [0, SPEED] }, [1.9, 10], [5, 77.5]],
];

describe("at a round trip of 100 ms", () => {
  test.each(meetings)("%s", (_, walkable, other, known, unknown) => {
    for (const [knows, figures] of [[true, known], [false, unknown]] as const) {
      const { most, off } = predicted(walkable, other, knows);
      expect([most * 100, off * 100].map((cm) => Math.round(cm * 10) / 10)).toEqual(figures);
    }
  });
});
