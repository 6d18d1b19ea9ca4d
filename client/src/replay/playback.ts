// Where in a film one is, and how fast it goes. No drawing, no clock of its own.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
const USUAL = SPEEDS.indexOf(1);

export class Playback {
  playing = false;
  private step: number = USUAL;
  private at: number;

  /** `end` is where the task was over, and play stops; the film may go on to `last`. */
  constructor(
    readonly first: number,
    readonly end: number,
    readonly last: number,
    private readonly tickRate: number,
  ) {
    this.at = first;
  }

  /** The tick that is shown; it may lie between two. */
  get tick(): number {
    return this.at;
  }

  get speed(): number {
    return SPEEDS[this.step] ?? 1;
  }

  get ended(): boolean {
    return this.at === this.end || this.at >= this.last;
  }

  /** Go to a tick, or as near to it as the film goes. */
  seek(tick: number): void {
    this.at = Math.min(this.last, Math.max(this.first, tick));
  }

  seekBy(seconds: number): void {
    this.seek(this.at + seconds * this.tickRate);
  }

  /** Let time pass; stop at the end. Who has gone beyond it sees what followed. */
  advance(ms: number): void {
    if (!this.playing) return;
    const to = this.at + (ms / 1000) * this.tickRate * this.speed;
    this.seek(this.at < this.end ? Math.min(this.end, to) : to);
    if (this.ended) this.playing = false;
  }

  /** Play or pause; from its end on it begins anew. */
  toggle(): void {
    if (!this.playing && this.ended) this.seek(this.first);
    this.playing = !this.playing;
  }

  faster(steps: number): void {
    this.step = Math.min(SPEEDS.length - 1, Math.max(0, this.step + steps));
  }

  setSpeed(speed: number): void {
    const found = SPEEDS.findIndex((known) => known === speed);
    if (found >= 0) this.step = found;
  }
}
