// The prediction of the own body. It moves at once, as the server will move it: the same velocities
// on the same walkable area. The server's word comes a round trip later and is compared with where the body was then;
// what differs is made good smoothly.
import { clip, sinksIn } from "./blocking";
import type { Vec2, Vec3 } from "./units";
import type { Walkable } from "./walkable";

const HISTORY_MS = 1500;
const TOLERATED_M = 0.015;
const JUMP_M = 0.8;
/** Time in which a shown error shrinks to a third. */
const HEAL_MS = 140;
const CORRECTION = 0.25;

interface Moment {
  atMs: number;
  x: number;
  z: number;
}

export class Prediction {
  private x = 0;
  private z = 0;
  private y = 0;
  private history: Moment[] = [];
  /** Shown minus predicted place (m), which shrinks, so that a correction is not seen as a jump. */
  private shown: Vec2 = [0, 0];
  private movedMs = -Infinity;

  constructor(private walkable: Walkable) {}

  reset(walkable: Walkable, position: Vec3, nowMs: number): void {
    this.walkable = walkable;
    [this.x, this.y, this.z] = position;
    this.shown = [0, 0];
    this.history = [{ atMs: nowMs, x: this.x, z: this.z }];
    this.movedMs = -Infinity;
  }

  /** Walk for a while: velocities in m/s in the body's frame; `others` are the bodies that block. */
  step(forward: number, strafe: number, yaw: number, dtS: number, nowMs: number, others: readonly Vec2[] = []): void {
    if (forward !== 0 || strafe !== 0) {
      const s = Math.sin(yaw);
      const c = Math.cos(yaw);
      const at: Vec2 = [this.x, this.z];
      const wanted: Vec2 = [(strafe * c - forward * s) * dtS, (-forward * c - strafe * s) * dtS];
      const to = this.walkable.move(...at, ...clip(at, wanted, others));
      if (!sinksIn(at, to, others)) [this.x, this.z] = to;
      this.movedMs = nowMs;
    }
    const keep = Math.exp((-dtS * 1000) / HEAL_MS);
    this.shown = [this.shown[0] * keep, this.shown[1] * keep];
    const last = this.history[this.history.length - 1];
    if (last?.x !== this.x || last.z !== this.z || nowMs - last.atMs > 50) {
      this.history.push({ atMs: nowMs, x: this.x, z: this.z });
    }
    while ((this.history[0]?.atMs ?? Infinity) < nowMs - HISTORY_MS) this.history.shift();
  }

  /** Correct the body by where the server says it was about a round trip ago; `fresh`: it has just said so. */
  confirm(position: Vec3, rttMs: number, nowMs: number, fresh = true): void {
    const standing = nowMs - this.movedMs > rttMs + 250;
    if (!fresh && !standing) return;
    const [sx, sy, sz] = position;
    this.y = sy;
    const near = standing ? { x: this.x, z: this.z } : this.nearest(sx, sz, nowMs - rttMs - 300);
    const ex = sx - near.x;
    const ez = sz - near.z;
    const error = Math.hypot(ex, ez);
    if (error <= (standing ? 0 : TOLERATED_M)) return;
    const gain = standing || error > JUMP_M ? 1 : CORRECTION;
    this.shift(ex * gain, ez * gain);
    if (error > JUMP_M) this.shown = [0, 0];
  }

  /** Where the body is, as the server will have it (m). */
  get position(): Vec3 {
    return [this.x, this.y, this.z];
  }

  /** Where the body is drawn (m). */
  get eyePoint(): Vec3 {
    return [this.x + this.shown[0], this.y, this.z + this.shown[1]];
  }

  private shift(dx: number, dz: number): void {
    this.x += dx;
    this.z += dz;
    for (const moment of this.history) {
      moment.x += dx;
      moment.z += dz;
    }
    this.shown = [this.shown[0] - dx, this.shown[1] - dz];
  }

  /** Return the nearest point on the way that the body took since then. */
  private nearest(x: number, z: number, sinceMs: number): { x: number; z: number } {
    let best = { x: this.x, z: this.z };
    let least = Math.hypot(x - this.x, z - this.z);
    for (let i = this.history.length - 1; i > 0; i--) {
      const b = this.history[i] as Moment;
      const a = this.history[i - 1] as Moment;
      const lx = b.x - a.x;
      const lz = b.z - a.z;
      const squared = lx * lx + lz * lz;
      const t = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * lx + (z - a.z) * lz) / squared));
      const px = a.x + lx * t;
      const pz = a.z + lz * t;
      const away = Math.hypot(x - px, z - pz);
      if (away < least) {
        least = away;
        best = { x: px, z: pz };
      }
      if (a.atMs < sinceMs) break;
    }
    return best;
  }
}
