// The words over a robot's head: a picture of what it is about to do, what, and why.
import { el, setText, toggle } from "../dom/el";
import type { Aim } from "../world/aims";

const SVG = "http://www.w3.org/2000/svg";
/** Strokes in a square of 16, by verb. */
const PATHS: Record<string, string> = {
  go: "M2 8h11M9 4l4 4-4 4",
  pick: "M3 14h10M8 11V2M4 6l4-4 4 4",
  place: "M3 14h10M8 2v9M4 7l4 4 4-4",
  open: "M3 14V2h7v12M13 8H6m3-3 3 3-3 3",
  close: "M3 14V2h7v12M6 8h7m-4-3L6 8l3 3",
  clean: "M8 2c3 4 4 5.600 4 8a4 4 0 0 1-8 0c0-2.400 1-4 4-8",
  fill: "M3 3h10l-2 11H5zM4 8h8",
  power: "M8 2v6M4.500 4.500a5 5 0 1 0 7 0",
  look: "M7 2a5 5 0 1 0 .01 0M11 11l3 3",
  wait: "M8 2a6 6 0 1 0 .01 0M8 5v3l2 2",
  think: "M3 12h.01M8 12h.01M13 12h.01",
};

/** A label that follows what a robot is about to do. */
export class AimLabel {
  readonly root = el("span", { class: "aim" });
  private readonly path = document.createElementNS(SVG, "path");
  private readonly text = el("span", { class: "aim-text" });
  private readonly why = el("span", { class: "aim-why" });

  constructor() {
    const svg = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ viewBox: "0 0 16 16", "aria-hidden": "true", class: "aim-icon" })) {
      svg.setAttribute(name, value);
    }
    svg.append(this.path);
    this.root.append(svg, el("span", { class: "aim-words" }, this.text, this.why));
    this.root.hidden = true;
  }

  /** Show an aim; null hides it. */
  show(aim: Aim | null): void {
    toggle(this.root, aim !== null);
    if (!aim) return;
    this.root.dataset.verb = aim.verb;
    const path = PATHS[aim.verb] ?? "";
    if (this.path.getAttribute("d") !== path) this.path.setAttribute("d", path);
    setText(this.text, aim.text);
    setText(this.why, aim.why);
    toggle(this.why, aim.why !== "");
  }
}
