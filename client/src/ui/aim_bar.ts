import { button, el, setText } from "../dom/el";
import { putInSlot } from "./thumb_slots";

export interface AimHandlers {
  put(): void;
  turn(): void;
  keep(): void;
}

type Fit = "fits" | "no" | "unknown";

const WORDS: Record<Fit, string> = {
  unknown: "Tap the place: green fits",
  fits: "It fits: press Put it here",
  no: "Not there: tap another place",
};

/** The buttons for fingers while a placement is aimed: keys and wheel do the same elsewhere. What begins and what ends it
    lie in no place of each other, so that a second tap does neither; the words lie where *Aim* was. */
export class AimBar {
  readonly root: HTMLElement;
  private readonly word = el("p", { class: "panel aim-bar-word" });

  constructor(on: AimHandlers) {
    const put = button("Put it here", () => on.put(), { class: "button action", testid: "aim-put" });
    const keep = button("Keep it", () => on.keep(), { class: "button action", testid: "aim-keep" });
    const turn = button("Turn", () => on.turn(), { class: "button action", testid: "aim-turn" });
    for (const [made, action] of [[put, "aim_put"], [keep, "aim_keep"], [turn, "aim_turn"]] as const) putInSlot(made, action);
    this.root = el("section", { class: "aim-bar", testid: "aim-bar", at: { "aria-label": "Where to put it" } },
      this.word, put, keep, turn);
    this.show("unknown");
  }

  /** Say what comes next, by whether the thing fits at the place that was tapped. */
  show(fit: Fit): void {
    setText(this.word, WORDS[fit]);
  }
}
