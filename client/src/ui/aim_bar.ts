import { button, el } from "../dom/el";

export interface AimHandlers {
  put(): void;
  turn(): void;
  keep(): void;
}

/** The buttons for fingers while a placement is aimed: keys and wheel do the same elsewhere. */
export class AimBar {
  readonly root: HTMLElement;

  constructor(on: AimHandlers) {
    this.root = el("section", { class: "panel aim-bar", testid: "aim-bar", at: { "aria-label": "Where to put it" } },
      el("p", { class: "aim-bar-word", text: "Tap the place: green fits" }),
      button("Put it here", () => on.put(), { class: "button action", testid: "aim-put" }),
      button("Turn", () => on.turn(), { class: "button action", testid: "aim-turn" }),
      button("Keep it", () => on.keep(), { class: "button action", testid: "aim-keep" }));
  }
}
