import { el, setText, toggle } from "../dom/el";
import type { Point } from "../dom/pixels";

const MARGIN_PX = 4;

/** The mark over the thing that the tutorial names for an example. */
export class ExampleMark {
  readonly root = el("div", { class: "markers", at: { "aria-hidden": "true" } });
  private readonly label = el("span");
  private readonly pin = el("div", { class: "example-pin", testid: "example-pin" }, this.label);

  constructor() {
    this.root.append(this.pin);
    toggle(this.pin, false);
  }

  /** Show the mark with a name at a point of the canvas; null hides it. `behind`: something stands before it. */
  show(name: string, at: Point | null, behind: boolean): void {
    toggle(this.pin, at !== null);
    if (!at) return;
    setText(this.label, name);
    this.pin.classList.toggle("behind", behind);
    // The name stays within the window, the tip points at the thing.
    const half = this.pin.offsetWidth / 2 + MARGIN_PX;
    const x = Math.max(half, Math.min(this.root.clientWidth - half, at.x));
    this.pin.style.setProperty("--tip", `${(at.x - x).toFixed(0)}px`);
    this.pin.style.transform = `translate(${x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -100%)`;
  }
}
