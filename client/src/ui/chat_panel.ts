import { button, el, setText, toggle } from "../dom/el";
import type { SeatLook } from "../world/seat_looks";
import { addressed, unknownName } from "../world/seat_names";
import { called, capitalised, titleOf } from "../world/words";
import type { Seat, World } from "../world/world";
import { ChatMutes } from "./chat_mutes";
import { LineParts } from "./line_parts";
import { ReadingQueue, readingMs } from "./reading_queue";

const LINES = 60;
/** Seconds after which a line fades while nobody types. */
const FRESH_S = 14;

/** Seconds for which what another has just said stays in view where there is no room for the log. */
const NEWEST_S = 9;

/** A line of another, as it stands in the log and, where that has no room, by itself. */
interface Heard {
  line: HTMLElement;
  inLog: LineParts;
  pieces: (Node | string)[];
  alone: LineParts;
}

export class ChatPanel {
  readonly root: HTMLElement;
  private readonly log = el("ol", { class: "chat-log", testid: "chat-log", at: { "aria-live": "polite", "aria-label": "Chat" } });
  /** The newest line of another, for pages that have no room for the log now. */
  private readonly newest = el("p", { class: "chat-newest", testid: "chat-newest", at: { role: "status" } });
  private newestTimer = 0;
  /** What others say, one after the other: two lines that come together are both read. */
  private readonly reading = new ReadingQueue<Heard>({
    isFull: (reading, next) => this.isFull(reading, next),
    show: (heard) => this.showHeard(heard),
  });
  private readonly chooser = el("div", { class: "chat-to", testid: "chat-to", at: { role: "group", "aria-label": "To whom" } });
  private readonly tools = el("div", { class: "chat-tools", testid: "chat-tools", at: { role: "group", "aria-label": "What you read" } });
  private readonly input = el("input", {
    class: "chat-input",
    testid: "chat-input",
    at: { autocomplete: "off", enterkeyhint: "send" },
  });
  private readonly openButton: HTMLButtonElement;
  /** How many lines of others came while there was no room for them. */
  private readonly count = el("b", { class: "chat-count", testid: "chat-count" });
  private readonly hint = el("p", { class: "chat-hint", testid: "chat-hint", at: { role: "alert" } });
  /** What people are asked to keep out of what they write. */
  private readonly note = el("p", { class: "chat-note", testid: "chat-note" });
  /** The names by which the others who are there can be addressed, by seat id. */
  private names: ReadonlyMap<string, string> = new Map();
  private mutes = new ChatMutes("");
  /** The page on which what somebody wrote is reported; empty: there is none. */
  private reportPath = "";
  /** The line whose address was not understood, and is for everybody if it is sent once more. */
  private doubted = "";

