import { expect, test } from "vitest";

import { DEFAULT_BINDINGS } from "../../src/input/bindings";
import { hintsFor, roleText } from "../../src/play/guidance";
import type { Moment } from "../../src/play/guidance";
import { World } from "../../src/world/world";
import { snapshot, teamOfFive, world } from "../fixtures";

const NOW: Moment = {
  bindings: DEFAULT_BINDINGS,
  touch: false,
  hasMoved: true,
  aiming: false,
  holding: false,
  hovered: null,
  selectionOpens: false,
  isSelected: false,
  keyed: [],
  canWalkThere: false,
};
const said = (part: Partial<Moment>): string[] => hintsFor({ ...NOW, ...part }).map(({ keys, text }) => `${keys.join(" ")}: ${text}`);

test("who one is, and what one's body can do", () => {
  expect(roleText(world())).toBe("You are the person: you carry, open, wash, fill and switch.");
  const robot = new World(snapshot(), 0);
  expect(roleText(robot)).toBe("You are the robot: you carry and open; ask your partner to wash, fill or switch.");
  robot.seats[1]!.presence = "gone";
  expect(roleText(robot)).toBe("You are the robot: you carry and open; a robot cannot wash, fill or switch.");
  expect(roleText(teamOfFive())).toMatch(/^You are (the person|Person \d)/);
  const five = teamOfFive();
  five.me = 0;
  expect(roleText(five)).toBe("You are Robot 1: you carry and open; ask Person 1 or Person 2 to wash, fill or switch.");
});

test("who has not moved is told how to", () => {
  expect(said({ hasMoved: false })).toEqual(["W A S D: walk", "Drag: look around", "Click: on the floor: walk there"]);
  expect(hintsFor({ ...NOW, touch: true, hasMoved: false })[0]?.keys).toEqual(["Left thumb"]);
});

test("with a selection, what keys do to something else is told at the pointer and not among the hints", () => {
  const keyed = [{ keys: ["E"], text: "pick up the cup" }];
  expect(said({ hovered: "object", keyed })).toContain("E: pick up the cup");
  expect(said({ hovered: "object", keyed, isSelected: true, canWalkThere: true })).toEqual(["N: walk there"]);
});

test("the keys follow what is under the pointer and in the hand", () => {
  const keyed = [{ keys: ["F"], text: "open the top drawer" }];
  expect(said({ hovered: "openable", keyed })).toEqual(["F: open the top drawer", "Click: it to see what you can do with it"]);
  expect(said({ holding: true, hovered: "openable" })[0]).toBe("B: put inside");
  // With a cabinet selected its panel has the key, and what the pointer rests on is not meant.
  expect(said({ holding: true, hovered: "openable", isSelected: true, selectionOpens: true })).not.toContain("B: put inside");
  // The panel of the hand has the key that puts down.
  expect(said({ holding: true })).toEqual(["Space: hold to aim"]);
  expect(said({ canWalkThere: true })).toEqual(["N: walk there"]);
  expect(said({ aiming: true, holding: true })[0]).toBe("Wheel: turns it");
});
