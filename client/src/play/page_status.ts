// The status of the session around the scene: the banner, the title of the page, who is waited for.
import { bannerOf } from "../ui/banners";
import type { Seat, World } from "../world/world";
import { called, capitalised } from "../world/words";

/** How long it is told that one of several has left. */
const LEFT_MS = 8000;
/** How long after it left a hand a thing still counts as held by who leaves. */
const HELD_MS = 1500;
const HIDDEN_TITLE = "Your home is waiting – Cohabit";

export class PageStatus {
  /** Lines of chat that came while the page was hidden. */
  unread = 0;
  private notice: { text: string; untilMs: number } | null = null;
  /** When each seat is no longer waited for (ms, as performance.now), by index; 0: it is not waited for. */
  private readonly waitedUntilMs: number[] = [];
  private gone: ReadonlySet<number> = new Set();
  /** What each of the others held last, and when (ms), by index of the seat. */
  private readonly held = new Map<number, { label: string; atMs: number }>();
  /** The title that the page came with; null until it is needed. */
  private title: string | null = null;

  /** Show a line across the top for a while, or (`Infinity`) until it goes on. */
  tell(text: string, forMs: number): void {
    this.notice = { text, untilMs: performance.now() + forMs };
  }

  /** Note that it goes on: what was told until then is over. */
  goesOn(): void {
    if (this.notice?.untilMs === Infinity) this.notice = null;
  }

  /** Note for how long the seats that were just told of are waited for, and who has left. What was told of
      the rest counts from then. */
  noteSeats(world: World, told: readonly number[], nowMs: number): void {
    const { seats } = world;
    const left = world.others.filter(({ presence, index }) => presence === "gone" && !this.gone.has(index));
    this.gone = new Set(seats.filter(({ presence }) => presence === "gone").map(({ index }) => index));
    if (world.phase === "running") {
      for (const seat of left) {
        const dropped = this.dropped(world, seat, nowMs);
        // A standing line says of a pair that one has left.
        if (dropped || !world.isPair) this.tell(`${capitalised(called(world, seat))} has left.${dropped}`, LEFT_MS);
      }
    }
    for (const index of told) {
      const secondsLeft = seats[index]?.secondsLeft ?? -1;
      this.waitedUntilMs[index] = secondsLeft >= 0 ? nowMs + secondsLeft * 1000 : 0;
    }
  }

  /** Return the line across the top; empty for none. */
  banner(world: World, nowMs: number): string {
    if (this.notice && this.notice.untilMs < nowMs) this.notice = null;
    const { mySeat } = world;
    for (const seat of world.others) {
      const thing = seat.presence === "gone" ? null : world.heldBy(seat.index);
      if (thing) this.held.set(seat.index, { label: thing.label, atMs: nowMs });
    }
    return (
      this.notice?.text ??
      bannerOf({
        phase: world.phase,
        own: mySeat?.presence ?? "",
        ownLeftS: this.leftS(mySeat, nowMs),
        others: world.others.map((seat) => ({
          name: called(world, seat),
          presence: seat.presence,
          leftS: this.leftS(seat, nowMs),
        })),
      })
    );
  }

  /** Say in the page's title what somebody who looks elsewhere should know. */
  showTitle(phase: string): void {
    if (!document.hidden) this.unread = 0;
    this.title ??= document.title;
    let title = document.hidden && phase === "running" ? HIDDEN_TITLE : this.title;
    if (this.unread > 0) title = `(${this.unread}) ${title}`;
    if (document.title !== title) document.title = title;
  }

  /** Say where the thing is that one held who has left; empty if there is none, or rules hide what others do. */
  private dropped(world: World, seat: Seat, nowMs: number): string {
    const last = this.held.get(seat.index);
    if (!last || nowMs - last.atMs > HELD_MS || !world.features.has("partner_status")) return "";
    return ` The ${last.label} that they held lies on the floor where they stood.`;
  }

  private leftS(seat: Seat | null, nowMs: number): number {
    const until = this.waitedUntilMs[seat?.index ?? -1] ?? 0;
    return until > 0 ? (until - nowMs) / 1000 : -1;
  }
}
