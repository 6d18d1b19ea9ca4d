import { expect, test } from "vitest";

import { fitsInside, fitsWhatOpens, partBehind, whyNotInside } from "../../src/world/fits";
import type { Entity } from "../../src/world/world";

const sized = (width: number, height: number, depth: number): Entity =>
  ({ template: { low: [-width / 2, 0, -depth / 2], high: [width / 2, height, depth / 2], parts: [] } }) as unknown as Entity;
const chest = { template: { parts: [{ space: [0.7, 0.14, 0.36] }, { space: [0, 0, 0] }] } } as unknown as Entity;

test("a thing fits where it is not too tall, turned if need be", () => {
  expect(fitsInside(sized(0.1, 0.12, 0.1), chest)).toBe(true);
  expect(fitsInside(sized(0.1, 0.2, 0.1), chest)).toBe(false);
  expect(fitsInside(sized(0.3, 0.1, 0.6), chest)).toBe(true);
  expect(fitsInside(sized(0.5, 0.1, 0.6), chest)).toBe(false);
});

test("furniture takes a thing by the part that stands open, else by each of its parts", () => {
  const parts = [{ space: [0.7, 0.4, 0.4] }, { space: [0.7, 0.1, 0.4] }];
  const dresser = (...open: number[]): Entity => ({ template: { parts }, parts: open }) as unknown as Entity;
  const frame = sized(0.2, 0.3, 0.05);
  expect(fitsWhatOpens(frame, dresser(1, 0))).toBe(true);
  expect(fitsWhatOpens(frame, dresser(0, 1))).toBe(false);
  expect(fitsWhatOpens(frame, dresser(0, 0))).toBe(false);
  expect(fitsWhatOpens(sized(0.2, 0.05, 0.2), dresser(0, 0))).toBe(true);
});

test("of a pair of doors the one with the room opens, and of furniture a part that takes the thing", () => {
  const cup = sized(0.1, 0.12, 0.1);
  const pair = { ...chest, parts: [0, 0] };
  expect(partBehind(cup, pair, 0)).toBe(0);
  expect(partBehind(cup, pair, 1)).toBe(0);
  const parts = [{ space: [0.7, 0.1, 0.4] }, { space: [0.7, 0.4, 0.4] }, { space: [0.7, 0.4, 0.4] }];
  const dresser = (...open: number[]): Entity => ({ template: { parts }, parts: open }) as unknown as Entity;
  expect(partBehind(cup, dresser(0, 0, 0), -1)).toBe(1);
  expect(partBehind(cup, dresser(0, 0, 1), -1)).toBe(2);
  // Who names a part means it.
  expect(partBehind(cup, dresser(0, 0, 0), 0)).toBe(0);
  const table = { template: { parts: [] }, parts: [] } as unknown as Entity;
  expect(partBehind(cup, table, -1)).toBe(-1);
});

test("why a thing goes nowhere is known before anything is opened, and says whether another part would take it", () => {
  const parts = [{ space: [0.7, 0.1, 0.4] }, { space: [0.7, 0.4, 0.4] }, { space: [0, 0, 0] }];
  const dresser = (...open: number[]): Entity => ({ label: "dresser", template: { parts }, parts: open }) as unknown as Entity;
  const called = (label: string, thing: Entity): Entity => ({ ...thing, label });
  const cup = called("cup", sized(0.1, 0.12, 0.1));
  const lamp = called("lamp", sized(0.3, 0.6, 0.3));
  expect(whyNotInside(cup, dresser(0, 0, 0), -1)).toBe("");
  expect(whyNotInside(cup, dresser(0, 0, 0), 2)).toBe("");
  expect(whyNotInside(cup, dresser(0, 0, 0), 0)).toBe("The cup is too large for that part of the dresser");
  expect(whyNotInside(lamp, dresser(0, 0, 0), -1)).toBe("The lamp is too large for the dresser");
  expect(whyNotInside(lamp, dresser(0, 1, 0), 1)).toBe("The lamp is too large for the dresser");
  // What stands open is judged where it would stand, and may jut out.
  expect(whyNotInside(called("tray", sized(0.69, 0.1, 0.5)), dresser(1, 0, 0), 0)).toBe("");
  expect(whyNotInside(called("tray", sized(0.69, 0.1, 0.5)), dresser(0, 0, 0), 0)).toBe("The tray is too large for the dresser");
  const fixed = { ...dresser(0), template: { parts: [{ space: [0, 0, 0] }] } } as unknown as Entity;
  expect(whyNotInside(cup, fixed, -1)).toBe("Nothing can be put into the dresser");
});
