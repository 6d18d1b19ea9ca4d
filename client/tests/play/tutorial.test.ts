import { expect, test } from "vitest";

import { isBehindFront } from "../../src/play/tutorial";
import { passedBefore } from "../../src/play/tutorial_memory";
import { stepsFor } from "../../src/play/tutorial_steps";
import type { TutorialMoment } from "../../src/play/tutorial_steps";
import type { Entity } from "../../src/world/world";
import { world } from "../fixtures";

const LEFT = { session: "ses_1", kind: "human" as const, passed: ["look", "walk"], ended: false, left: false };
const NOW: TutorialMoment = {
  touch: true, holding: false, aiming: false, atThing: false, besideOpened: false, takeKey: "", takes: "", closeKey: "", isSelected: false, walks: true, isInReach: false, isHidden: false,
  thing: "cup", furniture: "chest", changeable: "lamp", opened: "chest", neighbour: "plate", besideNeighbour: true,
  isTooLarge: false, missed: "", isViewShown: true, isHelped: false,
};
/** A lamp, and two dirty cups close to each other. */
const HOUSE = [
  { template: { kind: "furniture" }, position: [3, 0, 0], states: { is_powered_on: false } },
  { template: { kind: "object" }, position: [0, 1, 0], states: { is_filled: false, is_clean: false } },
  { template: { kind: "object" }, position: [1, 1, 0], states: { is_filled: false, is_clean: false } },
] as unknown as Entity[];
const key = (...commands: string[]): string[] => commands.map(() => "K");

test("a tutorial that was left goes on in the next session, in the same body", () => {
  expect(passedBefore(LEFT, "ses_1", "human", false)).toEqual(["look", "walk"]);
  expect(passedBefore(LEFT, "ses_2", "human", false)).toEqual(["look", "walk"]);
  expect(passedBefore(LEFT, "ses_2", "robot", false)).toEqual([]);
  expect(passedBefore(null, "ses_2", "human", false)).toEqual([]);
  // A study reads one recording: what was done in another session is none of it.
  expect(passedBefore(LEFT, "ses_2", "human", true)).toEqual([]);
  expect(passedBefore(LEFT, "ses_1", "human", true)).toEqual(["look", "walk"]);
});

test("one that came to its end begins anew, but not where only the page was loaded anew", () => {
  const ended = { ...LEFT, ended: true };
  expect(passedBefore(ended, "ses_2", "human", false)).toEqual([]);
  expect(passedBefore(ended, "ses_1", "human", false)).toEqual(["look", "walk"]);
});

test.each(["human", "robot"] as const)("fingers read of no key, no click and no wheel: %s", (kind) => {
  const features = new Set(["chat", "partner_view"]);
  for (const step of stepsFor(kind, features, HOUSE)) {
    for (const holding of [false, true]) {
      for (const isSelected of [false, true]) {
        for (const atThing of [false, isSelected]) {
          const now = { ...NOW, holding, isSelected, atThing };
          const cue = step.cue(now, key);
          const words = `${step.text(now, key)} ${cue?.keys.join(" ") ?? ""} ${cue?.text ?? ""}`;
          expect(words).not.toMatch(/\b(K|[Cc]lick|[Ww]heel|mouse|key|Enter|Space)\b/);
          expect(cue?.keys).not.toEqual([]);
        }
      }
    }
  }
});

test("what is selected and far is walked to by a button", () => {
  const open = stepsFor("human", new Set(), []).find(({ id }) => id === "open")!;
  expect(open.cue(NOW, key)).toEqual({ keys: ["Tap"], text: "the chest, then Walk there" });
  expect(open.cue({ ...NOW, isInReach: true }, key)).toEqual({ keys: ["Tap"], text: "the chest to select it" });
  // What cannot be seen has a sign that can be tapped.
  expect(open.cue({ ...NOW, isHidden: true }, key)?.text).toBe("the sign “chest”, then Walk there");
  expect(open.cue({ ...NOW, isHidden: true, touch: false }, key)?.text).toBe("the sign “chest”, then press K to be walked there");
  // No button is named that is not there.
  expect(open.cue({ ...NOW, isSelected: true, walks: false }, key)?.keys).toEqual(["Left thumb"]);
  expect(open.cue({ ...NOW, isSelected: true }, key)?.keys).toEqual(["Walk there"]);
  expect(open.cue({ ...NOW, isSelected: true, atThing: true }, key)?.keys).toEqual(["Open"]);
});

