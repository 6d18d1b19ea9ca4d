import { describe, expect, test } from "vitest";

import { called, describe as inWords, didText, listed, stateWords, titleOf } from "../../src/world/words";
import { teamOfFive, world } from "../fixtures";

describe("in words", () => {
  test("a thing, where it is and how", () => {
    const seen = world();
    const [, cabinet, cup] = seen.entities;
    if (!cabinet || !cup) throw new Error("missing");
    expect(inWords(seen, cup)).toBe("tea cup 2 — kitchen — clean, empty");
    expect(inWords(seen, cabinet)).toBe("cabinet — kitchen — partly open");
    cup.holder = 0;
    expect(stateWords(seen, cup)).toContain("held by your partner");
  });

  test("others: a partner in a pair, among several by name", () => {
    const pair = world();
    expect(pair.others.map((seat) => [called(pair, seat), titleOf(pair, seat)])).toEqual([["your partner", "Partner"]]);
    const five = teamOfFive();
    expect(five.others.map((seat) => called(five, seat))).toEqual(["robot 1", "robot 2", "robot 3", "person 2"]);
    expect(titleOf(five, five.others[1]!)).toBe("Robot 2");
    const cup = five.entities[2]!;
    cup.holder = 1;
    expect(stateWords(five, cup)).toContain("held by robot 2");
  });

  test("lists", () => {
    expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
  });

  test("what somebody did", () => {
    expect(didText(world(), "place", 2, "table")).toBe("put down the tea cup 2 · table");
    expect(didText(world(), "pick", -1, "")).toBe("picked up something");
  });
});
