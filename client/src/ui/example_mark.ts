import { el, setText, toggle } from "../dom/el";
import type { Point } from "../dom/pixels";

const MARGIN_PX = 4;
/** How far from the end of the mark its tip is at least. */
const TIP_PX = 14;
/** How high what a finger presses is at least. */
const LEAST_PX = 44;

/** The mark over the thing that the tutorial names for an example; an arrow where that is out of view or lies under
    a panel. A press on it means the thing; it takes no pointer itself, so that one can drag the view over it. */
export class ExampleMark {
  readonly root = el("div", { class: "markers", at: { "aria-hidden": "true" } });
  private readonly label = el("span");
  private readonly pin = el("div", { class: "example-pin", testid: "example-pin" }, this.label);
  private readonly arrowLabel = el("span");
  private readonly tip = el("span", { class: "example-tip" });
  private readonly arrow = el("div", { class: "example-arrow", testid: "example-arrow" }, this.tip, this.arrowLabel);

  constructor() {
    this.root.append(this.pin, this.arrow);
    this.hide();
  }

  hide(): void {
    toggle(this.pin, false);
    toggle(this.arrow, false);
  }

  /** Show the mark with a name, its foot at a point of the canvas and its tip, as far as it goes, over the thing at
      `tipX`. `behind`: something stands before it. */
  show(name: string, at: Point, tipX: number, behind: boolean): void {
    toggle(this.arrow, false);
    toggle(this.pin, true);
    setText(this.label, name);
    this.pin.classList.toggle("behind", behind);
    const most = this.pin.offsetWidth / 2 - TIP_PX;
    this.pin.style.setProperty("--tip", `${Math.max(-most, Math.min(most, tipX - at.x)).toFixed(0)}px`);
    this.pin.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -100%)`;
  }

  /** Show an arrow with a name at a place in view, which points towards another. */
  point(name: string, at: Point, towards: Point): void {
    toggle(this.pin, false);
    toggle(this.arrow, true);
    setText(this.arrowLabel, name);
    const half = this.arrow.offsetWidth / 2 + MARGIN_PX;
    const x = Math.max(half, Math.min(this.root.clientWidth - half, at.x));
    this.arrow.classList.toggle("rightwards", towards.x > at.x);
    this.arrow.style.transform = `translate(${x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`;
    this.tip.style.transform = `rotate(${Math.atan2(towards.y - at.y, towards.x - at.x).toFixed(2)}rad)`;
  }

  /** Tell whether a point of the scene is on the mark or its arrow. */
  isAt({ x, y }: Point): boolean {
    return [this.pin, this.arrow].some((mark) => {
      const { left, right, top, bottom, width } = mark.getBoundingClientRect();
      // A finger needs more room than the words.
      const more = Math.max(0, LEAST_PX - (bottom - top)) / 2;
      return width > 0 && x >= left && x <= right && y >= top - more && y <= bottom + more;
    });
  }

  /** Return about how large the mark with a name is (CSS pixels). */
  size(name: string): { width: number; height: number } {
    return { width: this.pin.offsetWidth || this.arrow.offsetWidth || name.length * 8 + 40, height: (this.pin.offsetHeight || 24) + 10 };
  }
}
