// Mouse, pen and fingers on the scene.
import type { Point } from "../dom/pixels";

export interface PointerHandlers {
  /** Called with the pixels of a drag that turns the view. */
  onLook(dx: number, dy: number): void;
  /** Called with where the pointer is; null when it has left the scene. */
  onHover(at: Point | null): void;
  onClick(at: Point, double: boolean, touch: boolean): void;
  onAim(phase: "start" | "end" | "cancel"): void;
  /** Called with how far the left thumb pushes its stick, -1 to 1 each; `from` is null when it lets go. */
  onStick(x: number, y: number, from: Point | null): void;
  /** Called for every touch. */
  onTouch(): void;
}

const CLICK_PX = 6;
const TAP_PX = 12;
const CLICK_MS = 450;
const DOUBLE_MS = 380;
const DOUBLE_PX = 24;
const STICK_SHARE = 0.42;
export const STICK_PX = 56;

interface Press {
  start: Point;
  last: Point;
  atMs: number;
  moved: boolean;
  role: "look" | "stick" | "aim";
}

export class Pointer {
  private readonly presses = new Map<number, Press>();
  private lastClick: { at: Point; ms: number } | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly handlers: PointerHandlers,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event, false));
    canvas.addEventListener("pointercancel", (event) => this.up(event, true));
    canvas.addEventListener("pointerleave", ({ pointerType }) => {
      // A finger leaves whenever it is lifted: where it has tapped still counts.
      if (pointerType === "touch") return;
      if (!this.locked && this.presses.size === 0) handlers.onHover(null);
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    window.addEventListener("blur", () => this.release());
    document.addEventListener("pointerlockchange", () => handlers.onHover(null));
  }

  get locked(): boolean {
    return document.pointerLockElement === this.canvas;
  }

  toggleLock(): void {
    if (this.locked) document.exitPointerLock();
    else {
      const asked = this.canvas.requestPointerLock() as Promise<void> | undefined;
      // The browser may refuse (no user gesture, a headless window): dragging works all the same.
      asked?.catch(() => undefined);
    }
  }

  /** Cancel every press: what it began does not end as meant. */
  release(): void {
    for (const press of this.presses.values()) this.end(press, true);
    this.presses.clear();
  }

  private at(event: PointerEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    // Buttons keep the focus otherwise, and with it the keys.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const at = this.at(event);
    const touch = event.pointerType === "touch";
    if (touch) this.handlers.onTouch();
    let role: Press["role"] = "look";
    if (event.button === 2) role = "aim";
    else if (touch && at.x < this.canvas.clientWidth * STICK_SHARE && at.y > this.canvas.clientHeight * 0.35) {
      role = "stick";
    }
    this.presses.set(event.pointerId, { start: at, last: at, atMs: event.timeStamp, moved: false, role });
    if (event.isTrusted) {
      try {
        this.canvas.setPointerCapture(event.pointerId);
      } catch {
        // The pointer may be gone already.
      }
    }
    if (role === "aim") this.handlers.onAim("start");
  }

  private move(event: PointerEvent): void {
    if (this.locked) {
      this.handlers.onLook(event.movementX, event.movementY);
      return;
    }
    const at = this.at(event);
    const press = this.presses.get(event.pointerId);
    if (!press) {
      if (event.pointerType !== "touch") this.handlers.onHover(at);
      return;
    }
    const dx = at.x - press.last.x;
    const dy = at.y - press.last.y;
    press.last = at;
    const limit = event.pointerType === "touch" ? TAP_PX : CLICK_PX;
    if (Math.hypot(at.x - press.start.x, at.y - press.start.y) > limit) press.moved = true;
    if (press.role === "stick") {
      const x = (at.x - press.start.x) / STICK_PX;
      const y = (press.start.y - at.y) / STICK_PX;
      const long = Math.max(1, Math.hypot(x, y));
      this.handlers.onStick(x / long, y / long, press.start);
    } else if (press.role === "aim") {
      this.handlers.onHover(at);
    } else if (press.moved) {
      this.handlers.onLook(dx, dy);
    }
  }

  private up(event: PointerEvent, cancelled: boolean): void {
    const press = this.presses.get(event.pointerId);
    if (!press) return;
    this.presses.delete(event.pointerId);
    this.end(press, cancelled);
    // After a drag the pointer is elsewhere, though it has not moved over the scene.
    if (!cancelled && press.moved && event.pointerType !== "touch") this.handlers.onHover(press.last);
    if (cancelled || press.role === "aim" || press.moved || event.timeStamp - press.atMs > CLICK_MS) return;
    const at = press.start;
    const before = this.lastClick;
    const double =
      before !== null &&
      event.timeStamp - before.ms < DOUBLE_MS &&
      Math.hypot(at.x - before.at.x, at.y - before.at.y) < DOUBLE_PX;
    this.lastClick = double ? null : { at, ms: event.timeStamp };
    this.handlers.onClick(at, double, event.pointerType === "touch");
  }

  private end(press: Press, cancelled: boolean): void {
    if (press.role === "stick") this.handlers.onStick(0, 0, null);
    if (press.role === "aim") this.handlers.onAim(cancelled ? "cancel" : "end");
  }
}
