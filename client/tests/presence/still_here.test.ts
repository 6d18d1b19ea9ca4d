import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { STILL_HERE_MS, keepSession } from "../../src/presence/still_here";

const PATH = "/sessions/ses_1/here";
const TELLS = [PATH, { cache: "no-store" }];
const dataset: { stillHere?: string } = {};
const tag = { dataset } as unknown as HTMLElement;
let page = new EventTarget() as EventTarget & { hidden: boolean };
const fetched = vi.fn(() => Promise.reject(new Error("the server is being restarted")));

beforeEach(() => {
  vi.useFakeTimers();
  dataset.stillHere = PATH;
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", fetched.mockClear());
  keepSession(tag);
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the server is told at once, and three times within the time after which it gives a session back", () => {
  expect(fetched.mock.calls).toEqual([TELLS]);
  vi.advanceTimersByTime(30_000);
  expect(fetched.mock.calls).toEqual(Array(1 + 30_000 / STILL_HERE_MS).fill(TELLS));
});

test("who comes back to the page is heard of at once, and not who leaves it", () => {
  fetched.mockClear();
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(fetched).not.toHaveBeenCalled();
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("a page whose socket speaks for it says nothing more", () => {
  fetched.mockClear();
  delete dataset.stillHere;
  vi.advanceTimersByTime(60_000);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(fetched).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
