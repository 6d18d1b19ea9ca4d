// The panels around a film: task, views, seats, what happened, and below the controls with the timeline.
import { button, el, setText, toggle } from "../dom/el";
import { MapPanel } from "../ui/map_panel";
import { TaskPanel } from "../ui/task_panel";
import type { FilmIndex } from "../wire/generated";
import type { Seat } from "../world/world";
import { VIEWS } from "./camera";
import type { View } from "./camera";
import { CodingStore } from "./coding_store";
import { momentWords, wholeClock } from "./film_clock";
import { MomentsPanel } from "./moments_panel";
import { NotesPanel } from "./notes_panel";
import { SPEEDS } from "./playback";
import { Timeline } from "./timeline";

const VIEW_WORDS: Record<View, string> = { eyes: "Eyes", behind: "Behind", fly: "Fly" };
const HELP: readonly (readonly [string, string])[] = [
  ["Space", "play or pause"],
  ["← →", "5 seconds back or on; with Shift 1 second"],
  [", .", "a thirtieth of a second back or on"],
  ["[ ]", "what happened before, or next"],
  ["- +", "slower or faster"],
  ["1 to 5", "follow a seat"],
  ["⇧ 1 to 9", "put a code on this moment (operators)"],
  ["V", "eyes, behind, fly"],
  ["W A S D Q E", "fly; with Shift faster; drag to look round"],
  ["M", "map"],
  ["H", "hide or show what happened"],
  ["L", "copy a link to this moment"],
];

export interface ReplayHandlers {
  play(): void;
  seekBy(seconds: number): void;
  seek(tick: number): void;
  beside(after: boolean): void;
  speed(speed: number): void;
  view(view: View): void;
  follow(seat: number): void;
  link(): void;
  picture(): void;
  clip(): void;
  /** The tick that is shown. */
  now(): number;
}

export class ReplayHud {
  readonly canvas = el("canvas", { class: "scene", testid: "scene", at: { "aria-label": "The home as it was", tabindex: "-1" } });
  readonly root: HTMLElement;
  readonly task = new TaskPanel();
  readonly map: MapPanel;
  readonly moments: MomentsPanel;
  readonly timeline: Timeline;
  /** What coders note; null: whoever watches is none. */
  readonly notes: NotesPanel | null;
  private readonly playButton: HTMLButtonElement;
  private readonly time = el("span", { class: "film-clock", testid: "film-clock" });
  private readonly speed: HTMLSelectElement;
  private readonly note = el("p", { class: "banner", testid: "banner", at: { role: "status" } });
  private readonly views = new Map<View, HTMLButtonElement>();
  private readonly seats = el("div", { class: "film-seats", at: { role: "group", "aria-label": "Whom to follow" } });
  private readonly help: HTMLElement;
  private readonly clipButton: HTMLButtonElement;
  private cards: HTMLButtonElement[] = [];

  constructor(
    root: HTMLElement,
    private readonly index: FilmIndex,
    home: { path: string; label: string },
    codingPath: string,
    private readonly handlers: ReplayHandlers,
  ) {
    this.map = new MapPanel(() => this.toggleMap());
    this.moments = new MomentsPanel(index, (tick) => handlers.seek(tick));
    this.timeline = new Timeline(index, handlers);
    this.notes = codingPath ? this.openNotes(codingPath) : null;
    this.task.root.setAttribute("aria-label", "The task");
    this.task.setTask(index.taskText);
    this.playButton = button("", () => handlers.play(), { class: "button bar film-play", testid: "film-play" });
    this.speed = el("select", { class: "film-speed", testid: "film-speed", at: { "aria-label": "Speed" }, on: { change: () => handlers.speed(Number(this.speed.value)) } });
    for (const speed of SPEEDS) this.speed.append(el("option", { text: speedText(speed), at: { value: String(speed) } }));
    this.clipButton = button("", () => handlers.clip(), { class: "button bar film-clip", testid: "film-clip" });
    this.setClip("Clip from here", false);
    this.help = helpPanel(() => this.toggleHelp());
    const views = VIEWS.map((view) => {
      const made = button(VIEW_WORDS[view], () => handlers.view(view), { class: "button bar", testid: `view-${view}` });
      this.views.set(view, made);
      return made;
    });
    const bar = el(
      "nav",
      { class: "top-bar", at: { "aria-label": "Replay" } },
      el("div", { class: "film-views", at: { role: "group", "aria-label": "From where it is seen" } }, ...views),
      button("Map", () => this.toggleMap(), { class: "button bar", testid: "open-map" }),
      button("Events", () => this.toggleMoments(), { class: "button bar", testid: "open-moments" }),
      this.notes && button("Notes", () => this.toggleNotes(), { class: "button bar", testid: "open-notes" }),
      button("Keys", () => this.toggleHelp(), { class: "button bar", testid: "open-keys" }),
      el("a", { class: "button bar", text: home.label, testid: "film-home", at: { href: home.path } }),
    );
    const controls = el(
      "div",
      { class: "film-controls" },
      this.playButton,
      button("−5 s", () => handlers.seekBy(-5), { class: "button bar" }),
      button("+5 s", () => handlers.seekBy(5), { class: "button bar" }),
      this.time,
      this.speed,
      this.seats,
      button("Copy link", () => handlers.link(), { class: "button bar", testid: "film-link" }),
      button("Save picture", () => handlers.picture(), { class: "button bar", testid: "film-picture" }),
      this.clipButton,
    );
    const below = el("div", { class: "film-below panel" }, controls, this.timeline.root);
    this.note.hidden = true;
    this.map.root.hidden = !hasRoom();
    this.moments.root.hidden = !hasRoom();
    const top = el("div", { class: "film-top" }, this.task.root, bar);
    const right = el("div", { class: "film-right" }, this.map.root, this.moments.root, this.notes?.root);
    const above = el("div", { class: "film-above" }, top, this.note, right);
    this.root = el("div", { class: "hud replay", testid: "replay" }, above, this.help, below);
    // The panels above end where those below begin, however many seats there are.
    new ResizeObserver(() => this.root.style.setProperty("--film-below", `${below.offsetHeight + 24}px`)).observe(below);
    // In a window that has become low, one of both is enough.
    window.addEventListener("resize", () => void (hasRoom() || this.moments.root.hidden || this.close(this.map.root)));
    root.replaceChildren(this.canvas, this.root);
  }

