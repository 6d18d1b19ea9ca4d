// The timeline of a film: a lane for each seat, the steps of the task below, and the moment that is shown. It is
// drawn in shares of its width; the slider under it is what keys and screen readers use.
import { el, setText } from "../dom/el";
import type { FilmIndex, FilmLane, SheetNote } from "../wire/generated";
import { momentWords, wholeClock } from "./film_clock";

const LANE_PX = 26;
const MARKS_PX = 24;
const NOTES_PX = 14;
/** The share of a film below which what follows the end has no room for a word. */
const SHORT = 0.08;
const SHADES: Record<string, string> = { walk: "rgb(255 255 255 / 0.34)", away: "rgb(255 255 255 / 0.12)" };
const REFUSED = "#ff9d94";
const DONE = "#7dfc98";
const UNDONE = "#f5cf6a";
const INK = "#f4f7f6";
const NOTED = "#c9a4ff";

export interface TimelineHandlers {
  seek(tick: number): void;
}

export class Timeline {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { class: "film-lanes", testid: "film-lanes", at: { "aria-hidden": "true" } });
  private readonly cursor = el("div", { class: "film-cursor", at: { "aria-hidden": "true" } });
  private readonly tip = el("div", { class: "film-tip panel", at: { "aria-hidden": "true" } });
  private readonly slider: HTMLInputElement;
  private colours: string[] = [];
  private notes: readonly SheetNote[] = [];
  private readonly notesName = el("div", { class: "film-lane-name film-notes-name", text: "Notes" });

  constructor(
    private readonly index: FilmIndex,
    private readonly handlers: TimelineHandlers,
  ) {
    const { first, last } = index;
    this.slider = el("input", {
      class: "film-slider",
      testid: "film-slider",
      at: { type: "range", min: String(first), max: String(Math.max(first + 1, last)), step: "1", "aria-label": "Time in the episode" },
      on: { input: () => handlers.seek(Number(this.slider.value)) },
    });
    const names = index.lanes.map((lane) => el("div", { class: "film-lane-name", title: lane.name, at: { "data-look": lane.look } }, el("span", { class: "seat-mark" }), el("span", { text: lane.name })));
    const steps = index.marks.length > 0 && el("div", { class: "film-lane-name", text: "Steps" });
    const scene = el("div", { class: "film-scene" }, this.canvas, this.rest(), this.cursor, this.tip);
    this.tip.hidden = true;
    this.notesName.hidden = true;
    this.root = el("div", { class: "film-timeline" }, el("div", { class: "film-names" }, ...names, steps, this.notesName), scene, this.slider);
    scene.addEventListener("pointerdown", (event) => this.drag(scene, event));
    scene.addEventListener("pointermove", (event) => this.hint(scene, event));
    scene.addEventListener("pointerleave", () => (this.tip.hidden = true));
    new ResizeObserver(() => this.draw()).observe(scene);
  }

  /** Take over the colours of the seats, by their number. */
  setColours(colours: string[]): void {
    this.colours = colours;
    this.draw();
  }

  /** Take over what a coder has noted. */
  setNotes(notes: readonly SheetNote[]): void {
    this.notes = notes;
    this.notesName.hidden = notes.length === 0;
    this.draw();
  }

  /** Show the moment of a tick. */
  show(tick: number): void {
    this.cursor.style.left = `${this.share(tick) * 100}%`;
    const whole = String(Math.round(tick));
    if (this.slider.value !== whole) this.slider.value = whole;
    this.slider.setAttribute("aria-valuetext", `${momentWords(this.index, tick)} of ${wholeClock(this.index)}`);
  }

  /** What is left of the film from where the task was over: its edge is the end. */
  private rest(): HTMLElement {
    const { ended, last } = this.index;
    const isShort = this.share(ended) > 1 - SHORT;
    const rest = el("div", { class: isShort ? "film-rest short" : "film-rest", testid: "film-rest", at: { "aria-hidden": "true" } }, el("span", { text: "End" }));
    rest.style.left = `${this.share(ended) * 100}%`;
    rest.hidden = ended >= last;
    return rest;
  }

  private share(tick: number): number {
    const { first, last } = this.index;
    return Math.min(1, Math.max(0, (tick - first) / Math.max(1, last - first)));
  }

  private tickAt(scene: HTMLElement, event: PointerEvent): number {
    const box = scene.getBoundingClientRect();
    const { first, last } = this.index;
    return first + Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width))) * (last - first);
  }

  private drag(scene: HTMLElement, event: PointerEvent): void {
    scene.setPointerCapture(event.pointerId);
    this.handlers.seek(this.tickAt(scene, event));
    const move = (moved: PointerEvent): void => this.handlers.seek(this.tickAt(scene, moved));
    const end = (): void => {
      scene.removeEventListener("pointermove", move);
      scene.removeEventListener("pointerup", end);
      scene.removeEventListener("pointercancel", end);
    };
    scene.addEventListener("pointermove", move);
    scene.addEventListener("pointerup", end);
    scene.addEventListener("pointercancel", end);
  }

  /** Say what is under the pointer: the time, and the nearest of what is marked there. */
  private hint(scene: HTMLElement, event: PointerEvent): void {
    const tick = this.tickAt(scene, event);
    const box = scene.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / LANE_PX);
    const near = (6 / Math.max(1, box.width)) * (this.index.last - this.index.first);
    const lane = this.index.lanes[row];
    const words = lane ? this.laneWords(lane, tick, near) : this.markWords(tick, near);
    setText(this.tip, [momentWords(this.index, tick), words].filter(Boolean).join(" · "));
    this.tip.hidden = false;
    const left = Math.min(box.width - this.tip.offsetWidth - 4, Math.max(4, event.clientX - box.left + 10));
    this.tip.style.left = `${left}px`;
  }

  private laneWords(lane: FilmLane, tick: number, near: number): string {
    const moment = this.index.moments.filter((m) => m.seat === lane.seat).find((m) => Math.abs(m.tick - tick) <= near);
    if (moment) return moment.detail ? `${moment.text}: ${moment.detail}` : moment.text;
    const kinds = lane.spans.filter((span) => span.first <= tick && tick <= span.last);
    return kinds.map((span) => span.text || { walk: "walked", think: "was thinking", away: "was not there" }[span.kind] || span.kind).join(" · ");
  }

  private markWords(tick: number, near: number): string {
    const mark = this.index.marks.find((m) => Math.abs(m.tick - tick) <= near);
    return mark ? `step ${mark.number} ${mark.holds ? "was done" : "was undone"}: ${mark.text}` : "";
  }

  private draw(): void {
    const { lanes, marks, moments } = this.index;
    const width = this.canvas.parentElement?.clientWidth ?? 0;
    const height = lanes.length * LANE_PX + (marks.length > 0 ? MARKS_PX : 0) + (this.notes.length > 0 ? NOTES_PX : 0);
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    lanes.forEach((lane, row) => this.drawLane(pen, lane, row * LANE_PX, width));
    for (const moment of moments) {
      const row = lanes.findIndex((lane) => lane.seat === moment.seat);
      if (row >= 0) this.drawMoment(pen, moment.kind, this.share(moment.tick) * width, row * LANE_PX, this.colours[moment.seat] ?? INK);
    }
    const y = lanes.length * LANE_PX + MARKS_PX / 2;
    pen.fillStyle = NOTED;
    for (const note of this.notes) {
      const x = this.share(note.first) * width;
      pen.fillRect(x, height - NOTES_PX + 4, Math.max(3, (this.share(note.last) - this.share(note.first)) * width), 6);
    }
    for (const mark of marks) drawMark(pen, this.share(mark.tick) * width, y, mark.number, mark.holds);
  }

  private drawLane(pen: CanvasRenderingContext2D, lane: FilmLane, y: number, width: number): void {
    const colour = this.colours[lane.seat] ?? INK;
    for (const span of lane.spans) {
      const x = this.share(span.first) * width;
      const wide = Math.max(1, this.share(span.last) * width - x);
      if (span.kind === "hold") {
        pen.fillStyle = colour;
        pen.fillRect(x, y + 15, wide, 4);
      } else if (span.kind === "think") {
        pen.strokeStyle = colour;
        pen.lineWidth = 1.5;
        pen.setLineDash([3, 2]);
        pen.beginPath();
        pen.moveTo(x, y + 5);
        pen.lineTo(x + wide, y + 5);
        pen.stroke();
        pen.setLineDash([]);
      } else {
        pen.fillStyle = SHADES[span.kind] ?? INK;
        if (span.kind === "away") pen.fillRect(x, y + 3, wide, LANE_PX - 6);
        else pen.fillRect(x, y + 9, wide, 4);
      }
    }
  }

  private drawMoment(pen: CanvasRenderingContext2D, kind: string, x: number, y: number, colour: string): void {
    pen.fillStyle = kind === "refused" ? REFUSED : colour;
    pen.beginPath();
    switch (kind) {
      case "did":
        pen.arc(x, y + 11, 3.5, 0, 2 * Math.PI);
        break;
      case "said":
        pen.rect(x - 3.5, y + 2, 7, 5);
        break;
      case "refused":
        pen.moveTo(x - 3.5, y + 21);
        pen.lineTo(x, y + 14);
        pen.lineTo(x + 3.5, y + 21);
        break;
      default:
        pen.moveTo(x, y + 1);
        pen.lineTo(x + 3, y + 4);
        pen.lineTo(x, y + 7);
        pen.lineTo(x - 3, y + 4);
    }
    pen.closePath();
    pen.fill();
  }
}

/** Draw a step of the task: a filled disc where it was done, a ring where it was undone. */
function drawMark(pen: CanvasRenderingContext2D, x: number, y: number, number: number, holds: boolean): void {
  pen.beginPath();
  pen.arc(x, y, 8, 0, 2 * Math.PI);
  pen.fillStyle = holds ? DONE : "#11191c";
  pen.strokeStyle = holds ? DONE : UNDONE;
  pen.lineWidth = 2;
  pen.fill();
  pen.stroke();
  pen.fillStyle = holds ? "#11191c" : UNDONE;
  pen.font = "bold 10px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(String(number), x, y + 0.5);
}
