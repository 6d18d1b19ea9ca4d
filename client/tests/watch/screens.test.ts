import { describe, expect, test } from "vitest";

import { watchScreenOf } from "../../src/watch/screens";

const READY = { world: true, loaded: 3, total: 3 };

describe("what stands between a watcher and the home", () => {
  test("nothing, once everything is loaded", () => {
    expect(watchScreenOf({ kind: "open" }, READY)).toBeNull();
    expect(watchScreenOf({ kind: "open" }, { ...READY, loaded: 1 })?.progress).toBeCloseTo(1 / 3);
    expect(watchScreenOf({ kind: "connecting", loss: null }, { world: false, loaded: 0, total: 1 })?.id).toBe("loading");
  });

  test("a lost connection covers even a home that is there", () => {
    const screen = watchScreenOf({ kind: "waiting", loss: { cause: "restarting", deadlineMs: 0 } }, READY);
    expect(screen?.title).toBe("The server is restarting");
  });

  test("the end of the session is no fault, and nobody is told that they left", () => {
    for (const cause of ["left", "no_session", "ended"] as const) {
      const screen = watchScreenOf({ kind: "closed", cause, text: "" }, READY);
      expect(screen?.title).toBe("This session is over");
      expect(screen?.actions.map(({ action }) => action)).toEqual(["home"]);
    }
    const full = watchScreenOf({ kind: "closed", cause: "refused", text: "" }, READY);
    expect(full?.title).toBe("No more can watch this session");
    expect(full?.actions.map(({ action }) => action)).toEqual(["reload", "home"]);
    const unknown = watchScreenOf({ kind: "closed", cause: "not_you", text: "" }, READY);
    expect(unknown?.title).toBe("Please sign in again");
    for (const reason of ["restarted", "signed out", "twelve hours"]) expect(unknown?.text).toContain(reason);
    // The page itself shows the way in when it is loaded again, and leads back.
    expect(unknown?.actions.map(({ action }) => action)).toEqual(["reload", "home"]);
    const old = watchScreenOf({ kind: "closed", cause: "version", text: "" }, READY);
    expect(old?.actions.map(({ action }) => action)).toEqual(["reload"]);
  });
});