  toggleMap(): void {
    toggle(this.map.root, Boolean(this.map.root.hidden));
    if (!hasRoom() && !this.map.root.hidden) this.close(this.moments.root);
  }

  toggleMoments(): void {
    toggle(this.moments.root, Boolean(this.moments.root.hidden));
    if (this.moments.root.hidden) return;
    this.close(this.notes?.root);
    if (!hasRoom()) this.close(this.map.root);
  }

  private close(panel?: HTMLElement): void {
    if (panel) toggle(panel, false);
  }

  toggleNotes(): void {
    if (!this.notes) return;
    toggle(this.notes.root, Boolean(this.notes.root.hidden));
    if (this.notes.root.hidden) return;
    // There is no room for more beside what is coded.
    toggle(this.moments.root, false);
    toggle(this.map.root, false);
  }

  private openNotes(path: string): NotesPanel {
    const token = document.querySelector<HTMLInputElement>("#form-token");
    const store = new CodingStore(
      path,
      { name: token?.name ?? "", value: token?.value ?? "" },
      {
        shown: (sheet) => panel.show(sheet),
        tell: (text) => panel.tell(text),
      },
    );
    const panel = new NotesPanel(this.index, store, {
      now: () => this.handlers.now(),
      seek: (tick) => this.handlers.seek(tick),
      noted: (notes) => this.timeline.setNotes(notes),
    });
    panel.root.hidden = true;
    void store.open();
    return panel;
  }

  toggleHelp(): void {
    toggle(this.help, Boolean(this.help.hidden));
  }

  setSeats(seats: readonly Seat[]): void {
    this.cards = seats.map((seat) => {
      const number = el("kbd", { text: String(seat.index + 1) });
      const card = button("", () => this.handlers.follow(seat.index), { class: "button bar film-seat", testid: `follow-${seat.seatId}` }, el("span", { class: "seat-mark" }), this.index.lanes.find((lane) => lane.seat === seat.index)?.name ?? seat.name, number);
      card.dataset.look = seat.look.key;
      toggle(card, seat.occupied);
      return card;
    });
    this.seats.replaceChildren(...this.cards);
    this.timeline.setColours(seats.map((seat) => seat.look.bright));
  }

  showView(view: View, followed: number): void {
    for (const [known, made] of this.views) made.setAttribute("aria-pressed", String(known === view));
    this.cards.forEach((card, seat) => card.setAttribute("aria-pressed", String(view !== "fly" && seat === followed)));
  }

  showTime(tick: number, playing: boolean, speed: number): void {
    this.timeline.show(tick);
    this.moments.show(tick);
    setText(this.time, `${momentWords(this.index, tick)} / ${wholeClock(this.index)}`);
    setText(this.playButton, playing ? "Pause" : "Play");
    if (Number(this.speed.value) !== speed) this.speed.value = String(speed);
    this.root.dataset.tick = tick.toFixed(1);
  }

  setClip(words: string, recording: boolean): void {
    setText(this.clipButton, words);
    this.clipButton.setAttribute("aria-pressed", String(recording));
  }

  setNote(text: string): void {
    toggle(this.note, text !== "");
    setText(this.note, text);
  }
}

/** Tell whether map and events fit beside what is seen, one below the other. */
function hasRoom(): boolean {
  return window.innerWidth > 760 && window.innerHeight >= 600;
}

function speedText(speed: number): string {
  return speed === 0.25 ? "¼ ×" : speed === 0.5 ? "½ ×" : `${speed} ×`;
}

function helpPanel(close: () => void): HTMLElement {
  const rows = HELP.map(([keys, words]) => el("div", { class: "film-key" }, el("kbd", { text: keys }), el("span", { text: words })));
  const head = el("header", { class: "panel-head" }, el("h2", { text: "Keys" }), button("×", close, { class: "icon-button", at: { "aria-label": "Close" } }));
  const panel = el("section", { class: "panel film-keys", testid: "film-keys", at: { "aria-label": "Keys" } }, head, ...rows);
  panel.hidden = true;
  return panel;
}
