import { describe, expect, test } from "vitest";

import { roleText } from "../../src/play/guidance";
import { called, describe as inWords, didText, listed, stateWords, titleOf } from "../../src/world/words";
import { snapshot, teamOfFive, world } from "../fixtures";

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

  test("others in a team that began with two of its people: by name", () => {
    const two = world({ seats: snapshot().seats.map((seat, i) => ({ ...seat, seatId: `human_${i}`, kind: "human" })) });
    two.me = 1;
    expect(two.isPair).toBe(false);
    expect(two.others.map((seat) => [called(two, seat), titleOf(two, seat), seat.look.label])).toEqual([["Person 1", "Person 1", "P1"]]);
    expect(roleText(two)).toContain("You are Person 2:");
  });

  test("others: a partner in a pair, among several by name", () => {
    const pair = world();
    expect(pair.others.map((seat) => [called(pair, seat), titleOf(pair, seat)])).toEqual([["your partner", "Partner"]]);
    pair.others[0]!.program = true;
    expect(titleOf(pair, pair.others[0]!)).toBe(pair.others[0]!.kind === "human" ? "Partner (program)" : "Partner");
    const five = teamOfFive();
    expect(five.others.map((seat) => called(five, seat))).toEqual(["Robot 1", "Robot 2", "Robot 3", "Person 2"]);
    expect(titleOf(five, five.others[1]!)).toBe("Robot 2");
    // A program in a person's body is said to be one; a robot's name says it.
    for (const seat of five.others) seat.program = true;
    expect(five.others.map((seat) => titleOf(five, seat))).toEqual(["Robot 1", "Robot 2", "Robot 3", "Person 2 (program)"]);
    const cup = five.entities[2]!;
    cup.holder = 1;
    expect(stateWords(five, cup)).toContain("held by Robot 2");
  });

  test("lists", () => {
    expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
  });

  test("what somebody did", () => {
    expect(didText(world(), "place", 2, "table")).toBe("put down the tea cup 2 · table");
    expect(didText(world(), "pick", -1, "")).toBe("picked up something");
  });
});
