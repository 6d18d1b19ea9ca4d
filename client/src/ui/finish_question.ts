import { button, el, setText, toggle } from "../dom/el";

/** The question whether somebody means to finish, which says what that does. It covers nothing and holds nobody up. */
export class FinishQuestion {
  readonly root: HTMLElement;
  private readonly text = el("p", { class: "question-text" });
  private readonly yes: HTMLElement;

  constructor(onYes: () => void) {
    this.yes = button("Yes, finish", () => {
      toggle(this.root, false);
      onYes();
    }, { class: "button", testid: "finish-yes" });
    const no = button("Go on", () => toggle(this.root, false), { class: "button", testid: "finish-no" });
    this.root = el("section", { class: "panel question", testid: "finish-question", at: { role: "group", "aria-label": "Finish?" } }, this.text, el("div", { class: "question-answers" }, this.yes, no));
    this.root.hidden = true;
  }

  ask(text: string): void {
    setText(this.text, text);
    // Who asked by a key answers by the next one; the keys of whoever pressed with a mouse keep playing.
    const byKey = document.activeElement?.matches("button:focus-visible") ?? false;
    toggle(this.root, true);
    if (byKey) this.yes.focus();
  }

  hide(): void {
    toggle(this.root, false);
  }
}
