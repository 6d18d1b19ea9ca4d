// The activity of the player: whether anybody is there, which the page tells with every ping.

/** Quiet time after which a player who comes back is told of at once, not with the next ping. */
const NEWS_MS = 4000;
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"] as const;

export class Activity {
  private touchedMs = performance.now();

  constructor(
    /** Called when somebody comes back, and when the page is hidden or shown. */
    private readonly onNews: () => void,
  ) {
    for (const kind of TOUCHES) {
      window.addEventListener(kind, () => this.touch(), { capture: true, passive: true });
    }
    document.addEventListener("visibilitychange", () => {
      // To look at the page again is to be there.
      if (!document.hidden) this.touchedMs = performance.now();
      this.onNews();
    });
  }

  /** Note that somebody did something; a key that is held counts for as long as it is. */
  touch(): void {
    const now = performance.now();
    const quietMs = now - this.touchedMs;
    this.touchedMs = now;
    if (quietMs > NEWS_MS) this.onNews();
  }

  /** Milliseconds for which nobody has touched the page. */
  get idleMs(): number {
    return Math.max(0, Math.floor(performance.now() - this.touchedMs));
  }
}
