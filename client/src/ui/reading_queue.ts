// Lines that others say, one after the other: each is to be seen for as long as it takes to read, and none is lost.

/** Least time for a line (ms), and time for each of its words. */
const LEAST_MS = 2500;
const GLANCE_MS = 1200;
const WORD_MS = 280;

/** Return how long it takes to read a text (ms). */
export function readingMs(text: string): number {
  return Math.max(LEAST_MS, GLANCE_MS + WORD_MS * text.split(/\s+/).filter(Boolean).length);
}

/** Where the lines are shown. */
export interface ReadingPlace<Line> {
  /** Whether another line would push one out of sight that is being read. */
  isFull(reading: readonly Line[], next: Line): boolean;
  /** Show a line, or what of it was not to be seen before; return the words that are to be seen now, and whether
      that is all that is left of it. */
  show(line: Line): { words: string; isAll: boolean };
}

export class ReadingQueue<Line> {
  /** What is being read: the rest of a line comes after what was to be seen of it. */
  private reading: { line: Line; isAll: boolean; untilMs: number }[] = [];
  private readonly waiting: Line[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly place: ReadingPlace<Line>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Take a line that has just been said; return whether it is shown at once. */
  push(line: Line): boolean {
    this.settle();
    if (this.waiting.length > 0 || (this.reading.length > 0 && this.isFull(line))) {
      this.waiting.push(line);
      return false;
    }
    this.show(line);
    return true;
  }

  /** Forget all: whoever opens the log reads in it. */
  clear(): void {
    clearTimeout(this.timer);
    this.reading = [];
    this.waiting.length = 0;
  }

  private isFull(next: Line): boolean {
    return this.reading.some(({ isAll }) => !isAll) || this.place.isFull(this.reading.map(({ line }) => line), next);
  }

  private show(line: Line): void {
    const { words, isAll } = this.place.show(line);
    this.reading.push({ line, isAll, untilMs: this.nowMs() + readingMs(words) });
    this.wake();
  }

  /** Go on with what has been read by now. */
  private settle(): void {
    const now = this.nowMs();
    const read = this.reading.filter(({ untilMs }) => untilMs <= now);
    this.reading = this.reading.filter(({ untilMs }) => untilMs > now);
    for (const { line, isAll } of read) if (!isAll) this.show(line);
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (this.reading.length > 0 && this.isFull(next)) break;
      this.waiting.shift();
      this.show(next);
    }
  }

  private wake(): void {
    clearTimeout(this.timer);
    const soonest = Math.min(...this.reading.map(({ untilMs }) => untilMs));
    this.timer = setTimeout(() => {
      this.settle();
      if (this.reading.length > 0) this.wake();
    }, Math.max(0, soonest - this.nowMs()) + 1);
  }
}
