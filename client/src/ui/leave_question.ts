import { button, el, setText, toggle } from "../dom/el";

/** The question whether somebody means to leave this home, which says what becomes of it and of the others. */
export class LeaveQuestion {
  readonly root: HTMLElement;
  private readonly text = el("p", { class: "question-text" });

  constructor(onYes: () => void) {
    const yes = button("Leave", onYes, { class: "button", testid: "leave-yes" });
    const no = button("Stay", () => toggle(this.root, false), { class: "button", testid: "leave-no" });
    this.root = el("section", { class: "panel leaving", testid: "leave-question", at: { role: "group", "aria-label": "Leave this home?" } }, this.text, el("div", { class: "question-answers" }, yes, no));
    this.root.hidden = true;
  }

  /** Say what happens then; `several`: others are in it. */
  setOthers(several: "none" | "one" | "more"): void {
    setText(this.text, `Leave this home? ${FOLLOWS[several]}`);
  }
}

const FOLLOWS = {
  none: "What you did is kept. The start page takes you back in for as long as it is open.",
  one: "Your partner is told, and can go on without you. You cannot come back in.",
  more: "The others are told, and can go on without you. You cannot come back in.",
} as const;
