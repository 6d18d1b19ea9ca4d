import { el, setText } from "../dom/el";
import type { Point } from "../dom/pixels";
import type { Aim } from "../world/aims";
import type { SeatLook } from "../world/seat_looks";
import { AimLabel } from "./aim_label";

interface Marker {
  tag: HTMLElement;
  tagText: HTMLElement;
  aim: AimLabel;
  edge: HTMLElement;
  /** How large the tag is, and for which words that was measured. */
  width: number;
  height: number;
  measuredFor: string;
}

/** How large a tag is about before it was drawn. */
const UNKNOWN_SIZE = { width: 80, height: 24 };

/** The marks over the scene for the others: a name tag above each body, an arrow towards each out of view. */
export class SeatMarkers {
  readonly root = el("div", { class: "markers" });
  private readonly markers = new Map<number, Marker>();

  /** Begin anew, without anybody. */
  clear(): void {
    this.markers.clear();
    this.root.replaceChildren();
  }

  /** Show a name tag, with what the body is about to do, at a point of the canvas; null hides it. `behind`:
      a wall stands between. */
  showTag(seat: number, look: SeatLook, text: string, aim: Aim | null, at: { x: number; y: number } | null, behind = false): void {
    const { tag, tagText, aim: label } = this.of(seat, look);
    tag.hidden = at === null;
    if (!at) return;
    tag.classList.toggle("behind", behind);
    setText(tagText, text);
    label.show(aim);
    this.measure(seat, `${text}|${aim ? aim.text + aim.why : ""}|${String(behind)}`);
    tag.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -100%)`;
  }

  /** Return how large the name tag of a seat is (CSS pixels), as it was drawn last. */
  tagSize(seat: number): { width: number; height: number } {
    const { width, height } = this.markers.get(seat) ?? UNKNOWN_SIZE;
    return width > 0 ? { width, height } : UNKNOWN_SIZE;
  }

  /** Show an arrow at an edge that points away from the middle of the canvas; null hides it. */
  showEdge(seat: number, look: SeatLook, at: { x: number; y: number } | null, middle: { x: number; y: number }): void {
    const { edge } = this.of(seat, look);
    edge.hidden = at === null;
    if (!at) return;
    edge.style.transform = `translate(${at.x.toFixed(0)}px, ${at.y.toFixed(0)}px) translate(-50%, -50%)`;
    edge.classList.toggle("leftwards", at.x < middle.x);
    const angle = Math.atan2(at.y - middle.y, at.x - middle.x);
    (edge.firstElementChild as HTMLElement).style.transform = `rotate(${angle.toFixed(2)}rad)`;
  }

  /** Return the seat whose arrow lies at a point (CSS pixels), counted as `least` px large at least; -1 for none. */
  edgeAt({ x, y }: Point, least: number): number {
    for (const [seat, { edge }] of this.markers) {
      const { left, right, top, bottom, width, height } = edge.getBoundingClientRect();
      const [wide, high] = [width, height].map((size) => Math.max(0, least - size) / 2) as [number, number];
      if (width > 0 && x >= left - wide && x <= right + wide && y >= top - high && y <= bottom + high) return seat;
    }
    return -1;
  }

  /** Hide the marks of all but these seats. */
  keepOnly(seats: readonly number[]): void {
    for (const [seat, { tag, edge }] of this.markers) {
      if (!seats.includes(seat)) tag.hidden = edge.hidden = true;
    }
  }

  /** Measure a tag that says something else than before: asking the page costs. */
  private measure(seat: number, words: string): void {
    const marker = this.markers.get(seat);
    if (!marker || marker.measuredFor === words) return;
    marker.measuredFor = words;
    marker.width = marker.tag.offsetWidth;
    marker.height = marker.tag.offsetHeight;
  }

  private of(seat: number, look: SeatLook): Marker {
    let marker = this.markers.get(seat);
    if (!marker) {
      const tagText = el("span");
      const mark = look.marked && el("span", { class: "seat-mark", at: { "aria-hidden": "true" } });
      const aim = new AimLabel();
      const tag = el("div", { class: "name-tag", testid: `tag-${look.key}` }, el("span", { class: "tag-name" }, mark, tagText), aim.root);
      const label = look.marked ? look.label : "";
      const edge = el("div", { class: "edge-marker", at: { "aria-hidden": "true" } }, el("span", { class: "edge-arrow" }), el("span", { class: "edge-name", text: label }));
      tag.dataset.look = edge.dataset.look = look.key;
      tag.hidden = edge.hidden = true;
      this.root.append(tag, edge);
      this.markers.set(seat, (marker = { tag, tagText, aim, edge, width: 0, height: 0, measuredFor: "" }));
    }
    return marker;
  }
}
