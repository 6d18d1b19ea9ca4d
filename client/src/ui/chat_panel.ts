import { button, el, toggle } from "../dom/el";
import type { SeatLook } from "../world/seat_looks";
import { addressed } from "../world/seat_names";
import { titleOf } from "../world/words";
import type { Seat, World } from "../world/world";

const LINES = 60;
/** Seconds after which a line fades while nobody types. */
const FRESH_S = 14;

export class ChatPanel {
  readonly root: HTMLElement;
  private readonly log = el("ol", { class: "chat-log", testid: "chat-log", at: { "aria-live": "polite", "aria-label": "Chat" } });
  private readonly chooser = el("div", { class: "chat-to", testid: "chat-to", at: { role: "group", "aria-label": "To whom" } });
  private readonly input = el("input", {
    class: "chat-input",
    testid: "chat-input",
    at: { autocomplete: "off", enterkeyhint: "send" },
  });
  /** The names by which the others can be addressed, by seat id. */
  private names: ReadonlyMap<string, string> = new Map();

  constructor(onSay: (text: string) => boolean) {
    const open = button("Chat", () => this.open(), { class: "button chat-open", testid: "chat-open" }, el("kbd", { text: "Enter" }));
    this.root = el("section", { class: "chat", at: { "aria-label": "Chat" } }, this.log, this.chooser, this.input, open);
    this.input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.close();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      const text = this.input.value.trim();
      if (text === "") this.close();
      else if (onSay(text)) this.write("");
    });
    this.input.addEventListener("input", () => this.showAddressees());
    this.input.addEventListener("focus", () => this.root.classList.add("writing"));
    // Choosing whom to write to does not end the writing.
    this.root.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.root.contains(event.relatedTarget))) this.root.classList.remove("writing");
    });
    this.chooser.addEventListener("keydown", (event) => event.stopPropagation());
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

  /** Begin anew: no lines yet, and these are the ones to write to. */
  begin(world: World): void {
    this.log.replaceChildren();
    this.names = new Map(world.isPair ? [] : world.others.map(({ seatId, name }) => [seatId, name]));
    const whom = world.isPair ? "your partner" : "everybody";
    this.input.placeholder = `Write to ${whom}`;
    this.input.setAttribute("aria-label", this.input.placeholder);
    toggle(this.chooser, !world.isPair);
    this.chooser.replaceChildren();
    if (world.isPair) return;
    this.chooser.append(
      this.choice("", "Everybody", null),
      ...world.others.map((seat) => this.choice(seat.seatId, titleOf(world, seat), seat.look)),
    );
    this.showAddressees();
  }

  /** Add a line; `old`: it was said before the page was there. */
  add(world: World, speaker: Seat, text: string, old = false): void {
    const who = speaker.index === world.me ? "You" : titleOf(world, speaker);
    const line = el("li", { class: `chat-line${old ? " stale" : ""}` }, ...lineOf(world, speaker, who, text, world.me));
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
    this.log.append(line);
    while (this.log.childElementCount > LINES) this.log.firstElementChild?.remove();
    if (atEnd || !this.root.classList.contains("writing")) this.log.scrollTop = this.log.scrollHeight;
    if (!old) window.setTimeout(() => line.classList.add("stale"), FRESH_S * 1000);
  }

  /** Make the button that puts an address before what is being written; of nobody, it takes it away. */
  private choice(seatId: string, label: string, look: SeatLook | null): HTMLButtonElement {
    const made = el("button", { class: "chat-choice", testid: `chat-to-${seatId || "everybody"}`, at: { type: "button" } }, look && el("span", { class: "seat-mark" }), label);
    if (look) made.dataset.look = look.key;
    made.dataset.seatId = seatId;
    // The input keeps the focus, and a phone its keyboard.
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", () => {
      const { rest } = addressed(this.input.value, this.names);
      const name = this.names.get(seatId);
      this.write(name === undefined ? rest : `@${name} ${rest}`);
      this.input.focus({ preventScroll: true });
    });
    return made;
  }

  private write(text: string): void {
    this.input.value = text;
    this.showAddressees();
  }

  /** Show in the chooser whom the line that is being written is for. */
  private showAddressees(): void {
    const { seats } = addressed(this.input.value, this.names);
    for (const made of this.chooser.children) {
      const seatId = (made as HTMLElement).dataset.seatId ?? "";
      made.setAttribute("aria-pressed", String(seatId === "" ? seats.length === 0 : seats.includes(seatId)));
    }
  }
}

/** Return the pieces of a line of chat: who says it, for whom it is, and the words; `me` is the seat of the
    one who reads it, -1 for none. */
export function lineOf(world: World, speaker: Seat, who: string, text: string, me: number): (Node | string)[] {
  const name = el("b", { text: who });
  name.dataset.look = speaker.look.key;
  if (world.isPair) return [name, " ", el("span", { text })];
  name.prepend(el("span", { class: "seat-mark", at: { "aria-hidden": "true" } }));
  const names = new Map(world.seats.map((seat) => [seat.seatId, seat.name]));
  const { seats, rest } = addressed(text, names);
  const to = world.seats.filter(({ seatId }) => seats.includes(seatId)).map((seat) => {
    const label = el("i", { class: "chat-for", text: `→ ${seat.index === me ? "you" : seat.name}` });
    label.dataset.look = seat.look.key;
    return label;
  });
  return [name, " ", ...to.flatMap((label) => [label, " "]), el("span", { text: to.length > 0 ? rest : text })];
}
