import { el } from "../dom/el";

/** A key or gesture, and what it does now. */
export interface KeyHint {
  keys: readonly string[];
  text: string;
}

/** The few keys that matter at this moment. */
export class KeyHints {
  readonly root: HTMLElement;
  private shown = "";

  constructor(look = "key-hints", testid = "key-hints") {
    this.root = el("p", { class: look, testid, at: { "aria-label": "Keys" } });
    this.root.hidden = true;
  }

  show(hints: readonly KeyHint[]): void {
    const key = JSON.stringify(hints);
    if (key === this.shown) return;
    this.shown = key;
    this.root.hidden = hints.length === 0;
    this.root.replaceChildren(
      ...hints.map(({ keys, text }) => el("span", { class: "key-hint" }, ...keys.map((word) => el("kbd", { text: word })), text)),
    );
  }
}
