import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ReadingQueue, readingMs } from "../../src/ui/reading_queue";

const SHORT = "All right.";
const LONG = "The blue book is on the bed in the bedroom. The red book is in the left nightstand in the bedroom.";

/** A place that holds `rows` lines, of `most` words each; it keeps account of what it shows and when. */
class Place {
  readonly shown: [string, number][] = [];
  private readonly begun = new Map<string, number>();
  readonly queue: ReadingQueue<string>;

  constructor(private readonly rows: number, private readonly most = 100) {
    this.queue = new ReadingQueue<string>(this, () => Date.now());
  }

  isFull(reading: readonly string[]): boolean {
    return reading.length >= this.rows;
  }

  show(line: string): { words: string; isAll: boolean } {
    const words = line.split(" ");
    const from = this.begun.get(line) ?? 0;
    const part = words.slice(from, from + this.most).join(" ");
    this.begun.set(line, from + this.most);
    this.shown.push([part, Date.now()]);
    return { words: part, isAll: from + this.most >= words.length };
  }
}

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

test("a longer line has more time, and every line has some", () => {
  expect(readingMs("No.")).toBeGreaterThanOrEqual(2500);
  expect(readingMs(LONG)).toBeGreaterThan(readingMs(SHORT) + 2000);
});

test("of two lines that come together each is shown for its time, in their order", () => {
  const place = new Place(1);
  expect(place.queue.push(SHORT)).toBe(true);
  expect(place.queue.push(LONG)).toBe(false);
  place.queue.push("I am waiting.");
  vi.advanceTimersByTime(60_000);
  const [first, second, third] = place.shown;
  expect(place.shown.map(([words]) => words)).toEqual([SHORT, LONG, "I am waiting."]);
  expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(readingMs(SHORT));
  expect((third?.[1] ?? 0) - (second?.[1] ?? 0)).toBeGreaterThanOrEqual(readingMs(LONG));
});

test("where both have room, none waits", () => {
  const place = new Place(2);
  expect(place.queue.push(SHORT)).toBe(true);
  expect(place.queue.push(LONG)).toBe(true);
  expect(place.queue.push("Third.")).toBe(false);
});

test("a line that is too long for its place is shown in parts, before the next one", () => {
  const place = new Place(1, 8);
  place.queue.push(LONG);
  place.queue.push(SHORT);
  vi.advanceTimersByTime(60_000);
  expect(place.shown.map(([words]) => words)).toEqual([
    "The blue book is on the bed in",
    "the bedroom. The red book is in the",
    "left nightstand in the bedroom.",
    SHORT,
  ]);
});

test("what was read keeps nothing waiting, and whoever opens the log reads there", () => {
  const place = new Place(1);
  place.queue.push(SHORT);
  vi.advanceTimersByTime(readingMs(SHORT) + 10);
  expect(place.queue.push(LONG)).toBe(true);
  place.queue.push("Never by itself.");
  place.queue.clear();
  vi.advanceTimersByTime(60_000);
  expect(place.shown).toHaveLength(2);
});
