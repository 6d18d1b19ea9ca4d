import { button, el, setText } from "../dom/el";
import { doorways } from "../world/doorways";
import type { Doorway } from "../world/doorways";
import type { SeatLook } from "../world/seat_looks";
import { isInside } from "../world/units";
import type { Vec2, Vec3 } from "../world/units";
import type { Walkable } from "../world/walkable";
import type { Agent, Room } from "../world/world";
import { MapScale } from "./map_scale";

const DARK = "#11191c";
const DOOR = "#3b4446";
const DOOR_PX = 3.5;
const MARK_PX = 8;
const GOAL_PX = 6;
const LABEL_GAP_PX = 4;
/** How far from a room a press on the map still means it. */
const WALL_PX = 8;
const PRESS = "Press a place on the map to walk there.";
/** How long an answer stands in the place of that (ms). */
const ANSWERED_MS = 5000;

/** Somebody on the map. */
export interface MapFigure extends Agent {
  look: SeatLook;
  me: boolean;
  /** Whether it was seen some time ago, so that this is where it was then. */
  faded: boolean;
  /** Where it is about to go, if it says so. */
  goal: Vec3 | null;
}

/** The plan of the rooms from above, with those who are in it. */
export class MapPanel {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { class: "map-canvas", at: { role: "img", "aria-label": "Map of the rooms" } });
  private rooms: readonly Room[] = [];
  private doors: readonly Doorway[] = [];
  private drawnFor = "";
  private readonly note = el("p", { class: "map-note", testid: "map-note", text: PRESS, at: { role: "status" } });
  private noteTimer = 0;

  /** `onGo` is called with the point of the floor that a player presses on the map; null: nobody walks by it. */
  constructor(onClose: () => void, onGo: ((to: Vec2) => void) | null = null) {
    const close = button("", onClose, { class: "icon-button", at: { "aria-label": "Close the map" } }, "×");
    this.root = el("section", { class: "panel map", testid: "map", at: { "aria-label": "Map" } }, el("header", { class: "panel-head" }, el("h2", { text: "Map" }), close), this.canvas);
    this.root.hidden = true;
    if (!onGo) return;
    this.canvas.classList.add("leads");
    this.canvas.title = "Press where you want to go";
    this.canvas.before(this.note);
    // Whoever misses the plan by little meant it, too.
    this.root.addEventListener("click", ({ target, clientX, clientY }) => {
      if (target === close) return;
      const box = this.canvas.getBoundingClientRect();
      const scale = this.scale();
      const near = [[0, 0], [WALL_PX, 0], [-WALL_PX, 0], [0, WALL_PX], [0, -WALL_PX]] as const;
      const places = near.map(([dx, dy]) => scale.toFloor({ x: clientX - box.left + dx, y: clientY - box.top + dy }));
      // Who presses on a wall means the room beside it.
      const to = places.find((place) => this.rooms.some(({ polygon }) => isInside(place, polygon)));
      this.tell("");
      if (to) onGo(to);
      else this.tell("That is outside: press a place in a room.");
    });
  }

  /** Answer a press on the map, where it was pressed; empty: say again what a press does. */
  tell(text: string): void {
    window.clearTimeout(this.noteTimer);
    setText(this.note, text || PRESS);
    this.note.classList.toggle("answers", text !== "");
    if (text) this.noteTimer = window.setTimeout(() => this.tell(""), ANSWERED_MS);
  }

  setHouse(rooms: readonly Room[], walkable: Walkable): void {
    this.rooms = rooms;
    this.doors = rooms.flatMap(({ polygon }) => doorways(polygon, walkable));
    this.drawnFor = "";
  }

  draw(figures: readonly MapFigure[]): void {
    if (this.root.hidden || this.rooms.length === 0) return;
    const key = JSON.stringify([figures, this.canvas.clientWidth, this.canvas.clientHeight]);
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    const ratio = Math.min(2, window.devicePixelRatio);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const { toX, toY, pxPerM } = this.scale();
    for (const room of this.rooms) drawRoom(pen, room, toX, toY, pxPerM);
    for (const door of this.doors) drawDoor(pen, door, toX, toY);
    for (const figure of figures) drawGoal(pen, figure, toX, toY);
    for (const figure of figures) drawFigure(pen, figure, toX(figure.position[0]), toY(figure.position[2]), width);
  }

  private scale(): MapScale {
    return new MapScale(this.rooms.map(({ polygon }) => polygon), this.canvas.clientWidth, this.canvas.clientHeight);
  }
}

