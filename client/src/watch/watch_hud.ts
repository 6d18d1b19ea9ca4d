// The panels over the scene for somebody who watches: task, plan, seats, and what was said and done.
import { button, el, setText, toggle } from "../dom/el";
import { lineOf } from "../ui/chat_panel";
import { MapPanel } from "../ui/map_panel";
import type { ScreenAction } from "../ui/screens";
import { Overlay } from "../ui/overlay";
import { TaskPanel } from "../ui/task_panel";
import type { Seat, World } from "../world/world";
import { seatName } from "./seat_words";

const LINES = 80;

export interface WatchHandlers {
  screen(action: ScreenAction): void;
  follow(seat: number): void;
}

interface SeatCard {
  root: HTMLButtonElement;
  words: HTMLElement;
}

export class WatchHud {
  readonly canvas = el("canvas", { class: "scene", testid: "scene", at: { "aria-label": "The home, seen by a player" } });
  readonly task = new TaskPanel();
  readonly map: MapPanel;
  readonly overlay: Overlay;
  private readonly banner = el("p", { class: "banner", testid: "banner", at: { role: "status" } });
  private readonly log = el("ol", { class: "watch-log panel", testid: "watch-log", at: { "aria-label": "What was said and done", tabindex: "0" } });
  private readonly seats = el("div", { class: "watch-seats", at: { role: "group", "aria-label": "Whose eyes to look through" } });
  private cards: SeatCard[] = [];

  constructor(root: HTMLElement, sessionId: string, listPath: string, private readonly handlers: WatchHandlers) {
    this.map = new MapPanel(() => this.toggleMap());
    this.map.root.hidden = window.innerWidth <= 760;
    this.overlay = new Overlay((action) => handlers.screen(action));
    this.task.root.setAttribute("aria-label", "The task");
    this.banner.hidden = true;
    const bar = el(
      "nav",
      { class: "top-bar", at: { "aria-label": "Watching" } },
      el("span", { class: "button bar watch-badge", text: "Watching", title: sessionId }),
      button("Map", () => this.toggleMap(), { class: "button bar", testid: "open-map" }),
      el("a", { class: "button bar", text: "All sessions", testid: "all-sessions", at: { href: listPath } }),
    );
    const live = el(
      "div",
      { class: "hud watch" },
      this.task.root,
      el("div", { class: "right-top" }, bar),
      this.map.root,
      this.log,
      this.seats,
      this.banner,
    );
    root.replaceChildren(this.canvas, live, this.overlay.root);
  }

  private toggleMap(): void {
    toggle(this.map.root, Boolean(this.map.root.hidden));
  }

  setSeats(seats: readonly Seat[]): void {
    this.cards = seats.map((seat) => {
      const words = el("span", { class: "watch-doing", testid: `doing-${seat.seatId}` });
      const card = button("", () => this.handlers.follow(seat.index), { class: "watch-seat panel", testid: `follow-${seat.seatId}` },
        el("span", { class: "seat-mark" }), el("b", { class: "watch-label", text: seat.look.label }), el("b", { class: "watch-name", text: seatName(seat) }), words);
      card.dataset.look = seat.look.key;
      toggle(card, seat.occupied);
      return { root: card, words };
    });
    this.seats.classList.toggle("several", seats.length > 2);
    this.seats.replaceChildren(...this.cards.map(({ root }) => root));
  }

  showSeat(index: number, words: string, followed: boolean): void {
    const card = this.cards[index];
    if (!card) return;
    setText(card.words, words);
    card.root.setAttribute("aria-pressed", String(followed));
  }

  clearLog(): void {
    this.log.replaceChildren();
  }

  /** Add a line to the log: something was said (`said`) or done. */
  tell(world: World, seat: Seat, text: string, said: boolean): void {
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
    this.log.append(el("li", { class: `chat-line${said ? "" : " deed"}` }, ...lineOf(world, seat, seatName(seat), text, -1)));
    while (this.log.childElementCount > LINES) this.log.firstElementChild?.remove();
    if (atEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  setBanner(text: string): void {
    toggle(this.banner, text !== "");
    setText(this.banner, text);
  }
}
