import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { STILL_HERE_MS, WAITED_FOR_MS, keepSession } from "../../src/presence/still_here";

const PATH = "/sessions/ses_1/here";
const TELLS = [PATH, { cache: "no-store" }];

/** A worker that has not come until the test says so. */
class FakeWorker extends EventTarget {
  static made: FakeWorker[] = [];
  asked: unknown[] = [];
  terminate = vi.fn();

  constructor(readonly url: URL) {
    super();
    FakeWorker.made.push(this);
  }

  postMessage(message: unknown): void {
    this.asked.push(message);
  }

  beat(): void {
    this.dispatchEvent(new Event("message"));
  }
}

const dataset: { stillHere?: string } = {};
const tag = { dataset } as unknown as HTMLElement;
let page = new EventTarget() as EventTarget & { hidden: boolean };
let frame = new EventTarget();
const fetched = vi.fn();
const closed = vi.fn();

/** Begin as a page does, in a browser that has what `globals` names. */
function begin(globals: Record<string, unknown> = { Worker: FakeWorker }): void {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  keepSession(tag, closed);
}

beforeEach(() => {
  vi.useFakeTimers();
  dataset.stillHere = PATH;
  page = Object.assign(new EventTarget(), { hidden: false });
  frame = Object.assign(new EventTarget(), { setInterval, clearInterval });
  FakeWorker.made = [];
  closed.mockClear();
  fetched.mockReset().mockRejectedValue(new Error("the server is being restarted"));
  vi.stubGlobal("window", frame);
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ["no worker", {}],
  ["no worker that may be made", { Worker: vi.fn(() => { throw new Error("the policy forbids it"); }) }],
  ["a worker that has not come yet", { Worker: FakeWorker }],
])("with %s the server is told at once, and three times within the time after which it gives a session back", (_, globals) => {
  vi.spyOn(console, "warn").mockReturnValue();
  begin(globals);
  expect(fetched.mock.calls).toEqual([TELLS]);
  vi.advanceTimersByTime(30_000);
  expect(fetched.mock.calls).toEqual(Array(1 + 30_000 / STILL_HERE_MS).fill(TELLS));
});

test("once a worker beats the time, it alone does: the timers of a hidden page are slow", () => {
  begin();
  const [worker] = FakeWorker.made;
  expect(worker?.url.href).toMatch(/metronome/);
  expect(worker?.asked).toEqual([{ everyMs: STILL_HERE_MS, path: PATH }]);
  worker?.beat();
  fetched.mockClear();
  vi.advanceTimersByTime(300_000);
  expect(fetched).not.toHaveBeenCalled();
  worker?.beat();
  expect(fetched.mock.calls).toEqual([TELLS]);
});

test("who comes back to the page is heard of at once, and not who leaves it", () => {
  begin();
  fetched.mockClear();
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  frame.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(fetched).not.toHaveBeenCalled();
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  page.dispatchEvent(new Event("resume"));
  frame.dispatchEvent(new Event("focus"));
  frame.dispatchEvent(new Event("online"));
  frame.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(fetched).toHaveBeenCalledTimes(5);
});

/** Expect that nothing is said any more, whatever happens. */
function expectSilence(): void {
  fetched.mockClear();
  vi.advanceTimersByTime(60_000);
  page.dispatchEvent(new Event("visibilitychange"));
  frame.dispatchEvent(new Event("focus"));
  expect(fetched).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
  expect(FakeWorker.made[0]?.terminate).toHaveBeenCalledTimes(1);
}

test("a page whose socket speaks for it says nothing more", () => {
  begin();
  delete dataset.stillHere;
  FakeWorker.made[0]?.beat();
  expectSilence();
});

test("that the session is closed is said once, and not where the socket knows better", async () => {
  fetched.mockResolvedValue({ status: 410 });
  begin();
  frame.dispatchEvent(new Event("focus"));
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toHaveBeenCalledTimes(1);
  expectSilence();

  begin();
  delete dataset.stillHere;
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toHaveBeenCalledTimes(1);
});

test.each([204, 403, 502, 503])("status %d closes nothing", async (status) => {
  fetched.mockResolvedValue({ status });
  begin();
  await vi.advanceTimersByTimeAsync(STILL_HERE_MS);
  expect(closed).not.toHaveBeenCalled();
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("a report that is told when others go on asks more often, and passes on what it hears", async () => {
  const told = vi.fn();
  dataset.stillHere = `${PATH}?after=epi_1`;
  fetched.mockReset().mockResolvedValue({ status: 200, text: () => Promise.resolve("Person 1 waits for you.") });
  for (const [name, value] of Object.entries({ Worker: FakeWorker })) vi.stubGlobal(name, value);
  keepSession(tag, closed, told);
  expect(FakeWorker.made[0]?.asked).toEqual([{ everyMs: WAITED_FOR_MS, path: `${PATH}?after=epi_1` }]);
  await vi.advanceTimersByTimeAsync(WAITED_FOR_MS);
  expect(told).toHaveBeenCalledWith("Person 1 waits for you.");
  expect(closed).not.toHaveBeenCalled();
});
