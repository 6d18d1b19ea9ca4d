import { expect, test } from "vitest";

import type { PlayContext } from "../../src/play/context";
import { TutorialExamples } from "../../src/play/tutorial_example";
import type { Entity, World } from "../../src/world/world";

const KITCHEN = { label: "kitchen" };
const HALL = { label: "hall" };

function entity(index: number, label: string, x: number, holder = -1): Entity {
  const template = { low: [-0.1, 0, -0.1], high: [0.1, 0.2, 0.1] };
  return { index, label, holder, template, x } as unknown as Entity;
}

/** A kitchen left of the line x = 2, and a hall right of it. */
function house(entities: Entity[]): World {
  return {
    entities,
    rooms: [],
    pose: (of: Entity & { x: number }) => ({ position: [of.x, 0, 0], rotation: [0, 0, 0, 1] }),
    roomAt: (x: number) => (x < 2 ? KITCHEN : HALL),
  } as unknown as World;
}

function examples(x: number, onScreen = true, hidden = { times: 0 }): TutorialExamples {
  const game = {
    body: { position: [x, 0, 0], yaw: 0 },
    hud: { example: { hide: () => (hidden.times += 1) } },
    scenery: { project: () => ({ onScreen, ahead: false, x: 0, y: 0 }) },
  };
  return new TutorialExamples(game as unknown as PlayContext);
}

test("the example is the nearest in one's own room, and stays the same until it suits no more", () => {
  const far = entity(0, "cup", 0);
  const near = entity(1, "plate", 2.5);
  const world = house([far, near]);
  const of = examples(1.9);
  expect(of.find("thing", world, () => true)).toBe(far);
  const nearer = entity(2, "bowl", 1.8);
  world.entities.push(nearer);
  expect(of.find("thing", world, () => true)).toBe(far);
  far.holder = 1;
  expect(of.find("thing", world, () => true)).toBe(nearer);
});

test("what the player has chosen is the example, and what suits best comes before what is near", () => {
  const near = entity(0, "lamp", 1);
  const small = entity(1, "cup", 1.5);
  const world = house([near, small]);
  const of = examples(1);
  expect(of.find("thing", world, () => true, ({ label }) => label === "cup")).toBe(small);
  // Nothing suits best any more, and yet it stays.
  expect(of.find("thing", world, () => true, () => false)).toBe(small);
  of.choose("thing", near);
  expect(of.find("thing", world, () => true)).toBe(near);
});

test("what nobody could take is no example", () => {
  expect(examples(1).find("thing", house([entity(0, "cup", 0, 1)]), () => true)).toBeNull();
  expect(examples(1).find("thing", house([entity(0, "cup", 0)]), () => false)).toBeNull();
});

test("an example in another room is named with the room", () => {
  const cup = entity(0, "cup", 3);
  expect(examples(1).nameOf(house([cup]), cup)).toBe("cup in the hall");
  expect(examples(3).nameOf(house([cup]), cup)).toBe("cup");
  const stand = entity(0, "hall stand", 3);
  expect(examples(1).nameOf(house([stand]), stand)).toBe("hall stand");
});

test("a press means what is marked, and nothing once the step is over", () => {
  const cup = entity(0, "cup", 0);
  const world = house([cup]);
  const hidden = { times: 0 };
  const of = examples(1, true, hidden);
  expect(of.marked(world)).toBeNull();
  of.point(world, cup);
  expect(of.marked(world)).toMatchObject({ entity: cup, isInView: true });
  of.clear();
  expect(of.marked(world)).toBeNull();
  expect(hidden.times).toBe(1);
});

test("one is told where to turn while it is out of view", () => {
  const cup = entity(0, "cup", 0);
  const of = examples(1, false);
  of.point(house([cup]), cup);
  expect(of.direction(house([cup]))).toMatch(/left|right|behind/);
  const seen = examples(1, true);
  seen.point(house([cup]), cup);
  expect(seen.direction(house([cup]))).toBe("");
});
