// The meter of the page: how it runs and what its player looks at, which the log of a session keeps.
import type { PageStats } from "../wire/generated";

const REPORT_MS = 10_000;
const SECOND_MS = 1000;
/** Time of a second in which pictures must have followed each other for it to count. */
const ENOUGH_MS = 500;
/** A page that draws nothing for longer is hidden: that time is neither slow nor looked at. */
const LONGEST_MS = 1000;
/** Most samples of a kind in one message; the protocol says so. */
const MOST = 60;
const LONGEST_SPAN_MS = 3_600_000;

/** What the page shows with a picture. */
export interface Shown {
  quality: number;
  width: number;
  height: number;
  touch: boolean;
  /** Whether a body of another is to be seen. */
  partner: boolean;
  map: boolean;
  help: boolean;
  /** The entity under the pointer; -1: none. */
  hovered: number;
}

export class PageMeter {
  private stats = blank();
  private lookedMs: number | null = null;
  private secondMs = 0;
  private pictures = 0;
  private followedMs = 0;
  private hovered = -1;
  private readonly asked = new Map<number, number>();
  private readonly answered: number[] = [];

  constructor(
    /** Send the figures; return whether they went out. */
    private readonly send: (stats: PageStats) => boolean,
  ) {}

  /** Begin anew, with another episode. */
  begin(): void {
    this.stats = blank();
    this.lookedMs = null;
    this.pictures = this.followedMs = 0;
    this.hovered = -1;
    this.asked.clear();
    this.answered.length = 0;
  }

  /** Note that the player asked for an action. */
  ask(intentId: number, nowMs: number): void {
    this.asked.set(intentId, nowMs);
  }

  /** Note that an action was done (or, with false, refused): the next picture shows it. */
  answer(intentId: number, done: boolean): void {
    const askedMs = this.asked.get(intentId);
    this.asked.delete(intentId);
    if (done && askedMs !== undefined) this.answered.push(askedMs);
  }

  roundTrip(rttMs: number): void {
    keep(this.stats.rttsMs, rttMs);
  }

  /** Note a picture of the running episode; `sinceMs` after the one before, if it followed that at once. */
  picture(shown: Shown, sinceMs: number | null, nowMs: number): void {
    const { stats } = this;
    const passedMs = this.lookedMs === null ? 0 : nowMs - this.lookedMs;
    this.lookedMs = nowMs;
    if (passedMs <= LONGEST_MS) {
      stats.spanMs += passedMs;
      stats.partnerMs += shown.partner ? passedMs : 0;
      stats.mapMs += shown.map ? passedMs : 0;
      stats.helpMs += shown.help ? passedMs : 0;
      this.countPicture(sinceMs, nowMs);
    }
    for (const askedMs of this.answered.splice(0)) keep(stats.shownMs, nowMs - askedMs);
    if (shown.hovered >= 0 && shown.hovered !== this.hovered) stats.hovers += 1;
    this.hovered = shown.hovered;
    stats.quality = shown.quality;
    stats.width = shown.width;
    stats.height = shown.height;
    stats.touch = shown.touch;
    if (stats.spanMs >= REPORT_MS) this.report();
  }

  /** Send what is left at the end of the episode. */
  end(): void {
    if (this.stats.spanMs > 0) this.report();
  }

  private countPicture(sinceMs: number | null, nowMs: number): void {
    if (nowMs - this.secondMs >= SECOND_MS) {
      if (this.followedMs >= ENOUGH_MS) keep(this.stats.fps, (1000 * this.pictures) / this.followedMs);
      this.secondMs = nowMs;
      this.pictures = this.followedMs = 0;
    }
    if (sinceMs === null || sinceMs > LONGEST_MS) return;
    this.pictures += 1;
    this.followedMs += sinceMs;
  }

  private report(): void {
    const { stats } = this;
    const whole = (ms: number): number => Math.min(LONGEST_SPAN_MS, Math.round(ms));
    const sent = this.send({
      ...stats,
      spanMs: whole(stats.spanMs),
      partnerMs: whole(stats.partnerMs),
      mapMs: whole(stats.mapMs),
      helpMs: whole(stats.helpMs),
    });
    // Without a connection it goes on, and the next message says it all.
    if (sent) this.stats = blank();
  }
}

function blank(): PageStats {
  return {
    tag: "stats",
    spanMs: 0,
    fps: [],
    rttsMs: [],
    shownMs: [],
    quality: -1,
    width: 0,
    height: 0,
    touch: false,
    partnerMs: 0,
    mapMs: 0,
    helpMs: 0,
    hovers: 0,
  };
}

function keep(samples: number[], value: number): void {
  if (samples.length < MOST) samples.push(Math.min(LONGEST_SPAN_MS, Math.max(0, Math.round(value))));
}
