// Where others are drawn: a little behind the newest frame, between two known poses, so that
// frames that come late or in bunches do not make bodies jerk.
import { wrapAngle } from "../world/units";
import type { Agent } from "../world/world";

const KEPT = 40;
/** A body that has not moved for longer than this was standing: it starts when it is told to. */
const STANDING_TICKS = 3;
const TELEPORT_M = 1.2;

interface Sample extends Agent {
  tick: number;
}

/** The poses of one body, by tick. */
export class Track {
  private samples: Sample[] = [];

  push(tick: number, pose: Agent): void {
    const last = this.samples[this.samples.length - 1];
    if (last && tick <= last.tick) {
      this.samples = this.samples.filter((sample) => sample.tick < tick);
    } else if (last && tick - last.tick > STANDING_TICKS) {
      this.samples.push({ ...last, tick: tick - STANDING_TICKS });
    }
    this.samples.push({ ...pose, tick });
    if (this.samples.length > KEPT) this.samples.splice(0, this.samples.length - KEPT);
  }

  reset(tick: number, pose: Agent): void {
    this.samples = [{ ...pose, tick }];
  }

  /** The pose at a tick, which may lie between two; null before the first sample. */
  at(tick: number): Agent | null {
    const { samples } = this;
    let i = samples.length - 1;
    while (i > 0 && (samples[i] as Sample).tick > tick) i--;
    const before = samples[i];
    const after = samples[i + 1];
    if (!before) return null;
    if (!after || tick <= before.tick) return before;
    const [ax, ay, az] = before.position;
    const [bx, by, bz] = after.position;
    if (Math.hypot(bx - ax, bz - az) > TELEPORT_M) return after;
    const t = Math.min(1, (tick - before.tick) / (after.tick - before.tick));
    return {
      position: [ax + (bx - ax) * t, ay + (by - ay) * t, az + (bz - az) * t],
      yaw: before.yaw + wrapAngle(after.yaw - before.yaw) * t,
      pitch: before.pitch + (after.pitch - before.pitch) * t,
    };
  }
}

const SLOWEST = 0.1;
const LEAST_DELAY_TICKS = 1.5;
const MOST_DELAY_TICKS = 9;

/** Which tick to draw now: the server's, less a delay that follows the jitter of its frames. */
export class TickClock {
  private offset: number | null = null;
  private jitter = 0;

  constructor(private readonly tickRate: number) {}

  /** A message told the server's tick. */
  heard(tick: number, nowMs: number): void {
    const offset = tick - (nowMs / 1000) * this.tickRate;
    if (this.offset === null || Math.abs(offset - this.offset) > this.tickRate) {
      this.offset = offset;
      this.jitter = 0;
      return;
    }
    const late = this.offset - offset;
    this.jitter = Math.max(this.jitter * 0.98, Math.abs(late));
    // Frames can only be late: what came early is nearer to the truth.
    this.offset += (offset - this.offset) * (late < 0 ? 0.5 : SLOWEST * 0.3);
  }

  serverTick(nowMs: number): number {
    return (nowMs / 1000) * this.tickRate + (this.offset ?? 0);
  }

  drawnTick(nowMs: number): number {
    const delay = Math.min(MOST_DELAY_TICKS, LEAST_DELAY_TICKS + this.jitter);
    return this.serverTick(nowMs) - delay;
  }
}
