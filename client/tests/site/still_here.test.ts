import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { STILL_HERE_MS, keepSession } from "../../src/site/still_here";

let page = new EventTarget() as EventTarget & { hidden: boolean };
const fetched = vi.fn(() => Promise.reject(new Error("the server is being restarted")));

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", fetched.mockClear());
  keepSession("/sessions/ses_1/here");
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the server is told three times within the time after which it gives a session back", () => {
  vi.advanceTimersByTime(30_000);
  expect(fetched.mock.calls).toEqual(Array(30_000 / STILL_HERE_MS).fill(["/sessions/ses_1/here", { cache: "no-store" }]));
});

test("who comes back to the page is heard of at once, and not who leaves it", () => {
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(fetched).not.toHaveBeenCalled();
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(fetched).toHaveBeenCalledTimes(1);
});