test("what is selected and refused, or far, is walked to, whichever example is named", () => {
  const pick = stepsFor("human", new Set(), []).find(({ id }) => id === "pick")!;
  const keys = { ...NOW, touch: false, isSelected: true };
  expect(pick.cue(keys, key)).toEqual({ keys: ["K"], text: "to be walked there" });
  expect(pick.cue({ ...keys, atThing: true }, key)?.text).toBe("to pick it up");
  // Nobody is sent on a walk to what is in reach.
  expect(pick.cue({ ...keys, isSelected: false, isInReach: true }, key)).toEqual({ keys: ["Point at"], text: "the cup" });
});

test("beside what stands open, the key is shown where it closes, not where it would open another part", () => {
  const close = stepsFor("human", new Set(), []).find(({ id }) => id === "close")!;
  const keys = { ...NOW, touch: false, isSelected: true, besideOpened: true };
  expect(close.cue(keys, key)).toEqual({ keys: ["Point at"], text: "the part that stands open" });
  expect(close.cue({ ...keys, atThing: true }, key)?.text).toBe("to close it");
  expect(close.cue({ ...NOW, besideOpened: true }, key)?.keys).toEqual(["Tap"]);
  // With the whole piece selected, the first key opens what is still shut: the panel's other key closes.
  expect(close.cue({ ...keys, atThing: true, closeKey: "2" }, key)?.keys).toEqual(["2"]);
});

test("with keys, too, what can be changed is selected before it is", () => {
  const change = stepsFor("human", new Set(), HOUSE).find(({ id }) => id === "change")!;
  const keys = { ...NOW, touch: false };
  expect(change.cue(keys, key)).toEqual({ keys: ["Click"], text: "the lamp, then press K to be walked there" });
  expect(change.cue({ ...keys, atThing: true }, key)?.text).toBe("to switch on");
});

test("a thing that was put on top is named as lying there, with what comes next: take it, then the key for inside", () => {
  const inside = stepsFor("human", new Set(), []).find(({ id }) => id === "inside")!;
  const keys = { ...NOW, touch: false, missed: "It lies on the chest: that is behind no door and in no drawer. " };
  expect(inside.text(keys, key)).toBe("It lies on the chest: that is behind no door and in no drawer. Take the cup up again, then point at the chest and press K.");
  expect(inside.cue({ ...keys, atThing: true }, key)).toEqual({ keys: ["K"], text: "to pick it up" });
  expect(inside.cue(keys, key)?.text).toContain("the cup");
  expect(inside.cue({ ...keys, holding: true }, key)?.text).toContain("the chest");
  expect(inside.cue({ ...keys, holding: true, atThing: true }, key)?.text).toBe("to put it inside");
  expect(inside.cue({ ...keys, holding: true, aiming: true }, key)?.text).toBe("point at a shut door or drawer and let go");
  expect(inside.text({ ...NOW, missed: keys.missed }, key)).toContain("tap the chest and press Put inside");
  expect(inside.text({ ...keys, holding: true, isTooLarge: true }, key)).toContain("fits behind no door");
});

test("the thing that the card names is the one to walk to", () => {
  const place = stepsFor("human", new Set(), []).find(({ id }) => id === "place")!;
  const keys = { ...NOW, touch: false, holding: true };
  expect(place.text(keys, key)).toContain("right beside the plate");
  expect(place.cue(keys, key)?.text).toBe("hold, and point right beside the plate");
  expect(place.cue({ ...keys, aiming: true }, key)?.text).toBe("let go right beside the plate");
  // Furniture is nothing to put it next to: green alone says nothing of that.
  const alone = { ...keys, neighbour: "" };
  expect(place.text(alone, key)).toContain("Furniture does not count");
  expect(place.cue(alone, key)).toBeNull();
  expect(place.cue({ ...keys, besideNeighbour: false }, key)?.text).toContain("the plate");
  expect(place.cue({ ...keys, besideNeighbour: false, aiming: true }, key)?.text).toContain("let go");
});

test("the key that is named is the one that takes what the card means, or what it takes is said", () => {
  const [pick, place, inside] = ["pick", "place", "inside"].map((id) => stepsFor("human", new Set(), []).find((step) => step.id === id)!);
  const keys = { ...NOW, touch: false, atThing: true };
  for (const step of [pick, place, inside]) {
    expect(step!.cue(keys, key)).toEqual({ keys: ["K"], text: "to pick it up" });
    // Another thing lies under the pointer: the usual key takes that one.
    expect(step!.cue({ ...keys, takes: "frame" }, key)).toEqual({ keys: ["K"], text: "to pick up the frame" });
    expect(step!.cue({ ...keys, takes: "cup", takeKey: "1" }, key)).toEqual({ keys: ["1"], text: "to pick up the cup" });
  }
});

