import { expect, test } from "vitest";

import type { PlayContext } from "../../src/play/context";
import { PutPlaces } from "../../src/play/put_place";
import type { Vec3 } from "../../src/world/units";
import { world } from "../fixtures";

const TABLE = 0;
const CABINET = 1;
const CUP = 2;
const AT = { x: 400, y: 300 };
/** What the pointer shows: a couch that stands nearer than what is selected. */
const POINTED = { entity: 7, point: { x: 0.5, y: 0.4, z: 0 }, normal: { x: 0, y: 1, z: 0 } };

/** A player between a table and a cabinet, with one of them selected. */
function places(selected = TABLE, surfaces: Vec3[] = [[1, 0.75, 0], [1, 0.75, 0.4], [1, 0.75, -0.4]], front: object | null = null, aiming = false): PutPlaces {
  const game = {
    world: world(front ? { holders: [{ index: 2, seat: 1 }] } : {}),
    body: { position: [0, 0, 0] },
    selection: { selected: { entity: selected, part: -1, actions: null } },
    scenery: { pick: () => front, pickSurface: () => POINTED, surfacesBelow: () => surfaces },
    placement: { active: aiming },
  };
  return new PutPlaces(game as unknown as PlayContext);
}

test("what was selected wins over a pointer that rests, also when the view has turned under it", () => {
  const put = places();
  put.selected(TABLE, AT, null);
  put.pointed({ x: AT.x + 3, y: AT.y });
  expect(put.choose(AT)).toMatchObject({ entity: TABLE, where: "on the table" });
});

test("the pointer counts again when it moves, or the view is turned by hand", () => {
  const put = places();
  put.selected(TABLE, AT, null);
  put.pointed({ x: AT.x + 40, y: AT.y });
  expect(put.choose(AT)).toMatchObject({ entity: 7, where: "" });
  put.selected(TABLE, AT, null);
  for (let i = 0; i < 4; i++) put.turned(5);
  expect(put.choose(AT)?.entity).toBe(7);
});

test("a pointer on a panel points at nothing: its button puts down on what is selected", () => {
  const put = places();
  put.pointed(null);
  expect(put.choose(AT)?.entity).toBe(TABLE);
  put.pointed(AT);
  expect(put.choose(AT)?.entity).toBe(7);
});

test("of a thing's places the one that was pointed at is meant, but not on top of something else", () => {
  const put = places();
  put.selected(TABLE, AT, [1, 0.75, -0.35]);
  expect(put.choose(AT)?.point).toEqual({ x: 1, y: 0.75, z: -0.35 });
  // A cup stands here.
  put.selected(TABLE, AT, [1, 0.75, 0.05]);
  expect(put.choose(AT)?.point.z).not.toBe(0.05);
});

/** The cabinet's shut door (part 1) and its open drawer (part 0), under the pointer. */
const DOOR = { entity: CABINET, part: 1, point: { x: -0.7, y: 0.4, z: 0 } };
const DRAWER = { ...DOOR, part: 0 };
const INTO = { entity: CABINET, behind: 1, where: "in the cabinet" };

test("a shut front under the pointer means inside, for whoever aims also where the same furniture is selected", () => {
  expect(places(-1, [], DOOR).choose(AT)).toMatchObject(INTO);
  const aims = places(CABINET, [[-1, 0.9, 0]], DOOR, true);
  aims.selected(CABINET, AT, null);
  expect(aims.choose(AT)).toMatchObject(INTO);
  // The button names the place where it puts down.
  const buttons = places(CABINET, [[-1, 0.9, 0]], DOOR);
  buttons.selected(CABINET, AT, null);
  expect(buttons.choose(AT)).toMatchObject({ behind: -1, where: "on the cabinet" });
});

test("a place that is out of reach is told to be so before the button is pressed", () => {
  expect(places(-1).choose(AT)?.why).toBe("");
  const put = places();
  put.selected(TABLE, AT, null);
  expect(put.choose(AT)?.why).toBe("");
  const { body } = (put as unknown as { game: PlayContext }).game;
  body.position[2] = 3;
  expect(put.choose(AT)).toMatchObject({ entity: TABLE, why: "Too far away: walk closer" });
});

