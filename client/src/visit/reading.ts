/** Clock of reading: it runs while what is read is in view, on a page that is to be seen. */
export class ReadingClock {
  private isShown = false;
  private isInView = false;
  private since: number | null = null;
  private readMs = 0;

  /** Note at `ms` whether the page is to be seen: it is not in a hidden tab. */
  shown(isShown: boolean, ms: number): void {
    this.isShown = isShown;
    this.turn(ms);
  }

  /** Note at `ms` whether some of the text is in view. */
  inView(isInView: boolean, ms: number): void {
    this.isInView = isInView;
    this.turn(ms);
  }

  /** Take what was read up to `ms` and was not taken yet, in whole milliseconds. */
  take(ms: number): number {
    if (this.since !== null) {
      this.readMs += ms - this.since;
      this.since = ms;
    }
    const whole = Math.floor(this.readMs);
    this.readMs -= whole;
    return whole;
  }

  private turn(ms: number): void {
    const runs = this.isShown && this.isInView;
    if (runs && this.since === null) this.since = ms;
    if (runs || this.since === null) return;
    this.readMs += ms - this.since;
    this.since = null;
  }
}

/** Tell how long a text was read, each time the page is hidden or left: `form` says where to, and for which page. */
export function tellReading(text: HTMLElement, form: HTMLFormElement): void {
  const clock = new ReadingClock();
  let hasTold = false;
  const send = (): void => {
    const read = clock.take(performance.now());
    // Nothing is told once: that no time was read is known then, and not missing.
    if (read === 0 && hasTold) return;
    hasTold = true;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string") body.append(name, value);
    }
    body.set("seen.reading_ms", String(read));
    body.set("seen.reading_of", text.dataset.reading ?? "");
    void fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => undefined);
  };
  clock.shown(document.visibilityState === "visible", performance.now());
  new IntersectionObserver((seen) => {
    const last = seen.at(-1);
    if (last) clock.inView(last.isIntersecting, performance.now());
  }).observe(text);
  document.addEventListener("visibilitychange", () => {
    const isShown = document.visibilityState === "visible";
    clock.shown(isShown, performance.now());
    // A phone that puts the browser away may never tell of the page's end.
    if (!isShown) send();
  });
  window.addEventListener("pagehide", send);
}
