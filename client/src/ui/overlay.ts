import { button, el, setText } from "../dom/el";
import type { Screen, ScreenAction } from "./screens";

/** The screen that covers the scene and says why. */
export class Overlay {
  readonly root: HTMLElement;
  private readonly title = el("h1", { class: "screen-title" });
  private readonly text = el("p", { class: "screen-text" });
  private readonly bar = el("div", { class: "screen-bar" }, el("span"));
  private readonly steps = el("ul", { class: "screen-steps" });
  private readonly actions = el("div", { class: "screen-actions" });
  private key = "";

  constructor(private readonly act: (action: ScreenAction) => void) {
    const card = el("div", { class: "screen-card" }, this.title, this.text, this.bar, this.steps, this.actions);
    this.root = el("section", { class: "screen", testid: "screen", at: { role: "status", "aria-live": "polite" } }, card);
    this.root.hidden = true;
  }

  show(screen: Screen | null): void {
    this.root.hidden = screen === null;
    if (!screen) {
      if (this.key === "") return;
      this.key = "";
      delete this.root.dataset.screen;
      // Nobody is told any more what was waited for.
      setText(this.title, "");
      setText(this.text, "");
      this.steps.replaceChildren();
      this.actions.replaceChildren();
      return;
    }
    this.root.dataset.screen = screen.id;
    setText(this.title, screen.title);
    setText(this.text, screen.text);
    this.bar.hidden = screen.progress === undefined;
    (this.bar.firstElementChild as HTMLElement).style.width = `${Math.round((screen.progress ?? 0) * 100)}%`;
    const key = JSON.stringify([screen.id, screen.steps, screen.actions]);
    if (key === this.key) return;
    this.key = key;
    this.steps.replaceChildren(
      ...(screen.steps ?? []).map(({ label, done }) =>
        el("li", { class: done ? "done" : "", text: label }, el("span", { class: "sr", text: done ? " is ready" : " …" })),
      ),
    );
    this.actions.replaceChildren(
      ...screen.actions.map(({ label, action }, i) =>
        button(label, () => this.act(action), {
          class: i === 0 ? "button primary" : "button",
          testid: `screen-${action}`,
        }),
      ),
    );
  }
}
