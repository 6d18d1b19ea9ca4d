import { button, el, setText, toggle } from "../dom/el";
import type { KeyHint } from "./key_hints";

/** The key or gesture that comes next, and where to turn for what it is done to; empty where that is in view. */
export interface Cue extends KeyHint {
  where: string;
}

/** The step of the tutorial that is to be done now, and the very next key for it. */
export class TutorialPanel {
  readonly root: HTMLElement;
  /** The key or gesture, in the middle of the view, where one looks. */
  readonly cue = el("p", { class: "cue", testid: "tutorial-cue", at: { "aria-hidden": "true" } });
  private readonly count = el("span", { class: "tutorial-count" });
  private readonly title = el("b", { testid: "tutorial-step" });
  private readonly text = el("p", { class: "tutorial-text" });
  private readonly skipButton: HTMLElement;
  private readonly restart: HTMLElement;
  private shownCue = "";

  constructor(onSkip: () => void, onLeave: () => void, onRestart: () => void) {
    this.skipButton = button("Skip this", onSkip, { class: "button small", testid: "tutorial-skip" });
    const leave = button("Skip all", onLeave, { class: "button small", testid: "tutorial-leave" });
    this.restart = button("Start over", onRestart, { class: "button small", testid: "tutorial-restart", title: "You left the tutorial here: begin at its first step" });
    this.root = el("section", { class: "panel tutorial", testid: "tutorial", at: { "aria-label": "Tutorial", "aria-live": "polite" } },
      el("p", { class: "tutorial-title" }, this.count, this.title), this.text, el("p", { class: "tutorial-answers" }, this.skipButton, leave, this.restart));
    this.root.hidden = true;
    this.cue.hidden = true;
  }

  show(step: { id: string; title: string }, text: string, at: number, of: number, cue: Cue | null, resumed: boolean): void {
    toggle(this.root, true);
    this.root.dataset.step = step.id;
    setText(this.count, `${at} / ${of}`);
    setText(this.title, step.title);
    setText(this.text, text);
    toggle(this.skipButton, at < of);
    toggle(this.restart, resumed);
    const key = JSON.stringify(cue);
    toggle(this.cue, cue !== null);
    if (!cue || key === this.shownCue) return;
    this.shownCue = key;
    this.cue.replaceChildren(
      ...cue.keys.map((word) => el("kbd", { text: word })),
      el("span", { text: cue.text }),
      cue.where && el("span", { class: "cue-where", text: cue.where }),
    );
  }

  hide(): void {
    toggle(this.root, false);
    toggle(this.cue, false);
  }
}