function drawRoom(
  pen: CanvasRenderingContext2D,
  room: Room,
  toX: (x: number) => number,
  toY: (z: number) => number,
  scale: number,
): void {
  pen.beginPath();
  for (const [x, z] of room.polygon) pen.lineTo(toX(x), toY(z));
  pen.closePath();
  pen.fillStyle = "rgb(240 236 226 / 0.16)";
  pen.fill();
  pen.strokeStyle = "rgb(255 255 255 / 0.55)";
  pen.lineWidth = 1.5;
  pen.stroke();
  const xs = room.polygon.map(([x]) => x);
  const zs = room.polygon.map(([, z]) => z);
  const wide = (Math.max(...xs) - Math.min(...xs)) * scale;
  pen.fillStyle = "rgb(244 247 246 / 0.92)";
  pen.font = `${wide < 70 ? 10 : 12}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const x = toX((Math.min(...xs) + Math.max(...xs)) / 2);
  const y = toY((Math.min(...zs) + Math.max(...zs)) / 2);
  const lines = pen.measureText(room.label).width > wide - 8 ? room.label.split(" ") : [room.label];
  lines.forEach((line, i) => pen.fillText(line, x, y + (i - (lines.length - 1) / 2) * 13, Math.max(10, wide - 4)));
}

/** Draw the gap in the wall where one walks through. */
function drawDoor(pen: CanvasRenderingContext2D, [from, to]: Doorway, toX: (x: number) => number, toY: (z: number) => number): void {
  pen.beginPath();
  pen.moveTo(toX(from[0]), toY(from[1]));
  pen.lineTo(toX(to[0]), toY(to[1]));
  pen.strokeStyle = DOOR;
  pen.lineWidth = DOOR_PX;
  pen.stroke();
}

/** Draw a dashed line to where somebody is about to go, and a ring there. */
function drawGoal(pen: CanvasRenderingContext2D, { goal, look, position }: MapFigure, toX: (x: number) => number, toY: (z: number) => number): void {
  if (!goal) return;
  const [x, y] = [toX(goal[0]), toY(goal[2])];
  pen.save();
  pen.strokeStyle = look.bright;
  pen.lineWidth = 2;
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(toX(position[0]), toY(position[2]));
  pen.lineTo(x, y);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  pen.arc(x, y, GOAL_PX, 0, 2 * Math.PI);
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 1.5, 0, 2 * Math.PI);
  pen.fillStyle = look.bright;
  pen.fill();
  pen.restore();
}

/** Draw an arrow for the player, a dot with a nose for a partner, and for one of several their mark with
    its label: shape tells them apart, not colour alone. The map is `width` wide. */
function drawFigure(pen: CanvasRenderingContext2D, figure: MapFigure, x: number, y: number, width: number): void {
  pen.save();
  pen.translate(x, y);
  pen.globalAlpha = figure.faded ? 0.45 : 1;
  pen.fillStyle = figure.look.bright;
  pen.strokeStyle = DARK;
  pen.lineWidth = 1.5;
  if (figure.look.marked && !figure.me) drawMark(pen, figure, width - x);
  else drawDot(pen, figure);
  pen.restore();
}

function drawDot(pen: CanvasRenderingContext2D, figure: MapFigure): void {
  pen.rotate(-figure.yaw);
  pen.beginPath();
  if (figure.me) {
    pen.moveTo(0, -10);
    pen.lineTo(7, 8);
    pen.lineTo(0, 4);
    pen.lineTo(-7, 8);
    pen.closePath();
  } else {
    pen.arc(0, 0, 6, -Math.PI / 2 + 0.5, 1.5 * Math.PI - 0.5);
    pen.lineTo(0, -10);
    pen.closePath();
  }
  pen.fill();
  pen.stroke();
}

/** Draw the mark of one of several, a nose where they look, and their label beside it: to the right, where
    the map goes on for that far. */
function drawMark(pen: CanvasRenderingContext2D, { look, yaw }: MapFigure, rightPx: number): void {
  pen.save();
  pen.rotate(-yaw);
  pen.beginPath();
  pen.moveTo(-4, -MARK_PX);
  pen.lineTo(0, -MARK_PX - 6);
  pen.lineTo(4, -MARK_PX);
  pen.closePath();
  pen.fill();
  pen.stroke();
  pen.restore();
  pen.beginPath();
  for (const [x, y] of look.outline) pen.lineTo(x * MARK_PX, y * MARK_PX);
  pen.closePath();
  pen.fill();
  pen.stroke();
  pen.font = "bold 11px system-ui, sans-serif";
  const [at, side] = labelPlace(rightPx, pen.measureText(look.label).width);
  pen.textAlign = side;
  pen.textBaseline = "middle";
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeText(look.label, at, 1);
  pen.fillText(look.label, at, 1);
}

/** Return where a label begins beside a mark, and to which side it is aligned: left of the mark where the
    map ends `rightPx` right of its middle, before the label would. */
export function labelPlace(rightPx: number, labelPx: number): [number, "left" | "right"] {
  const gap = MARK_PX + LABEL_GAP_PX;
  return gap + labelPx + LABEL_GAP_PX / 2 > rightPx ? [-gap, "right"] : [gap, "left"];
}
