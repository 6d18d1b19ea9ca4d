import { expect, test } from "vitest";

import { fitsInside, fitsWhatOpens, partBehind } from "../../src/world/fits";
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