test("the key that aims is named from the beginning, with the way there before it", () => {
  const place = stepsFor("human", new Set(), []).find(({ id }) => id === "place")!;
  const keys = { ...NOW, touch: false, holding: true };
  expect(place.text(keys, key)).toMatch(/^Hold K, point right beside the plate/);
  expect(place.text({ ...keys, besideNeighbour: false }, key)).toMatch(/^First go there\. Hold K, point/);
  expect(place.text({ ...NOW, holding: true, besideNeighbour: false }, key)).toMatch(/^First go there\. Press Aim/);
});

test("once the helper is on its way, nothing is left to write", () => {
  const ask = stepsFor("robot", new Set(["chat"]), []).find(({ id }) => id === "ask")!;
  const keys = { ...NOW, touch: false };
  expect(ask.cue(keys, key)?.text).toContain("write");
  expect(ask.line!(keys)).toBe("Please switch on the lamp");
  const helped = { ...keys, isHelped: true };
  expect(ask.text(helped, key)).toMatch(/understood.*on the way: wait/);
  expect(ask.cue(helped, key)).toBeNull();
  expect(ask.line!(helped)).toBe("");
});

test("a finger that aims is told to tap, and which button comes then", () => {
  const place = stepsFor("human", new Set(), []).find(({ id }) => id === "place")!;
  const touch = { ...NOW, holding: true };
  expect(place.cue(touch, key)).toEqual({ keys: ["Aim"], text: "then tap right beside the plate" });
  expect(place.cue({ ...touch, aiming: true }, key)).toEqual({ keys: ["Tap"], text: "right beside the plate, then Put it here" });
});

test("the partner's view is shown at the end of its step", () => {
  const view = stepsFor("human", new Set(["partner_view"]), []).find(({ id }) => id === "view")!;
  const did = { turned: 0, walked: 0, atMark: null, did: new Set<string>(), partnerDid: new Set<string>(), said: false, selected: false };
  expect(view.done({ ...did, viewToggles: 1, isViewShown: true })).toBe(false);
  expect(view.done({ ...did, viewToggles: 2, isViewShown: false })).toBe(false);
  expect(view.done({ ...did, viewToggles: 3, isViewShown: true })).toBe(true);
  expect(view.cue({ ...NOW, isViewShown: false }, key)?.text).toContain("shows it again");
});

test("each verb of a body is learnt where the house has what it takes", () => {
  const ids = (kind: "human" | "robot", house: Entity[]): string[] => stepsFor(kind, new Set(["chat"]), house).map(({ id }) => id);
  const moves = ["look", "walk", "select", "open", "pick", "place", "inside", "close"];
  expect(ids("human", HOUSE)).toEqual([...moves, "change", "clean", "fill", "pour", "chat", "task"]);
  expect(ids("human", HOUSE.slice(0, 2))).toEqual([...moves, "change", "clean", "chat", "task"]);
  expect(ids("human", HOUSE.slice(0, 1))).toEqual([...moves, "change", "chat", "task"]);
  expect(ids("robot", HOUSE)).toEqual([...moves, "ask", "task"]);
});

test("what can be written to the partner stands ready, by the names of things", () => {
  const line = (kind: "human" | "robot", id: string): string | undefined =>
    stepsFor(kind, new Set(["chat"]), HOUSE).find((step) => step.id === id)?.line?.(NOW);
  expect(line("robot", "ask")).toBe("Please switch on the lamp");
  expect(line("human", "chat")).toBe("What are you doing?");
  expect(line("human", "walk")).toBeUndefined();
});

test("what was aimed at another thing in an open drawer lies inside, by the furniture that the server names", () => {
  const house = world();
  const [table, cabinet] = [house.entities[0]!.label, house.entities[1]!.label];
  expect(isBehindFront(house, `in the ${cabinet}`, cabinet)).toBe(true);
  expect(isBehindFront(house, `on the ${cabinet}`, cabinet)).toBe(false);
  expect(isBehindFront(house, `in the basin of the ${cabinet}`, cabinet)).toBe(false);
  // An open shelf has no front to be behind.
  expect(isBehindFront(house, `in the ${table}`, table)).toBe(false);
});
