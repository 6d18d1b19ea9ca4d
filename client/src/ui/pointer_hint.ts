import { el } from "../dom/el";

const SHOWN_MS = 3200;
/** How far above the lower edge it is at least: what one is told there stays in view. */
const LOWEST_PX = 96;
/** How high one line of it is, with a gap. */
const LINE_PX = 44;

/** One line near the pointer: why something did not work. */
export class PointerHint {
  readonly root = el("p", { class: "near-pointer", testid: "refusal", at: { role: "status", "aria-live": "assertive" } });
  private timer = 0;
  /** Upper edge of buttons that it does not lie over (CSS pixels); null where there are none. */
  private buttonsTop: number | null = null;

  constructor() {
    this.root.hidden = true;
  }

  /** Show a line at a point of the scene (CSS pixels), for a while or, with `forMs` 0, until `hide`;
      `good`: it is no refusal. */
  show(text: string, x: number, y: number, forMs = SHOWN_MS, good = false): void {
    window.clearTimeout(this.timer);
    this.root.classList.toggle("good", good);
    this.root.hidden = false;
    if (this.root.textContent !== text) this.root.textContent = text;
    const width = Math.min(320, window.innerWidth - 24);
    const left = Math.max(width / 2 + 8, Math.min(window.innerWidth - width / 2 - 8, x));
    this.root.style.left = `${Math.round(left)}px`;
    const lowest = Math.min(window.innerHeight - LOWEST_PX, (this.buttonsTop ?? Infinity) - LINE_PX);
    // Not under the finger, nor over what it points at: where there is no room below, it is above.
    const top = y + 22 <= lowest ? y + 22 : Math.min(lowest, this.buttonsTop === null ? lowest : y - 2 * LINE_PX);
    this.root.style.top = `${Math.round(Math.max(60, top))}px`;
    if (forMs > 0) this.timer = window.setTimeout(() => this.hide(), forMs);
  }

  /** Keep off buttons whose upper edge is there; null: there are none. */
  keepOff(top: number | null): void {
    this.buttonsTop = top;
  }

  hide(): void {
    this.root.hidden = true;
    this.root.textContent = "";
  }
}
