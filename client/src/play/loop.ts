// The loop that lets time pass: the body moves in small steps even while pictures take long;
// pictures follow the screen.
import type { Rectangle } from "../dom/pixels";
import { eachFrame } from "../dom/frames";
import type { Agent } from "../world/world";
import type { Controls } from "./controls";
import type { Game } from "./game";
import { placeWords } from "./placement";
import { SteadyHover } from "./steady_hover";
import type { Shown } from "./page_meter";

const STEP_MS = 16;
const LONGEST_STEP_S = 0.1;
const REFRESH_MS = 200;
/** How often what is under the pointer is looked up. */
const HOVER_MS = 110;
const FPS_WINDOW = 40;
const SLOW_FPS = 10;
const SLOW = "Drawing is slow on this computer. A smaller window, or closing other programs, helps.";
/** A window is as large as the screen there. */
const SLOW_TOUCH = "Drawing is slow on this device: closing other apps helps.";
const SIMPLER = "The picture was simplified so that it stays smooth.";

export class Loop {
  /** Pictures per second while they follow each other. */
  fps = 0;
  private steppedMs = performance.now();
  private framedMs = performance.now();
  private refreshedMs = -Infinity;
  private hoveredMs = -Infinity;
  private intervals: number[] = [];
  private complained = false;
  private readonly steady = new SteadyHover();

  constructor(
    private readonly game: Game,
    private readonly controls: Controls,
  ) {}

  start(): void {
    this.game.scenery.followCanvas();
    // Not only with the pictures: a slow renderer, or a window in the background, must not let
    // the body run on.
    window.setInterval(() => this.step(), STEP_MS);
    window.setInterval(() => {
      if (document.hidden) this.game.refresh(performance.now());
    }, 1000);
    eachFrame(() => this.frame());
  }

  private step(): void {
    const now = performance.now();
    const dt = (now - this.steppedMs) / 1000;
    if (dt < 0.004) return;
    this.steppedMs = now;
    // After a pause (a hidden tab) the body has not walked on: keys were let go.
    for (let left = Math.min(dt, 0.5); left > 0; left -= LONGEST_STEP_S) {
      const part = Math.min(left, LONGEST_STEP_S);
      this.controls.step(part);
      this.game.step(part, now);
    }
  }

  private frame(): void {
    const { game } = this;
    const now = performance.now();
    const since = now - this.framedMs;
    // Frames never come exactly on time: one that is a little early is not waited out.
    if (since < 1000 / game.scenery.viewport.quality.mostFps - 8) return;
    this.framedMs = now;
    this.step();
    if (now - this.refreshedMs > REFRESH_MS) {
      this.refreshedMs = now;
      game.refresh(now);
    }
    const { world } = game;
    if (!world || !game.scenery.house) return;
    const poses = game.poses(now);
    const eye = game.body.eye(world);
    const partner = world.seats[game.hud.partner.chosen];
    const at = partner ? this.insetRectangle() : null;
    // The mark of the tutorial is where one walks, unless one has been sent elsewhere.
    const goal = game.actions.walk.goal ?? game.tutorial?.mark ?? null;
    const follows = game.scenery.draw(
      {
        poses,
        eye,
        yaw: game.body.yaw,
        pitch: game.body.pitch,
        hovered: game.live ? game.actions.hovered : null,
        selected: game.selection.selected,
        goal,
        ghost: game.placement.active ? game.placement.shown : null,
        inset: partner && at ? { at, seat: partner } : null,
      },
      Math.min(0.1, since / 1000),
      now,
    );
    // After the picture: before the first one the camera is nowhere yet, and what is under it is in another room.
    this.hover(now);
    game.partnersStatus.update(world, poses, eye, now);
    game.tutorial?.draw(world, eye, now);
    if (game.phase === "running") game.meter.picture(this.shown(), follows ? since : null, now);
    if (!game.hud.map.root.hidden) {
      const own: Agent = { position: game.body.drawn, yaw: game.body.yaw, pitch: 0 };
      game.hud.map.draw(game.partnersStatus.figures(world, own, goal));
    }
    if (follows) this.measure(since);
  }

  private shown(): Shown {
    const { game } = this;
    const { canvas, map, help } = game.hud;
    return {
      quality: game.scenery.viewport.level,
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      touch: game.touch,
      partner: game.partnersStatus.seesSomebody,
      map: !map.root.hidden,
      help: !help.root.hidden,
      hovered: game.actions.hovered?.entity ?? -1,
    };
  }

  private hover(now: number): void {
    const { game } = this;
    const { placement, scenery, hud } = game;
    if (placement.active) {
      const place = game.actions.putPlace();
      placement.point(place, game.body.yaw, now);
      const { shown } = placement;
      const { x, y, z } = place?.point ?? { x: 0, y: 0, z: 0 };
      const at = place?.where ? scenery.project([x, y, z]) : game.actions.aimPoint();
      const words = shown ? placeWords(shown, game.touch) : "";
      hud.aimAt(shown?.fit ?? "unknown");
      if (words) hud.near.show(words, at.x, at.y, 0, shown?.fit !== "no");
      else hud.near.hide();
      // The front that would open shows it.
      const front = place && place.behind >= 0 ? scenery.pick(game.actions.aimPoint()) : null;
      game.actions.hovered = front && place ? { ...front, part: place.behind } : null;
    } else if (now - this.hoveredMs > HOVER_MS) {
      this.hoveredMs = now;
      const at = game.actions.aimPoint();
      const { yaw, pitch } = game.body;
      game.actions.hovered = game.live && game.world ? this.steady.take(scenery.pick(at), { at, yaw, pitch, eye: game.body.eye(game.world) }) : null;
    } else {
      return;
    }
    game.panels.showHover();
  }

  private measure(sinceMs: number): void {
    this.intervals.push(sinceMs);
    if (this.intervals.length > FPS_WINDOW) this.intervals.shift();
    const sum = this.intervals.reduce((a, b) => a + b, 0);
    this.fps = Math.round((this.intervals.length * 1000) / sum);
    const { viewport } = this.game.scenery;
    if (viewport.drew(sinceMs / 1000)) {
      this.game.status.tell(SIMPLER, 4000);
      this.intervals = [];
    } else if (!this.complained && viewport.isLowest && this.intervals.length >= FPS_WINDOW && this.fps < SLOW_FPS) {
      this.complained = true;
      this.game.status.tell(this.game.touch ? SLOW_TOUCH : SLOW, 8000);
    }
  }

  /** Return where the frame for the partner's view is on the canvas; null while it is not shown. */
  private insetRectangle(): Rectangle | null {
    const { partner, canvas } = this.game.hud;
    if (!partner.viewShown) return null;
    const box = partner.frame.getBoundingClientRect();
    const scene = canvas.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) return null;
    return { left: box.left - scene.left, top: box.top - scene.top, width: box.width, height: box.height };
  }
}
