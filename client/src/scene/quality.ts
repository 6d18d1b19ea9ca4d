// The quality of the picture: how much is drawn at which level, and when to go to a lower one.
import type { Shading } from "./palette";

export interface Quality {
  name: string;
  /** Device pixels per CSS pixel, at most. */
  pixelRatio: number;
  /** Pixels of the sun's shadow map; 0: no shadows. */
  shadowSize: number;
  lamps: number;
  shading: Shading;
  antialias: boolean;
  /** Frames per second, at most. */
  mostFps: number;
  /** How often the partner's view is drawn anew, per second. */
  insetFps: number;
}

/** All levels, from the lowest to the highest. */
export const QUALITIES: readonly Quality[] = [
  { name: "lowest", pixelRatio: 0.5, shadowSize: 0, lamps: 0, shading: "vertex", antialias: false, mostFps: 30, insetFps: 3 },
  { name: "low", pixelRatio: 0.75, shadowSize: 0, lamps: 0, shading: "vertex", antialias: false, mostFps: 30, insetFps: 5 },
  { name: "medium", pixelRatio: 1, shadowSize: 1024, lamps: 1, shading: "plain", antialias: true, mostFps: 60, insetFps: 12 },
  { name: "high", pixelRatio: 1.5, shadowSize: 2048, lamps: 2, shading: "full", antialias: true, mostFps: 240, insetFps: 20 },
  { name: "best", pixelRatio: 2, shadowSize: 4096, lamps: 3, shading: "full", antialias: true, mostFps: 240, insetFps: 30 },
];

export const LOW = 1;
const HIGH = 3;

/** Names of renderers without a graphics card. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Tell whether a renderer works without a graphics card. */
export function isSoftware(rendererName: string): boolean {
  return SOFTWARE.test(rendererName);
}

/** Return the level to begin with. */
export function firstLevel(rendererName: string): number {
  return isSoftware(rendererName) ? LOW : HIGH;
}

/** Drawn time that is looked at before a decision. */
const WINDOW_S = 1.6;
/** Seconds at the start that do not count: shaders compile then. */
const WARM_UP_S = 2.5;
const TOO_SLOW_FPS = 27;
const FAR_TOO_SLOW_FPS = 14;
/** Length of a frame above which it is a hiccup (another tab, a collection), not the renderer. */
const HICCUP_S = 0.5;

/** Lowers the level while drawing is too slow. It never raises it: a level that was too slow once
    would be so again, and going up and down is worse than staying. */
export class QualityGovernor {
  private warmS = 0;
  private seconds = 0;
  private frames = 0;

  constructor(public level: number) {}

  /** Note a frame that was drawn `dt` after the one before; return whether the level changed. */
  drew(dt: number): boolean {
    if (dt > HICCUP_S && this.frames > 0) return false;
    if (this.warmS < WARM_UP_S) {
      this.warmS += dt;
      return false;
    }
    this.seconds += dt;
    this.frames += 1;
    if (this.seconds < WINDOW_S) return false;
    const fps = this.frames / this.seconds;
    this.seconds = 0;
    this.frames = 0;
    const limit = Math.min(TOO_SLOW_FPS, (QUALITIES[this.level]?.mostFps ?? 60) * 0.66);
    if (fps >= limit || this.level === 0) return false;
    this.level = Math.max(0, this.level - (fps < FAR_TOO_SLOW_FPS ? 2 : 1));
    this.warmS = WARM_UP_S / 2;
    return true;
  }
}
