import { expect, test } from "vitest";

import { passedBefore } from "../../src/play/tutorial";
import { stepsFor } from "../../src/play/tutorial_steps";
import type { TutorialMoment } from "../../src/play/tutorial_steps";

const LEFT = { session: "ses_1", kind: "human" as const, passed: ["look", "walk"], ended: false };
const NOW: TutorialMoment = {
  touch: true, holding: false, aiming: false, atThing: false, isSelected: false,
  thing: "cup", furniture: "chest", changeable: "lamp",
};
const key = (...commands: string[]): string[] => commands.map(() => "K");

test("a tutorial that was left goes on in the next session, in the same body", () => {
  expect(passedBefore(LEFT, "ses_1", "human")).toEqual(["look", "walk"]);
  expect(passedBefore(LEFT, "ses_2", "human")).toEqual(["look", "walk"]);
  expect(passedBefore(LEFT, "ses_2", "robot")).toEqual([]);
  expect(passedBefore(null, "ses_2", "human")).toEqual([]);
});

test("one that came to its end begins anew, but not where only the page was loaded anew", () => {
  const ended = { ...LEFT, ended: true };
  expect(passedBefore(ended, "ses_2", "human")).toEqual([]);
  expect(passedBefore(ended, "ses_1", "human")).toEqual(["look", "walk"]);
});

test.each(["human", "robot"] as const)("fingers read of no key, no click and no wheel: %s", (kind) => {
  const features = new Set(["chat", "partner_view"]);
  for (const step of stepsFor(kind, features)) {
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
  const open = stepsFor("human", new Set()).find(({ id }) => id === "open")!;
  expect(open.cue(NOW, key)).toEqual({ keys: ["Tap"], text: "the chest to select it" });
  expect(open.cue({ ...NOW, isSelected: true }, key)?.keys).toEqual(["Walk there"]);
  expect(open.cue({ ...NOW, isSelected: true, atThing: true }, key)?.keys).toEqual(["Open"]);
});

test("with keys, too, what can be changed is selected before it is", () => {
  const change = stepsFor("human", new Set()).find(({ id }) => id === "change")!;
  const keys = { ...NOW, touch: false };
  expect(change.cue(keys, key)).toEqual({ keys: ["Click", "K"], text: "select the lamp, then walk there" });
  expect(change.cue({ ...keys, atThing: true }, key)?.text).toBe("switch, wash or fill");
});
