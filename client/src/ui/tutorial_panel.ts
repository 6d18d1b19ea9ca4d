import { button, el, setText, toggle } from "../dom/el";
import type { KeyHint } from "./key_hints";

/** The key or gesture that comes next, and where to turn for what it is done to; empty where that is in view. */
export interface Cue extends KeyHint {
  where: string;
}

/** The step of the tutorial that is to be done now, and the very next key for it. */
export class TutorialPanel {
  readonly root: HTMLElement;
  /** The key or gesture, at the lower edge, below what one works on. */
  readonly cue = el("p", { class: "cue", testid: "tutorial-cue", at: { "aria-hidden": "true" } });
  /** What the step asks, above the line of who is being walked: the card may have no room for it. */
  readonly walkStep = el("span", { class: "cue-step" });
  private readonly count = el("span", { class: "tutorial-count" });
  private readonly title = el("b", { testid: "tutorial-step" });
  private readonly text = el("p", { class: "tutorial-text" });
  /** A line for the chat, which is put into it by a press. */
  private readonly example: HTMLElement;
  private readonly exampleText = el("q");
  private readonly skipButton: HTMLElement;
  private readonly restart: HTMLElement;
  private readonly leave: HTMLElement;
  private readonly answers: HTMLElement;
  private readonly question: HTMLElement;
  private isLast = false;
  private isRequired = false;
  private shownCue = "";

  constructor(onSkip: () => void, onLeave: () => void, onRestart: () => void, onWrite: (text: string) => void) {
    this.example = button("", () => onWrite(this.exampleText.textContent), { class: "button small tutorial-example", testid: "tutorial-example" }, "Write ", this.exampleText);
    this.example.hidden = true;
    this.skipButton = button("Skip this", onSkip, { class: "button small", testid: "tutorial-skip" });
    // Who means to skip a step, or clicks where a button has just come, loses no tutorial by it.
    this.leave = button("Skip all", () => (this.isLast ? onLeave() : this.ask(true)), { class: "button small", testid: "tutorial-leave" });
    const away = button("Skip all steps", () => { this.ask(false); onLeave(); }, { class: "button small", testid: "tutorial-leave-yes" });
    const stay = button("Keep going", () => this.ask(false), { class: "button small", testid: "tutorial-leave-no" });
    this.question = el("p", { class: "tutorial-answers tutorial-question", at: { role: "group", "aria-label": "Skip all steps?" } }, stay, away);
    this.restart = button("Start over", onRestart, { class: "button small", testid: "tutorial-restart", title: "You left the tutorial here: begin at its first step" });
    this.answers = el("p", { class: "tutorial-answers" }, this.skipButton, this.leave, this.restart);
    this.root = el("section", { class: "panel tutorial", testid: "tutorial", at: { "aria-label": "Tutorial", "aria-live": "polite" } },
      el("p", { class: "tutorial-title" }, this.count, this.title), this.text, this.example, this.answers, this.question);
    this.question.hidden = true;
    this.root.hidden = true;
    this.cue.hidden = true;
  }

  /** The step that is shown; empty: none is. */
  get step(): string {
    return this.root.hidden ? "" : (this.root.dataset.step ?? "");
  }

  /** Offer no way past a step that can be done: a study counts what was done. */
  require(): void {
    this.isRequired = true;
  }

  /** Show a step; `line` is what can be written to the partner in it, empty for nothing; nobody can do one that
      is `stuck`: nothing in the house admits it any more. */
  show(step: { id: string; title: string }, text: string, at: number, of: number, cue: Cue | null, resumed: boolean, line = "", stuck = false): void {
    toggle(this.root, true);
    this.root.dataset.step = step.id;
    setText(this.count, `${at} / ${of}`);
    setText(this.title, step.title);
    setText(this.text, text);
    setText(this.walkStep, text);
    toggle(this.example, line !== "");
    setText(this.exampleText, line);
    this.isLast = at >= of;
    toggle(this.skipButton, !this.isLast && (!this.isRequired || stuck));
    toggle(this.leave, this.isLast || !this.isRequired);
    setText(this.leave, this.isLast ? "Hide" : "Skip all");
    toggle(this.restart, resumed);
    const key = JSON.stringify([cue, text]);
    toggle(this.cue, true);
    if (key === this.shownCue) return;
    this.shownCue = key;
    // Where the card has no room for what the step asks, this is where one reads it, also with no key to name.
    this.cue.classList.toggle("bare", cue === null);
    const next = cue ? [...cue.keys.map((word) => el("kbd", { text: word })), el("span", { text: cue.text }), cue.where && el("span", { class: "cue-where", text: cue.where })] : [];
    this.cue.replaceChildren(el("span", { class: "cue-step", text }), ...next);
  }

  /** Ask whether to skip all steps, in the place of the buttons that led here. */
  private ask(asks: boolean): void {
    toggle(this.answers, !asks);
    toggle(this.question, asks);
  }

  hide(): void {
    this.ask(false);
    toggle(this.root, false);
    toggle(this.cue, false);
    setText(this.walkStep, "");
  }
}
