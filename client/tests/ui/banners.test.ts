import { expect, test } from "vitest";

import { bannerOf } from "../../src/ui/banners";
import type { PresenceSituation } from "../../src/ui/banners";

function banner(part: Partial<PresenceSituation>): string {
  return bannerOf({ phase: "running", own: "connected", partner: "connected", ownLeftS: -1, partnerLeftS: -1, ...part });
}

test("nothing is said while all is well, or alone", () => {
  expect(banner({})).toBe("");
  expect(banner({ partner: "" })).toBe("");
});

test("a partner who lost the connection is waited for, in seconds", () => {
  expect(banner({ partner: "reconnecting", partnerLeftS: 22.4 })).toContain("reconnecting (23 s left)");
  expect(banner({ partner: "reconnecting", partnerLeftS: -0.5 })).not.toContain("left)");
  expect(banner({ partner: "reconnecting", partnerLeftS: 9 })).toContain("You can go on");
});

test("in a pause nobody is told to go on", () => {
  const text = banner({ partner: "away", partnerLeftS: 60, phase: "paused" });
  expect(text).toContain("looking at something else (60 s left)");
  expect(text).toContain("It goes on when your partner is back");
  expect(text).not.toContain("You can go on");
});

test("who is away is asked, before anything about the partner", () => {
  expect(banner({ own: "away", ownLeftS: 80, partner: "gone" })).toMatch(/still there.*80 s left/);
  expect(banner({ own: "gone" })).toContain("to come back");
});
