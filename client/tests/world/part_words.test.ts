import { expect, test } from "vitest";

import { partWords } from "../../src/world/part_words";

const drawer = (name: string, x: number, y: number) => ({ name, x, y });

test("drawers above each other are told apart by height", () => {
  const chest = [drawer("drawer_1", 0, 0.2), drawer("drawer_2", 0, 0.5), drawer("drawer_3", 0, 0.8)];
  expect(chest.map((_, i) => partWords(chest, i))).toEqual(["bottom drawer", "middle drawer", "top drawer"]);
});

test("left and right are those of somebody who stands before it", () => {
  const doors = [drawer("door_left", -0.5, 0.1), drawer("door_right", 0.5, 0.1)];
  expect(doors.map((_, i) => partWords(doors, i))).toEqual(["right door", "left door"]);
});

test("a grid of drawers is named by both", () => {
  const grid = [drawer("drawer_1", 0.4, 0.5), drawer("drawer_2", -0.4, 0.5), drawer("drawer_3", 0.4, 0.1), drawer("drawer_4", -0.4, 0.1)];
  expect(grid.map((_, i) => partWords(grid, i))).toEqual(["upper left drawer", "upper right drawer", "lower left drawer", "lower right drawer"]);
});

test("kinds are told apart, and a single part needs no name", () => {
  const fridge = [drawer("freezer_door", -0.3, 0.06), drawer("door", -0.3, 0.7)];
  expect(fridge.map((_, i) => partWords(fridge, i))).toEqual(["freezer door", "door"]);
  expect(partWords([drawer("door", 0, 0)], 0)).toBe("");
  expect(partWords(fridge, 5)).toBe("");
});
