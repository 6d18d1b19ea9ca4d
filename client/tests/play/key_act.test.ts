import { expect, test } from "vitest";

import { keyAct } from "../../src/play/key_act";
import type { KeyMoment } from "../../src/play/key_act";
import type { Entity, World } from "../../src/world/world";
import { world } from "../fixtures";

const CABINET = 1;
const CUP = 2;
const PICK = ["pick"];
const FRONT = ["open", "close"];
const BURIED = { verb: "pick", possible: false, reason: "The cup is on the book: take it off first" };

/** A book that is selected, and the cup under the pointer. */
const house: World = world();
const thing = (index: number): Entity => house.entities[index]!;
const BOOK = { ...thing(CUP), index: 9, label: "book" };
const NOW: KeyMoment = {
  pointed: { entity: thing(CUP), part: -1, isNear: true },
  selected: { entity: BOOK, part: -1 },
  offered: BURIED,
  rests: false,
  held: null,
};

test("the key takes what is pointed at, whatever the selection says of itself", () => {
  expect(keyAct(PICK, NOW)).toMatchObject({ verb: "pick", entity: CUP, by: "pointer", possible: true });
  expect(keyAct(PICK, { ...NOW, offered: { ...BURIED, possible: true } })).toMatchObject({ entity: CUP, by: "pointer" });
});

test("where nothing can be done to what is pointed at, the selection counts, with its refusal", () => {
  expect(keyAct(PICK, { ...NOW, pointed: null })).toMatchObject({ ...BURIED, entity: 9, by: "selection" });
  expect(keyAct(PICK, { ...NOW, pointed: { entity: thing(0), part: -1, isNear: true } })).toMatchObject({ entity: 9, by: "selection" });
  expect(keyAct(PICK, { ...NOW, pointed: null, selected: null, offered: null })).toBeNull();
});

test("a pointer that rests, or is on something out of reach, leaves the key to the selection", () => {
  const possible = { ...BURIED, possible: true, reason: "" };
  expect(keyAct(PICK, { ...NOW, offered: possible, rests: true })).toMatchObject({ entity: 9, by: "selection" });
  const far = { entity: thing(CUP), part: -1, isNear: false };
  expect(keyAct(PICK, { ...NOW, offered: possible, pointed: far })).toMatchObject({ entity: 9, by: "selection" });
  // The panel of the selection says why not; where that is no use, something in reach under a pointer at rest is.
  expect(keyAct(PICK, { ...NOW, pointed: far })).toMatchObject({ entity: 9, possible: false });
  expect(keyAct(PICK, { ...NOW, rests: true })).toMatchObject({ entity: CUP, by: "pointer" });
  // With nothing selected the server says that it is too far.
  expect(keyAct(PICK, { ...NOW, pointed: far, selected: null, offered: null })).toMatchObject({ entity: CUP, by: "pointer" });
});

test("of one piece of furniture the front under the pointer counts, and of the same front what the server has said", () => {
  const cabinet = thing(CABINET);
  const selected = { entity: cabinet, part: 0 };
  const offered = { verb: "close", possible: true, reason: "" };
  const at = (part: number): KeyMoment => ({ ...NOW, pointed: { entity: cabinet, part, isNear: true }, selected, offered });
  expect(keyAct(FRONT, at(1))).toMatchObject({ verb: "open", part: 1, by: "pointer" });
  expect(keyAct(FRONT, at(0))).toMatchObject({ verb: "close", part: 0, by: "selection" });
  expect(keyAct(FRONT, at(-1))).toMatchObject({ verb: "close", part: 0, by: "selection" });
  expect(keyAct(FRONT, { ...at(1), rests: true })).toMatchObject({ part: 0, by: "selection" });
});

test("who points at nothing that the key is for does it to what the hand holds", () => {
  const held = { ...NOW, pointed: null, selected: null, offered: null, held: thing(CUP) };
  expect(keyAct(["clean"], held)).toMatchObject({ verb: "clean", entity: CUP, by: "hand" });
});
