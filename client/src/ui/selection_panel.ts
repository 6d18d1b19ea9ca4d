import { button, el, setText, toggle } from "../dom/el";
import { VERBS } from "../world/words";
import { KeyHints } from "./key_hints";
import { putInSlot } from "./thumb_slots";

export interface OfferedAction {
  verb: string;
  possible: boolean;
  reason: string;
  /** The key that does it. */
  key: string;
  /** Which part it is done to: `top drawer`; empty where that is clear. */
  part?: string;
}

/** What the hand holds, and the keys that put it down. */
export interface HeldItem {
  label: string;
  key: string;
  insideKey: string;
  /** Where it would be put down: `on the table`; empty where that is only to be seen. */
  where: string;
  /** Why it cannot be put down there; empty: nothing is known against it. */
  whyNot: string;
  /** Whether a step of the tutorial asks for another place than this: then it is not shown as the way on. */
  isAside: boolean;
  /** Whether something is selected that things can be put into. */
  canPutInside: boolean;
  /** Why this thing cannot; empty: nothing is known against it. */
  whyNotInside: string;
  /** Whether a button begins to aim, because there is no key to hold. */
  hasAimButton: boolean;
}

/** What the buttons of the panel do, but for the verbs. */
export interface SelectionHandlers {
  act(verb: string): void;
  refuse(reason: string): void;
  place(): void;
  putInside(): void;
  approach(): void;
  startAim(): void;
  deselect(): void;
}

/** What is under the pointer, what is selected, what can be done with it, what the hand holds. */
export class SelectionPanel {
  readonly root: HTMLElement;
  /** The buttons for thumbs, each in its own place, apart from the panels, whose words come and go. */
  readonly thumbs = el("div", { class: "thumb-bar", testid: "thumb-bar" });
  private readonly hover = el("p", { class: "hover", testid: "hover" });
  private readonly title = el("p", { class: "selection-title" });
  private readonly state = el("p", { class: "selection-state" });
  private readonly actions = el("div", { class: "actions" });
  private readonly walk: HTMLButtonElement;
  private readonly walkKey = el("kbd");
  private readonly why = el("p", { class: "selection-why" });
  private readonly selection: HTMLElement;
  private readonly held = el("span", { class: "held-label" });
  private readonly holding: HTMLElement;
  private readonly place: HTMLButtonElement;
  private readonly placeKey = el("kbd");
  private readonly placeText = el("span", { text: "Put down" });
  private readonly inside: HTMLButtonElement;
  private readonly insideKey = el("kbd");
  private readonly aim: HTMLButtonElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  readonly hints = new KeyHints();
  private offered: OfferedAction[] = [];

  constructor(private readonly on: SelectionHandlers) {
    const close = button("", () => on.deselect(), { class: "icon-button", title: "Deselect", at: { "aria-label": "Deselect" } }, "×");
    this.selection = el(
      "section",
      { class: "panel selection", testid: "selection", at: { "aria-label": "Selected" } },
      // What can change its length comes last: the buttons stay where they are.
      el("div", { class: "selection-head" }, this.title, close),
      this.actions,
      this.state,
      this.why,
    );
    this.walk = button("Walk there", () => on.approach(), { class: "button action", testid: "action-approach" });
    this.walk.prepend(this.walkKey);
    this.actions.append(this.walk);
    toggle(this.walk, false);
    this.place = button("", () => on.place(), { class: "button action", testid: "action-place" });
    this.place.append(this.placeKey, this.placeText);
    this.inside = button("Put inside", () => on.putInside(), { class: "button action", testid: "action-put-inside" });
    this.inside.prepend(this.insideKey);
    this.aim = button("Aim", () => on.startAim(), { class: "button action", testid: "action-aim", title: "Choose exactly where it goes" });
    for (const [made, action] of [[this.walk, "approach"], [this.place, "place"], [this.inside, "put_inside"], [this.aim, "aim"]] as const) putInSlot(made, action);
    this.holding = el(
      "section",
      { class: "panel holding", testid: "holding", at: { "aria-label": "In your hand" } },
      el("span", { class: "held-word", text: "Holding" }),
      this.held,
      this.place,
      this.inside,
      this.aim,
    );
    // Whatever the pointer meets on its way to a button moves none.
    this.root = el("div", { class: "dock" }, this.selection, this.holding, this.hover, el("div", { class: "dock-rest" }, this.hints.root));
    toggle(this.hover, false);
    toggle(this.selection, false);
    this.showHolding(null);
  }

