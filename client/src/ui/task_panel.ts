import { button, el, setText, toggle } from "../dom/el";
import type { SeatLook } from "../world/seat_looks";

/** The panel that says what to do, and how long it has taken or what is left. */
export class TaskPanel {
  readonly root: HTMLElement;
  private readonly text = el("p", { class: "task-text", testid: "task" });
  private readonly time = el("span", { class: "task-time", testid: "time", at: { role: "timer" } });
  private readonly roleMark = el("span", { class: "seat-mark", testid: "role-mark", at: { "aria-hidden": "true" } });
  private readonly roleName = el("span", { class: "task-role-name" });
  private readonly roleText = el("span", {});
  private readonly role = el("p", { class: "task-role", testid: "role" }, this.roleMark, this.roleName, this.roleText);
  private readonly notes = el("p", { class: "task-note", testid: "notice", at: { role: "status" } });

  private readonly waits = el("span", {});
  private readonly ready: HTMLElement;
  private readonly readyButton: HTMLElement;

  private readonly foldButton: HTMLElement;
  private isFolded = false;

  /** `onReady`: somebody is ready, so that the clock need not wait for them; `onFold`: the panel was folded or opened. */
  constructor(
    onReady: () => void = () => undefined,
    private readonly onFold: (folded: boolean) => void = () => undefined,
  ) {
    this.foldButton = button("", () => this.fold(!this.isFolded), { class: "icon-button words task-fold", testid: "task-fold", at: { "aria-expanded": "true" } });
    this.readyButton = button("I am ready", onReady, { class: "button small", testid: "ready" });
    this.ready = el("p", { class: "task-ready", testid: "clock-waits" }, this.waits, this.readyButton);
    this.ready.hidden = true;
    this.root = el("section", { class: "panel task", at: { "aria-label": "Your task" } }, el("div", { class: "task-row" }, this.text, this.time, this.foldButton), this.role, this.ready, this.notes);
    this.nameFold();
    this.notes.hidden = true;
    this.role.hidden = true;
    new ResizeObserver(() => this.noteLength()).observe(this.text);
  }

  /** Fold the panel to one line where the window is small, or open it again. */
  fold(folded: boolean): void {
    this.isFolded = folded;
    this.foldButton.setAttribute("aria-expanded", String(!folded));
    this.nameFold();
    this.root.classList.toggle("unfolded", !folded);
    this.onFold(folded);
  }

  /** Say on the button what it does now: a mark alone does not say what it folds. */
  private nameFold(): void {
    setText(this.foldButton, this.isFolded ? "more" : "less");
    this.foldButton.setAttribute("aria-label", this.isFolded ? "More: show the whole task" : "Less: fold the task");
  }

  setTask(text: string): void {
    setText(this.text, text);
    this.noteLength();
  }

  /** Say what the clock waits for (empty: it runs), and whether the player can say that it need not wait for them. */
  setReady(text: string, asks: boolean): void {
    toggle(this.ready, text !== "");
    toggle(this.readyButton, asks);
    setText(this.waits, text);
  }

  /** Say who the player is and what their body can do, beside the mark of one of several; empty: nothing. */
  setRole(text: string, look: SeatLook | null): void {
    toggle(this.role, text !== "");
    toggle(this.roleMark, look !== null);
    this.role.dataset.look = look?.key ?? "";
    const [who = "", does = ""] = text.split(/(?<=:)/);
    setText(this.roleName, who);
    setText(this.roleText, does);
  }

  /** Take the pointer only where there is something to scroll. */
  private noteLength(): void {
    this.text.classList.toggle("scrolls", this.text.scrollHeight > this.text.clientHeight + 2);
  }

  setTime(text: string, urgent: boolean): void {
    toggle(this.time, text !== "");
    setText(this.time, text);
    this.time.classList.toggle("urgent", urgent);
  }

  /** Show a line below the task, such as that the partner has finished. */
  setNote(text: string): void {
    toggle(this.notes, text !== "");
    setText(this.notes, text);
  }
}
