import { button, el } from "../dom/el";
import type { SeatKind } from "../world/world";

const LINES = 60;
/** Seconds after which a line fades while nobody types. */
const FRESH_S = 14;

export class ChatPanel {
  readonly root: HTMLElement;
  private readonly log = el("ol", { class: "chat-log", testid: "chat-log", at: { "aria-live": "polite", "aria-label": "Chat" } });
  private readonly input = el("input", {
    class: "chat-input",
    testid: "chat-input",
    at: { "aria-label": "Write to your partner", placeholder: "Write to your partner", autocomplete: "off", enterkeyhint: "send" },
  });

  constructor(onSay: (text: string) => boolean) {
    const open = button("Chat", () => this.open(), { class: "button chat-open", testid: "chat-open" }, el("kbd", { text: "Enter" }));
    this.root = el("section", { class: "chat", at: { "aria-label": "Chat" } }, this.log, this.input, open);
    this.input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.close();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      const text = this.input.value.trim();
      if (text === "") this.close();
      else if (onSay(text)) this.input.value = "";
    });
    this.input.addEventListener("focus", () => this.root.classList.add("writing"));
    this.input.addEventListener("blur", () => this.root.classList.remove("writing"));
  }

  setLimit(characters: number): void {
    this.input.maxLength = characters;
  }

  open(): void {
    this.root.classList.add("writing");
    this.input.focus({ preventScroll: true });
    this.log.scrollTop = this.log.scrollHeight;
  }

  close(): void {
    this.input.blur();
  }

  clear(): void {
    this.log.replaceChildren();
  }

  /** Add a line; `old`: it was said before the page was there. */
  add(who: string, kind: SeatKind, text: string, old = false): void {
    const line = el("li", { class: `chat-line ${kind}${old ? " stale" : ""}` }, el("b", { text: who }), " ", el("span", { text }));
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
    this.log.append(line);
    while (this.log.childElementCount > LINES) this.log.firstElementChild?.remove();
    if (atEnd || !this.root.classList.contains("writing")) this.log.scrollTop = this.log.scrollHeight;
    if (!old) window.setTimeout(() => line.classList.add("stale"), FRESH_S * 1000);
  }
}
