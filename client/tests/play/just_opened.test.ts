import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { PlayerActions } from "../../src/play/actions";
import type { PlayContext } from "../../src/play/context";
import { world } from "../fixtures";

const CABINET = 1;
const DOOR = 1;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A player before a shut cabinet, whose server opens and shuts what it is asked to at once. */
function player(touch: boolean): { actions: PlayerActions; done: string[] } {
  const house = world({ parts: [] });
  const cabinet = house.entities[CABINET]!;
  const done: string[] = [];
  const selection = {
    selected: { entity: CABINET, part: DOOR, actions: null },
    select: () => undefined,
    actionsOf: () => null,
    act: (verb: string, _: number, part: number) => {
      done.push(verb);
      cabinet.parts[part] = verb === "open" ? 1 : 0;
      return Promise.resolve(null);
    },
  };
  const hit = { entity: CABINET, part: DOOR, point: { x: 0, y: 0, z: 0 }, normal: { x: 0, y: 0, z: 1 } };
  const game = { world: house, touch, selection, placement: { active: false }, scenery: { pick: () => hit, pickSurface: () => hit } };
  return { actions: new PlayerActions(game as unknown as PlayContext), done };
}

test("two double taps in a row on a front open it, and do not shut it again", () => {
  const { actions, done } = player(true);
  actions.click({ x: 1, y: 1 }, true, false);
  vi.advanceTimersByTime(300);
  actions.click({ x: 1, y: 1 }, true, false);
  expect(done).toEqual(["open"]);
  vi.advanceTimersByTime(600);
  actions.click({ x: 1, y: 1 }, true, false);
  expect(done).toEqual(["open", "close"]);
});

test("a button that has become *Close* under the finger does not shut what the first tap opened", () => {
  const { actions, done } = player(true);
  actions.act("open");
  vi.advanceTimersByTime(200);
  actions.act("close");
  expect(done).toEqual(["open"]);
});

test("with keys and a mouse each press counts", () => {
  const { actions, done } = player(false);
  actions.act("open");
  actions.act("close");
  expect(done).toEqual(["open", "close"]);
});