  constructor(private readonly onSay: (text: string) => boolean) {
    this.openButton = button("Chat", () => this.open(), { class: "button chat-open", testid: "chat-open" }, this.count, el("kbd", { text: "Enter" }));
    toggle(this.count, false);
    toggle(this.newest, false);
    toggle(this.note, false);
    const send = button("Send", () => this.send(), { class: "button chat-send", testid: "chat-send" });
    // Fingers have no Escape.
    const shut = button("", () => this.close(), { class: "button chat-shut", testid: "chat-shut", title: "Close the chat", at: { "aria-label": "Close the chat" } }, "×");
    const line = el("div", { class: "chat-write" }, this.input, send, shut);
    this.root = el("section", { class: "chat", at: { "aria-label": "Chat" } }, this.log, this.newest, this.hint, this.tools, this.chooser, this.note, line, this.openButton);
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.send();
    });
    // The input keeps the focus, and a phone its keyboard, if the line is not sent after all.
    send.addEventListener("mousedown", (event) => event.preventDefault());
    this.input.addEventListener("input", () => {
      this.explain("");
      this.showAddressees();
    });
    this.input.addEventListener("focus", () => this.root.classList.add("writing"));
    // Choosing whom to write to does not end the writing.
    this.root.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && this.root.contains(event.relatedTarget)) return;
      this.endWriting();
    });
    // While somebody writes, no key of any control here plays, and Escape leaves from each.
    this.root.addEventListener("keydown", (event) => {
      if (!this.root.classList.contains("writing")) return;
      event.stopPropagation();
      if (event.key === "Escape") this.close();
    });
  }

  /** Remember who is muted in `mutes`, lead to `reportPath` with what somebody wrote, and ask for `note` beside the
      field: what to keep out of the chat. */
  protect(mutes: ChatMutes, reportPath: string, note: string): void {
    this.mutes = mutes;
    this.reportPath = reportPath;
    setText(this.note, note);
    toggle(this.note, note !== "");
  }

  /** Tell whether the player does not want to read the lines of a seat. */
  isMuted(seat: Seat): boolean {
    return this.mutes.has(seat.seatId);
  }

  /** The pieces that lie over the scene. */
  get pieces(): HTMLElement[] {
    return [this.log, this.newest, this.openButton];
  }

  setLimit(characters: number): void {
    this.input.maxLength = characters;
  }

  /** Open the chat, with a line in it that can be sent as it is or changed before. */
  open(text = ""): void {
    this.root.classList.add("writing");
    if (text) this.write(text);
    this.input.focus({ preventScroll: true });
    this.readAll();
    this.showLast();
    this.showCount(0);
    toggle(this.newest, false);
  }

  /** Let nothing wait: whoever opens the log reads all that is in it. */
  private readAll(): void {
    this.reading.clear();
    for (const line of this.log.children) line.classList.remove("waiting");
  }

  close(): void {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && this.root.contains(focused)) focused.blur();
    // A window that is not in front is told of no focus that goes.
    this.endWriting();
  }

  /** Send what is written; what is said is said: the keys walk again. */
  private send(): void {
    const text = this.input.value.trim();
    if (this.doubts(text) || (text !== "" && !this.onSay(text))) return;
    this.write("");
    this.close();
  }

  private endWriting(): void {
    this.root.classList.remove("writing");
    this.showLast();
  }

  /** Begin anew: no lines yet, and these are the ones to write to. */
  begin(world: World): void {
    this.reading.clear();
    this.log.replaceChildren();
    toggle(this.newest, false);
    this.showCount(0);
    this.explain("");
    const whom = world.isPair ? "your partner" : "everybody";
    this.input.placeholder = `Write to ${whom}`;
    this.input.setAttribute("aria-label", this.input.placeholder);
    this.tools.replaceChildren(...world.others.map((seat) => this.muteButton(world, seat)));
    if (this.reportPath) {
      const report = el("a", { class: "chat-choice", testid: "chat-report", text: "Report what was written", at: { href: this.reportPath, target: "_blank" } });
      this.tools.append(report);
    }
    toggle(this.chooser, !world.isPair);
    this.chooser.replaceChildren();
    this.names = new Map();
    if (world.isPair) return;
    this.chooser.append(
      this.choice("", "Everybody", null),
      ...world.others.map((seat) => this.choice(seat.seatId, titleOf(world, seat), seat.look)),
    );
    this.showSeats(world);
  }

  /** Offer for writing to those who have not left. */
  showSeats(world: World): void {
    if (world.isPair) return;
    const there = world.others.filter(({ presence }) => presence !== "gone");
    this.names = new Map(there.map(({ seatId, name }) => [seatId, name]));
    for (const made of this.chooser.children) {
      const { seatId } = (made as HTMLElement).dataset;
      toggle(made as HTMLElement, !seatId || this.names.has(seatId));
    }
    this.showAddressees();
  }

  /** Tell whether a line is addressed to nobody who is there, and say so; the same line once more is not doubted. */
  private doubts(text: string): boolean {
    const name = this.names.size > 0 ? unknownName(text, this.names) : "";
    if (name === "" || text === this.doubted) return false;
    this.explain(`Nobody here is called “${name}”. Press Enter again to tell everybody.`);
    this.doubted = text;
    return true;
  }

  private explain(text: string): void {
    this.doubted = "";
    setText(this.hint, text);
    toggle(this.hint, text !== "");
  }

  /** Add a line; `old`: it was said before the page was there. */
  add(world: World, speaker: Seat, text: string, old = false): void {
    // A robot's line is long enough without what the panel of the others says of it.
    const name = speaker.kind === "robot" && !world.isPair ? capitalised(speaker.name) : titleOf(world, speaker);
    const who = speaker.index === world.me ? "You" : name;
    const line = el("li", { class: `chat-line${old ? " stale" : ""}` }, ...lineOf(world, speaker, who, text, world.me));
    line.dataset.seatId = speaker.seatId;
    const isMuted = speaker.index !== world.me && this.isMuted(speaker);
    toggle(line, !isMuted);
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
    this.log.append(line);
    while (this.log.childElementCount > LINES) this.log.firstElementChild?.remove();
    const writes = this.root.classList.contains("writing");
    if (atEnd || !writes) this.showLast();
    const isNew = !old && !isMuted && speaker.index !== world.me;
    if (isNew && !writes) {
      const pieces = lineOf(world, speaker, who, text, world.me);
      const heard = { line, inLog: partsOf([...line.childNodes]), pieces, alone: partsOf(pieces) };
      line.classList.toggle("waiting", !this.reading.push(heard));
    }
    // What stands on the screen, in the log or by itself, is not counted as unread.
    if (isSeen(this.log)) this.showCount(0);
    else if (isNew && !isSeen(this.newest)) this.showCount(Number(this.count.textContent) + 1);
    if (!old) this.fade(line);
  }

  /** Let a line fade after a while; one that waits to be read has its time from then on. */
  private fade(line: HTMLElement): void {
    window.setTimeout(() => (line.classList.contains("waiting") ? this.fade(line) : line.classList.add("stale")), FRESH_S * 1000);
  }

  /** Tell whether a line has no room beside those that are being read. */
  private isFull(reading: readonly Heard[], next: Heard): boolean {
    if (isSeen(this.newest)) return true;
    if (!isSeen(this.log)) return false;
    const first = Math.min(...reading.map(({ line }) => line.offsetTop));
    // It takes its place for the look, wherever the player's own lines have come meanwhile.
    const waited = next.line.classList.contains("waiting");
    next.line.classList.remove("waiting");
    const last = [...this.log.children].reverse().find((line) => !line.classList.contains("waiting")) as HTMLElement;
    const isFull = last.offsetTop + last.offsetHeight - first > this.log.clientHeight;
    next.line.classList.toggle("waiting", waited && isFull);
    return isFull;
  }

  private showHeard({ line, inLog, pieces, alone }: Heard): { words: string; isAll: boolean } {
    line.classList.remove("waiting");
    this.showLast();
    this.showNewest(pieces);
    return isSeen(this.newest) ? alone.next(this.newest) : inLog.next(line);
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

  /** Make the button that hides the lines of a seat from this player, and shows them again. */
  private muteButton(world: World, seat: Seat): HTMLButtonElement {
    const made = el("button", { class: "chat-choice", testid: `chat-mute-${seat.seatId}`, at: { type: "button" } });
    const show = (): void => {
      const isMuted = this.isMuted(seat);
      made.textContent = isMuted ? `Show ${called(world, seat)} again` : `Mute ${called(world, seat)}`;
      made.setAttribute("aria-pressed", String(isMuted));
      for (const line of this.log.children) {
        if ((line as HTMLElement).dataset.seatId === seat.seatId) toggle(line as HTMLElement, !isMuted);
      }
    };
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", () => {
      this.mutes.toggle(seat.seatId);
      show();
    });
    show();
    return made;
  }

  private showNewest(pieces: (Node | string)[]): void {
    window.clearTimeout(this.newestTimer);
    this.newest.replaceChildren(...pieces);
    toggle(this.newest, !this.root.classList.contains("writing"));
    // What comes after it, or the rest of it, is shown anew.
    this.newestTimer = window.setTimeout(() => toggle(this.newest, false), Math.max(NEWEST_S * 1000, readingMs(this.newest.textContent)));
  }

  private showCount(lines: number): void {
    toggle(this.count, lines > 0);
    setText(this.count, String(lines));
  }

  private showLast(): void {
    this.log.scrollTop = this.log.scrollHeight;
  }

  private write(text: string): void {
    this.input.value = text;
    this.explain("");
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

/** Return the parts of a line of these pieces: its words come last. */
function partsOf(pieces: readonly (Node | string)[]): LineParts {
  return new LineParts(pieces.at(-1) as HTMLElement);
}

function isSeen(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
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
    const label = el("i", { class: "chat-for", text: `→ ${seat.index === me ? "you" : called(world, seat)}` });
    label.dataset.look = seat.look.key;
    return label;
  });
  return [name, " ", ...to.flatMap((label) => [label, " "]), el("span", { text: to.length > 0 ? rest : text })];
}
