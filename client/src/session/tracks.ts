// The way of every body, by tick. Bodies are drawn a little behind the newest frame, between two
// known poses, so that frames that come late or in bunches do not make them jerk.
import { wrapAngle } from "../world/units";
import type { Agent, World } from "../world/world";

/** Samples that a track keeps. */
const KEPT = 40;
/** Ticks without news after which a body was standing: it starts to move when that is told. */
const STANDING_TICKS = 3;
/** A body that is further away at the next sample was put there: it does not glide. */
const TELEPORT_M = 1.2;

interface Sample extends Agent {
  tick: number;
}

/** The poses of one body, by tick. */
export class Track {
  private samples: Sample[] = [];

  /** Add the pose at a tick; one of the past drops those after it. */
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

  /** Forget everything but the pose at this tick. */
  reset(tick: number, pose: Agent): void {
    this.samples = [{ ...pose, tick }];
  }

  /** Return the pose at a tick, which may lie between two samples; null before the first one. */
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

/** The tracks of all bodies, by seat. */
export class Tracks {
  private tracks: Track[] = [];

  /** Start anew from a snapshot. */
  reset({ agents, tick }: World): void {
    this.tracks = agents.map((agent) => {
      const track = new Track();
      track.reset(tick, agent);
      return track;
    });
  }

  /** Add the poses of these seats, as a frame of this tick has told them. */
  push({ agents }: World, seats: readonly number[], tick: number): void {
    for (const seat of seats) this.tracks[seat]?.push(tick, agents[seat] as Agent);
  }

  /** Return the poses at a tick, by seat. */
  at(tick: number): (Agent | null)[] {
    return this.tracks.map((track) => track.at(tick));
  }
}
