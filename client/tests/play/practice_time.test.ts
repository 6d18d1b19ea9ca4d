import { expect, test } from "vitest";

import type { PlayerActions } from "../../src/play/actions";
import type { PlayContext } from "../../src/play/context";
import { Panels } from "../../src/play/panels";
import type { World } from "../../src/world/world";

/** A house in which an attempt of 15 minutes has run for one minute, at 30 ticks a second. */
const WORLD = { phase: "ended", clockTick: 0, tick: 1800, startedTick: 0, timeLimitTicks: 27000, finishing: false, features: new Set(["timer"]) } as unknown as World;

function shown(limitS: number | null, afterS: number, onOver = (): void => undefined): string {
  let text = "";
  const task = { setTime: (time: string, urgent: boolean) => (text = urgent ? `${time}!` : time), setReady: () => undefined, setNote: () => undefined };
  const panels = new Panels({ hud: { task } } as unknown as PlayContext, {} as PlayerActions);
  if (limitS !== null) panels.limitPractice(limitS, 5000, onOver);
  panels.showTime(WORLD, 1800, 30, 5000 + afterS * 1000);
  panels.showTime(WORLD, 1800, 30, 5000 + afterS * 1000);
  return text;
}

test("a study's practice shows how long is left of it, and no more once it is over", () => {
  expect(shown(null, 0)).toBe("14:00 left");
  expect(shown(300, 0)).toBe("5:00 left");
  expect(shown(300, 295)).toBe("0:05 left!");
  expect(shown(300, 400)).toBe("0:00 left!");
});

test("a study's practice is left once when its time is over, not a moment before", () => {
  let left = 0;
  shown(300, 300, () => left++);
  expect(left).toBe(0);
  shown(300, 302, () => left++);
  expect(left).toBe(1);
});

test("nobody is told that there is no hurry while a study's practice has its time", () => {
  const notes: string[] = [];
  const world = { ...WORLD, phase: "running", clockTick: -1, others: [], terms: { clockWaitS: 60 } } as unknown as World;
  const task = { setTime: () => undefined, setReady: (note: string) => notes.push(note), setNote: () => undefined };
  const panels = new Panels({ hud: { task } } as unknown as PlayContext, {} as PlayerActions);
  panels.showTime(world, 1800, 30, 5000);
  panels.limitPractice(300, 5000, () => undefined);
  panels.showTime(world, 1800, 30, 5000);
  expect(notes).toEqual(["No hurry: the clock starts when you walk or write.", ""]);
});
