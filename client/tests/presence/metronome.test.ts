import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ToMetronome } from "../../src/presence/metronome";

const fetched = vi.fn();
const beats = vi.fn();
let hears: (event: { data: ToMetronome }) => void = () => undefined;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  fetched.mockReset().mockResolvedValue({ status: 204 });
  beats.mockReset();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("postMessage", beats);
  vi.stubGlobal("addEventListener", (_: string, listener: typeof hears) => (hears = listener));
  await import("../../src/presence/metronome");
  hears({ data: { everyMs: 10_000, path: "/sessions/ses_1/here" } });
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a page that hears the beats tells the server itself", () => {
  beats.mockImplementation(() => hears({ data: "heard" }));
  vi.advanceTimersByTime(60_000);
  expect(beats).toHaveBeenCalledTimes(6);
  expect(fetched).not.toHaveBeenCalled();
});

test("for a page that is too busy to hear them the worker does, within the time after which a session is given back", () => {
  vi.advanceTimersByTime(29_000);
  expect(fetched).toHaveBeenCalledWith("/sessions/ses_1/here", { cache: "no-store" });
  hears({ data: "heard" });
  fetched.mockClear();
  vi.advanceTimersByTime(10_000);
  expect(fetched).not.toHaveBeenCalled();
});
