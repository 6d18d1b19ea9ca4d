import { el, setText, toggle } from "../dom/el";

/** The panel that says what to do, and how long it has taken or what is left. */
export class TaskPanel {
  readonly root: HTMLElement;
  private readonly text = el("p", { class: "task-text", testid: "task" });
  private readonly time = el("span", { class: "task-time", testid: "time", at: { role: "timer" } });
  private readonly notes = el("p", { class: "task-note", testid: "notice", at: { role: "status" } });

  constructor() {
    this.root = el("section", { class: "panel task", at: { "aria-label": "Your task" } }, el("div", { class: "task-row" }, this.text, this.time), this.notes);
    this.notes.hidden = true;
  }

  setTask(text: string): void {
    setText(this.text, text);
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
