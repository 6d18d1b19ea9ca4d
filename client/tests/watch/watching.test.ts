import { describe, expect, test } from "vitest";

import { watchScreenOf } from "../../src/watch/screens";
import { phaseWords, seatWords } from "../../src/watch/seat_words";
import { World } from "../../src/world/world";
import { snapshot } from "../fixtures";

const READY = { world: true, loaded: 3, total: 3 };

describe("what stands between a watcher and the home", () => {
  test("nothing, once everything is loaded", () => {
    expect(watchScreenOf({ kind: "open" }, READY)).toBeNull();
    expect(watchScreenOf({ kind: "open" }, { ...READY, loaded: 1 })?.progress).toBeCloseTo(1 / 3);
    expect(watchScreenOf({ kind: "connecting" }, { world: false, loaded: 0, total: 1 })?.id).toBe("loading");
  });

  test("a lost connection covers even a home that is there", () => {
    const screen = watchScreenOf({ kind: "reconnecting", cause: "restarting", deadlineMs: 0 }, READY);
    expect(screen?.title).toBe("The server is restarting");
  });

  test("the end of the session is no fault, and nobody is told that they left", () => {
    for (const cause of ["left", "no_session", "ended"] as const) {
      const screen = watchScreenOf({ kind: "closed", cause, text: "" }, READY);
      expect(screen?.title).toBe("This session is over");
      expect(screen?.actions.map(({ action }) => action)).toEqual(["home"]);
    }
    const full = watchScreenOf({ kind: "closed", cause: "too_late", text: "" }, READY);
    expect(full?.title).toBe("No more can watch this session");
    expect(full?.actions.map(({ action }) => action)).toEqual(["reload", "home"]);
    const old = watchScreenOf({ kind: "closed", cause: "version", text: "" }, READY);
    expect(old?.actions.map(({ action }) => action)).toEqual(["reload"]);
  });
});

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
