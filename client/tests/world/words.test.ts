import { describe, expect, test } from "vitest";

import { describe as inWords, didText, stateWords } from "../../src/world/words";
import { world } from "../fixtures";

describe("in words", () => {
  test("a thing, where it is and how", () => {
    const seen = world();
    const [, cabinet, cup] = seen.entities;
    if (!cabinet || !cup) throw new Error("missing");
    expect(inWords(seen, cup)).toBe("tea cup 2 — kitchen — clean, empty");
    expect(inWords(seen, cabinet)).toBe("cabinet — kitchen — partly open");
    cup.holder = 0;
    expect(stateWords(cup, seen.me)).toContain("held by your partner");
  });

  test("what somebody did", () => {
    expect(didText(world(), "place", 2, "table")).toBe("put down the tea cup 2 · table");
    expect(didText(world(), "pick", -1, "")).toBe("picked up something");
  });
});
