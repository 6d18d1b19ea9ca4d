import { expect, test } from "vitest";

import { ChatMutes } from "../../src/ui/chat_mutes";
import type { Kept } from "../../src/ui/chat_mutes";

function drawer(full = false): Kept & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => {
      if (full) throw new Error("no room");
      texts.set(key, text);
    },
  };
}

test("who is muted stays so when the page is loaded again, until it is taken back", () => {
  const kept = drawer();
  const first = new ChatMutes("ses_1", kept);
  expect(first.has("robot_0")).toBe(false);
  first.toggle("robot_0");
  const again = new ChatMutes("ses_1", kept);
  expect(again.has("robot_0")).toBe(true);
  expect(again.has("human_0")).toBe(false);
  again.toggle("robot_0");
  expect(new ChatMutes("ses_1", kept).has("robot_0")).toBe(false);
});

test("another session begins with nobody muted", () => {
  const kept = drawer();
  new ChatMutes("ses_1", kept).toggle("robot_0");
  expect(new ChatMutes("ses_2", kept).has("robot_0")).toBe(false);
});

test("what is stored is damaged, or nothing can be stored: then it holds for the page", () => {
  for (const text of ["{", "3", "[1, null]"]) {
    const kept = drawer();
    kept.texts.set("cohabit.muted.ses_1", text);
    expect(new ChatMutes("ses_1", kept).has("robot_0")).toBe(false);
  }
  for (const kept of [null, drawer(true)]) {
    const mutes = new ChatMutes("ses_1", kept);
    mutes.toggle("robot_0");
    expect(mutes.has("robot_0")).toBe(true);
  }
});
