import { button, el, setText, toggle } from "../dom/el";
import { VERBS } from "../world/words";

export interface OfferedAction {
  verb: string;
  possible: boolean;
  reason: string;
  /** The key that does it. */
  key: string;
}

/** What the hand holds, and the keys that put it down or aim. */
export interface HeldItem {
  label: string;
  key: string;
  aimKey: string;
}

/** What is under the pointer, what is selected, what can be done with it, what the hand holds. */
export class SelectionPanel {
  readonly root: HTMLElement;
  private readonly hover = el("p", { class: "hover", testid: "hover" });
  private readonly title = el("p", { class: "selection-title" });
  private readonly state = el("p", { class: "selection-state" });
  private readonly actions = el("div", { class: "actions" });
  private readonly why = el("p", { class: "selection-why" });
  private readonly selection: HTMLElement;
  private readonly held = el("span", { class: "held-label" });
  private readonly holding: HTMLElement;
  private readonly place: HTMLButtonElement;
  private readonly placeKey = el("kbd");
  private readonly aimKey = el("kbd");
  private readonly aimHint = el("span", { class: "held-hint" }, this.aimKey, " aim");
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private offered: OfferedAction[] = [];

  constructor(
    private readonly onAct: (verb: string) => void,
    private readonly onRefuse: (reason: string) => void,
    onPlace: () => void,
    onClose: () => void,
  ) {
    const close = button("", onClose, { class: "icon-button", title: "Deselect", at: { "aria-label": "Deselect" } }, "×");
    this.selection = el(
      "section",
      { class: "panel selection", testid: "selection", at: { "aria-label": "Selected" } },
      el("div", { class: "selection-head" }, el("div", {}, this.title, this.state), close),
      this.actions,
      this.why,
    );
    this.place = button("Put down", onPlace, { class: "button action", testid: "action-place" });
    this.place.prepend(this.placeKey);
    this.holding = el(
      "section",
      { class: "panel holding", testid: "holding", at: { "aria-label": "In your hand" } },
      el("span", { class: "held-word", text: "Holding" }),
      this.held,
      this.place,
      this.aimHint,
    );
    this.root = el("div", { class: "centre-column" }, this.hover, this.selection, this.holding);
    toggle(this.hover, false);
    toggle(this.selection, false);
    toggle(this.holding, false);
  }

  showHover(text: string): void {
    toggle(this.hover, text !== "");
    setText(this.hover, text);
  }

  /** Show what is selected; `actions` is null until the server has said what can be done. */
  showSelection(title: string, state: string, actions: OfferedAction[] | null): void {
    toggle(this.selection, true);
    setText(this.title, title);
    setText(this.state, state);
    this.offered = actions ?? [];
    const verbs = new Set(this.offered.map((action) => action.verb));
    for (const [verb, made] of this.buttons) {
      if (verbs.has(verb)) continue;
      made.remove();
      this.buttons.delete(verb);
    }
    for (const [i, action] of this.offered.entries()) this.showAction(action, i);
    const impossible = this.offered.filter((action) => !action.possible);
    const reason = impossible.length === this.offered.length ? (impossible[0]?.reason ?? "") : "";

    toggle(this.why, reason !== "");
    setText(this.why, reason);
  }

  hideSelection(): void {
    toggle(this.selection, false);
    this.offered = [];
    for (const made of this.buttons.values()) made.remove();
    this.buttons.clear();
  }

  showHolding(held: HeldItem | null): void {
    toggle(this.holding, held !== null);
    if (!held) return;
    setText(this.held, held.label);
    setText(this.placeKey, held.key);
    toggle(this.placeKey, held.key !== "");
    setText(this.aimKey, held.aimKey);
    toggle(this.aimHint, held.aimKey !== "");
  }

  /** Return the verb of a number key; null for none. */
  nth(digit: number): string | null {
    return this.offered[digit - 1]?.verb ?? null;
  }

  /** Find the action for one of these verbs: one that is possible if there is one. */
  find(verbs: readonly string[]): OfferedAction | null {
    const fitting = this.offered.filter((action) => verbs.includes(action.verb));
    return fitting.find((action) => action.possible) ?? fitting[0] ?? null;
  }

  private showAction(action: OfferedAction, place: number): void {
    const { verb, possible, reason, key } = action;
    let made = this.buttons.get(verb);
    if (!made) {
      made = button("", () => this.press(verb), { class: "button action", testid: `action-${verb}` });
      made.append(el("kbd"), el("span"));
      this.buttons.set(verb, made);
    }
    const [hint, label] = made.children as unknown as [HTMLElement, HTMLElement];
    setText(hint, key || String(place + 1));
    setText(label, VERBS[verb] ?? verb.replaceAll("_", " "));
    // Not `disabled`: whoever presses it is told why it does not work.
    if (made.getAttribute("aria-disabled") !== String(!possible)) {
      made.setAttribute("aria-disabled", String(!possible));
    }
    made.title = possible ? "" : reason;
    if (this.actions.children[place] !== made) {
      this.actions.insertBefore(made, this.actions.children[place] ?? null);
    }
  }

  private press(verb: string): void {
    const action = this.offered.find((offered) => offered.verb === verb);
    if (!action) return;
    if (action.possible) this.onAct(verb);
    else this.onRefuse(action.reason);
  }
}