  /** The panels of which it is made, as they lie over the scene. */
  get pieces(): HTMLElement[] {
    return [this.hover, this.selection, this.holding, this.hints.root, ...this.thumbs.querySelectorAll("button")];
  }

  /** Put the buttons where thumbs are from now on. */
  useThumbs(): void {
    this.thumbs.append(this.actions, this.place, this.inside, this.aim);
  }

  showHover(text: string): void {
    toggle(this.hover, text !== "");
    setText(this.hover, text);
  }

  /** Show what is selected; `actions` is null until the server has said what can be done; `tellsWhy`: where that is
      nothing, say why. */
  showSelection(title: string, state: string, actions: OfferedAction[] | null, tellsWhy = true): void {
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
    const reason = tellsWhy && impossible.length === this.offered.length ? (impossible[0]?.reason ?? "") : "";

    toggle(this.why, reason !== "");
    setText(this.why, reason);
  }

  hideSelection(): void {
    toggle(this.selection, false);
    this.offered = [];
    for (const made of this.buttons.values()) made.remove();
    this.buttons.clear();
  }

  /** Offer to walk to what is selected, by a button that names its key; where one is there already, not. */
  offerWalk(offered: boolean, key: string): void {
    toggle(this.walk, offered);
    setText(this.walkKey, key);
  }

  /** Whether a button walks to what is selected. */
  get offersWalk(): boolean {
    return !this.walk.hidden;
  }

  showHolding(held: HeldItem | null): void {
    toggle(this.holding, held !== null);
    toggle(this.place, held !== null);
    toggle(this.inside, held?.canPutInside ?? false);
    toggle(this.aim, held?.hasAimButton ?? false);
    if (!held) return;
    setText(this.held, held.label);
    setText(this.placeKey, held.key);
    setText(this.placeText, held.where ? `Put ${held.where}` : "Put down");
    setText(this.insideKey, held.insideKey);
    showPossible(this.place, !held.whyNot, held.whyNot);
    this.place.classList.toggle("aside", held.isAside);
    showPossible(this.inside, !held.whyNotInside, held.whyNotInside);
    toggle(this.placeKey, held.key !== "");
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

  /** Return the key that the button of a verb shows; empty where the verb is not offered. */
  keyOf(verb: string): string {
    const place = this.offered.findIndex((action) => action.verb === verb);
    return place < 0 ? "" : this.offered[place]?.key || String(place + 1);
  }

  private showAction(action: OfferedAction, place: number): void {
    const { verb, possible, reason, key, part } = action;
    let made = this.buttons.get(verb);
    if (!made) {
      made = button("", () => this.press(verb), { class: "button action", testid: `action-${verb}` });
      made.append(el("kbd"), el("span"));
      putInSlot(made, verb);
      this.buttons.set(verb, made);
    }
    const [hint, label] = made.children as unknown as [HTMLElement, HTMLElement];
    setText(hint, key || String(place + 1));
    setText(label, [VERBS[verb] ?? verb.replaceAll("_", " "), part && `the ${part}`].filter(Boolean).join(" "));
    showPossible(made, possible, reason);
    if (this.actions.children[place] !== made) {
      this.actions.insertBefore(made, this.actions.children[place] ?? null);
    }
  }

  private press(verb: string): void {
    const action = this.offered.find((offered) => offered.verb === verb);
    if (!action) return;
    if (action.possible) this.on.act(verb);
    else this.on.refuse(action.reason);
  }
}

/** Show whether a button's action is possible: not by `disabled`, so that whoever presses it is told why it is not. */
function showPossible(made: HTMLButtonElement, possible: boolean, why: string): void {
  if (made.getAttribute("aria-disabled") !== String(!possible)) made.setAttribute("aria-disabled", String(!possible));
  made.title = possible ? "" : why;
}