test("a front that is too small for what the hand holds is told to be so before it opens", () => {
  const put = places(-1, [], DOOR);
  expect(put.choose(AT)).toMatchObject({ ...INTO, why: "" });
  const game = (put as unknown as { game: PlayContext }).game;
  const cup = game.world?.heldBy(1);
  if (cup) cup.template = { ...cup.template, high: [0.4, 0.1, 0.4], low: [-0.4, 0, -0.4] };
  expect(put.choose(AT)).toMatchObject({ ...INTO, why: "The tea cup 2 is too large for the cabinet" });
});

test("what stands open, or is too far away, is no shut front", () => {
  expect(places(-1, [], DRAWER, true).choose(AT)).toMatchObject({ entity: 7, behind: -1 });
  const far = places(-1, [], DOOR, true);
  (far as unknown as { game: { body: { position: number[] } } }).game.body.position[0] = 3;
  expect(far.choose(AT)?.behind).toBe(-1);
});

test("a basin is neither on what has doors nor in it, and a tap makes no top lower", () => {
  const put = places(CABINET, [[-1, 0.5, 0], [-1, 0.7, 0.3]]);
  put.selected(CABINET, AT, null);
  expect(put.choose(AT)).toMatchObject({ point: { y: 0.7 }, where: "on the cabinet" });
});

test("what has no place on it leaves it to the pointer, and a shelf below the top is within", () => {
  const put = places(CABINET, []);
  put.selected(CABINET, AT, null);
  expect(put.choose(AT)?.entity).toBe(7);
  put.selected(CABINET, AT, [-1, 0.3, 0]);
  expect(put.choose(AT)).toMatchObject({ entity: CABINET, where: "in the cabinet" });
});

test.each([
  ["on the tea cup 2", "on the tea cup 2"],
  ["on the table", "beside the tea cup 2 on the table"],
])("what is put at another thing is said to stand where the server says: %s", async (told, where) => {
  const put = places(CUP, [[1, 0.85, 0]]);
  const game = (put as unknown as { game: { placement: object; body: object } }).game;
  let asked = 0;
  const seek = (): Promise<object> => (asked++, Promise.resolve({ fits: true, where: told }));
  Object.assign(game.placement, { seek, yawFor: () => 0 });
  put.selected(CUP, AT, null);
  expect(put.choose(AT)).toMatchObject({ entity: CUP, where: "at the tea cup 2" });
  await Promise.resolve();
  await Promise.resolve();
  expect(put.choose(AT)?.where).toBe(where);
  expect(asked).toBe(1);
});

test("a place at another thing that the server says is too far is told to be so, until the player has walked", async () => {
  const put = places(CUP, [[1, 0.85, 0]]);
  const game = (put as unknown as { game: { placement: object; body: { position: number[] } } }).game;
  let answer: object = { fits: false, where: "", reason: "Too far away: walk closer" };
  Object.assign(game.placement, { seek: () => Promise.resolve(answer), yawFor: () => 0 });
  const told = async (): Promise<unknown> => {
    put.choose(AT);
    await Promise.resolve();
    await Promise.resolve();
    return put.choose(AT);
  };
  put.selected(CUP, AT, null);
  expect(await told()).toMatchObject({ entity: CUP, why: "Too far away: walk closer" });
  answer = { fits: true, where: "on the tea cup 2", reason: "" };
  game.body.position[0] = 0.4;
  expect(await told()).toMatchObject({ entity: CUP, where: "on the tea cup 2", why: "" });
});

test.each([
  ["on the table", { entity: TABLE, point: { x: 0.8, y: 0.75, z: 0 }, normal: { y: 1 } }],
  ["on the floor", { entity: -1, point: { x: 0.4, y: 0, z: 0.4 }, normal: { y: 1 } }],
  ["on the cabinet", { entity: CABINET, point: { x: -0.8, y: 0.9, z: 0 }, normal: { y: 1 } }],
  // Only the server knows what is nearest to a side, to a shelf or to a small thing.
  ["", { entity: TABLE, point: { x: 0.8, y: 0.4, z: 0 }, normal: { y: 0 } }],
  ["", { entity: CABINET, point: { x: -0.8, y: 0.4, z: 0 }, normal: { y: 1 } }],
  ["", { entity: CUP, point: { x: 1, y: 0.85, z: 0 }, normal: { y: 1 } }],
])("what is put where the pointer is is said to come %s", (where, hit) => {
  const put = places(-1);
  Object.assign((put as unknown as { game: { scenery: object } }).game.scenery, { pickSurface: () => hit });
  expect(put.choose(AT)?.where).toBe(where);
});
