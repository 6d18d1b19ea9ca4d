import { expect, test } from "vitest";

import { bannerOf } from "../../src/ui/banners";
import type { OtherPresence, PresenceSituation } from "../../src/ui/banners";

function banner(part: Partial<PresenceSituation>): string {
  return bannerOf({ phase: "running", own: "connected", ownLeftS: -1, others: [partner("connected")], ...part });
}

function partner(presence: string, leftS = -1): OtherPresence {
  return { name: "your partner", presence, leftS };
}

function named(name: string, presence: string, leftS = -1): OtherPresence {
  return { name, presence, leftS };
}

test("nothing is said while all is well, or alone", () => {
  expect(banner({})).toBe("");
  expect(banner({ others: [] })).toBe("");
});

test("a partner who lost the connection is waited for, in seconds", () => {
  expect(banner({ others: [partner("reconnecting", 22.4)] })).toContain("reconnecting (23 s left)");
  expect(banner({ others: [partner("reconnecting", -0.5)] })).not.toContain("left)");
  expect(banner({ others: [partner("reconnecting", 9)] })).toContain("You can go on");
});

test("in a pause nobody is told to go on", () => {
  const text = banner({ others: [partner("away", 60)], phase: "paused" });
  expect(text).toContain("looking at something else (60 s left)");
  expect(text).toContain("It goes on when your partner is back");
  expect(text).not.toContain("You can go on");
});

test("who is away is asked, before anything about the partner", () => {
  expect(banner({ own: "away", ownLeftS: 80, others: [partner("gone")] })).toMatch(/still there.*80 s left/);
  expect(banner({ own: "gone" })).toContain("to come back");
});

test("a partner who has left may be gone on without", () => {
  expect(banner({ others: [partner("gone")] })).toBe("Your partner has left. You can go on alone, or press Finish.");
});

test("of several each is named, and those who are there are not", () => {
  const others = [named("robot 2", "reconnecting", 9.5), named("the person", "connected"), named("robot 1", "reconnecting", 20)];
  expect(banner({ others })).toBe("Robot 2 and robot 1 lost the connection and are reconnecting (20 s left). You can go on.");
  expect(banner({ others: [named("robot 2", "away", 40), named("the person", "connected")], phase: "paused" })).toBe(
    "Robot 2 is looking at something else (40 s left). It goes on when robot 2 is back.",
  );
});

test("one of several who has left is no banner; all of them are", () => {
  expect(banner({ others: [named("robot 2", "gone"), named("the person", "connected")] })).toBe("");
  expect(banner({ others: [named("robot 2", "gone"), named("the person", "gone")] })).toMatch(/^Everybody else has left/);
});
