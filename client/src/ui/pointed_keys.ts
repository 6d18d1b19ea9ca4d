import type { Point } from "../dom/pixels";
import { KeyHints } from "./key_hints";
import type { KeyHint } from "./key_hints";

/** How far from the pointer its middle and its upper edge are. */
const ASIDE_PX = 14;
const BELOW_PX = 20;

/** What keys do to what is pointed at, at the pointer, while something else is selected. */
export class PointedKeys {
  private readonly hints = new KeyHints("pointed-keys", "pointed-keys");

  get root(): HTMLElement {
    return this.hints.root;
  }

  show(hints: readonly KeyHint[], at: Point): void {
    this.hints.show(hints);
    if (hints.length === 0) return;
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = Math.min(at.x + ASIDE_PX, window.innerWidth - width - ASIDE_PX);
    const top = at.y + BELOW_PX + height > window.innerHeight - ASIDE_PX ? at.y - BELOW_PX - height : at.y + BELOW_PX;
    this.root.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}
