// How things stand around the play: the banner, the title of the page, who is waited for.
import { bannerOf } from "../ui/banners";
import type { Seat, World } from "../world/world";

const HIDDEN_TITLE = "Your home is waiting – Cohabit";

export class Standing {
  /** Lines of chat that came while the page was hidden. */
  unread = 0;
  private notice: { text: string; untilMs: number } | null = null;
  /** Until when each seat is waited for (of performance.now), by index. */
  private waitedUntilMs: number[] = [];
  private readonly title = document.title;

  /** Show a line across the top for a while. */
  tell(text: string, forMs: number): void {
    this.notice = { text, untilMs: performance.now() + forMs };
  }

  /** Presence has changed. */
  seats(seats: readonly Seat[], nowMs: number): void {
    this.waitedUntilMs = seats.map(({ secondsLeft }) => (secondsLeft >= 0 ? nowMs + secondsLeft * 1000 : 0));
  }

  banner(world: World, nowMs: number): string {
    if (this.notice && this.notice.untilMs < nowMs) this.notice = null;
    const { mySeat, partner } = world;
    return (
      this.notice?.text ??
      bannerOf({
        phase: world.phase,
        own: mySeat?.presence ?? "",
        partner: partner?.presence ?? "",
        ownLeftS: this.leftS(mySeat, nowMs),
        partnerLeftS: this.leftS(partner, nowMs),
      })
    );
  }

  showTitle(phase: string): void {
    if (!document.hidden) this.unread = 0;
    let title = document.hidden && phase === "running" ? HIDDEN_TITLE : this.title;
    if (this.unread > 0) title = `(${this.unread}) ${title}`;
    if (document.title !== title) document.title = title;
  }

  private leftS(seat: Seat | null, nowMs: number): number {
    const until = this.waitedUntilMs[seat?.index ?? -1] ?? 0;
    return until > 0 ? (until - nowMs) / 1000 : -1;
  }
}
