// The server's time in ticks, as the page estimates it from when messages come.

/** Ticks per second until the server has told. */
const USUAL_RATE = 30;
const SLOWEST = 0.1;
const LEAST_DELAY_TICKS = 1.5;
const MOST_DELAY_TICKS = 9;

/** Estimates which tick it is at the server, and which to draw: a delay that follows the jitter of
    its frames lies between the two. */
export class TickClock {
  private offset: number | null = null;
  private jitter = 0;

  constructor(private rate = USUAL_RATE) {}

  /** Ticks per second. */
  get tickRate(): number {
    return this.rate;
  }

  /** Take over the server's tick rate; another one starts the estimate anew. */
  setRate(tickRate: number): void {
    if (tickRate === this.rate) return;
    this.rate = tickRate;
    this.offset = null;
    this.jitter = 0;
  }

  /** Note that a message told the server's tick. */
  heard(tick: number, nowMs: number): void {
    const offset = tick - (nowMs / 1000) * this.rate;
    if (this.offset === null || Math.abs(offset - this.offset) > this.rate) {
      this.offset = offset;
      this.jitter = 0;
      return;
    }
    const late = this.offset - offset;
    this.jitter = Math.max(this.jitter * 0.98, Math.abs(late));
    // Frames can only be late: what came early is nearer to the truth.
    this.offset += (offset - this.offset) * (late < 0 ? 0.5 : SLOWEST * 0.3);
  }

  /** Return the tick that the server has reached by now. */
  serverTick(nowMs: number): number {
    return (nowMs / 1000) * this.rate + (this.offset ?? 0);
  }

  /** Return the tick to draw now. */
  drawnTick(nowMs: number): number {
    const delay = Math.min(MOST_DELAY_TICKS, LEAST_DELAY_TICKS + this.jitter);
    return this.serverTick(nowMs) - delay;
  }
}
