import { expect, test } from "vitest";

import { passedBefore } from "../../src/play/tutorial";
import { stepsFor } from "../../src/play/tutorial_steps";
import type { TutorialMoment } from "../../src/play/tutorial_steps";
import type { Entity } from "../../src/world/world";

const LEFT = { session: "ses_1", kind: "human" as const, passed: ["look", "walk"], ended: false, left: false };
const NOW: TutorialMoment = {
  touch: true, holding: false, aiming: false, atThing: false, besideOpened: false, closeKey: "", isSelected: false,
  thing: "cup", furniture: "chest", changeable: "lamp", opened: "chest", neighbour: "plate", missed: false,
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
  expect(open.cue(NOW, key)).toEqual({ keys: ["Tap"], text: "the chest to select it" });
  expect(open.cue({ ...NOW, isSelected: true }, key)?.keys).toEqual(["Walk there"]);
  expect(open.cue({ ...NOW, isSelected: true, atThing: true }, key)?.keys).toEqual(["Open"]);
});

test("what is selected and refused, or far, is walked to, whichever example is named", () => {
  const pick = stepsFor("human", new Set(), []).find(({ id }) => id === "pick")!;
  const keys = { ...NOW, touch: false, isSelected: true };
  expect(pick.cue(keys, key)).toEqual({ keys: ["K"], text: "to be walked there" });
  expect(pick.cue({ ...keys, atThing: true }, key)?.text).toBe("to pick it up");
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
