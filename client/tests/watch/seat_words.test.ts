import { describe, expect, test } from "vitest";

import { phaseWords, seatWords } from "../../src/watch/seat_words";
import { World } from "../../src/world/world";
import { snapshot } from "../fixtures";

describe("what a seat does", () => {
  test("its presence, what it says it does, what it holds, that it has finished", () => {
    const world = new World(snapshot(), -1);
    const seat = world.seats[0]!;
    seat.presence = "connected";
    expect(seatWords(world, seat)).toBe("playing");
    seat.presence = "reconnecting";
    seat.doing = "walking to the kitchen";
    seat.finished = true;
    expect(seatWords(world, seat)).toBe("reconnecting … · walking to the kitchen · has finished");
  });

  test("an episode that ended says why", () => {
    expect(phaseWords("ended", "time_limit")).toBe("The episode has ended (time limit)");
    expect(phaseWords("running", "")).toBe("");
    expect(phaseWords("gathering", "")).not.toBe("");
  });
});
