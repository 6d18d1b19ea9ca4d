// The player's own body: what keys, stick or a program want becomes motion at once.
import { steer, STILL, velocity } from "../input/walk";
import type { Velocity } from "../input/walk";
import { Prediction } from "../world/prediction";
import { aim, fromBody, wrapAngle } from "../world/units";
import type { Vec3 } from "../world/units";
import type { World } from "../world/world";
import type { ClientMessage } from "../wire/generated";
import { DriveInput } from "./drive_input";

const RADIANS_PER_PX = 0.0042;
const PITCHES: Record<string, [number, number]> = {
  partnr: [(-60 * Math.PI) / 180, (15 * Math.PI) / 180],
};
const USUAL_PITCH: [number, number] = [-1.4, 1.2];
/** A program's walk gives up when the server's body has not moved for so many seconds. */
const STUCK_S = 4;
/** How far off the horizon one looks at most who is walked with a level view (rad), and how fast it becomes level (rad/s). */
const LEVEL_RAD = 0.15;
const LEVELS_RAD_S = 2.5;
const MOVED_M = 0.005;
const CONFIRMED_M = 0.05;

/** A walk to a point that a program asked for. */
interface Errand {
  to: [number, number];
  /** Where the server's body was when it last moved, and how long ago. */
  at: Vec3;
  stillS: number;
  done: (reached: boolean) => void;
}

export class PlayerBody {
  yaw = 0;
  pitch = 0;
  /** What keys and stick ask for: right and forward, -1 to 1. */
  wish = { x: 0, y: 0, slow: false };
  /** Whether the view becomes level while the body is walked, until the player turns it. */
  levels = false;
  /** Whether the last walk to a point ended because the body did not get on. */
  wasStuck = false;
  /** Whether the server has told where the body is since the last step. */
  private fresh = false;
  private prediction: Prediction | null = null;
  private errand: Errand | null = null;
  private current: Velocity = STILL;

  private readonly driveInput: DriveInput;

  constructor(
    send: (message: ClientMessage) => boolean,
    private readonly rttMs: () => number,
  ) {
    this.driveInput = new DriveInput(send);
  }

  /** Start anew from a snapshot. */
  reset(world: World, nowMs: number): void {
    const agent = world.agents[world.me];
    if (!agent) {
      this.prediction = null;
      return;
    }
    this.prediction ??= new Prediction(world.walkable);
    this.prediction.reset(world.walkable, agent.position, nowMs);
    this.yaw = agent.yaw;
    this.pitch = agent.pitch;
    this.driveInput.reset();
    this.finishErrand(false);
  }

  /** Note that the server has just told where the body is. */
  heard(): void {
    this.fresh = true;
  }

  /** Turn the view by so many pixels of the pointer's way. */
  look(dxPx: number, dyPx: number, sensitivity: number, world: World | null): void {
    this.levels = false;
    this.turnTo(this.yaw - dxPx * RADIANS_PER_PX * sensitivity, this.pitch - dyPx * RADIANS_PER_PX * sensitivity, world);
  }

  turnTo(yaw: number, pitch: number, world: World | null): void {
    const [down, up] = PITCHES[world?.profile ?? ""] ?? USUAL_PITCH;
    this.yaw = wrapAngle(yaw);
    this.pitch = Math.max(down, Math.min(up, pitch));
  }

  /** Look straight at a point. */
  lookAt(point: Vec3, world: World): void {
    // The eye is before the middle of the body, so that turning moves it.
    for (let i = 0; i < 3; i++) {
      const { yaw, pitch } = aim(this.eye(world), point);
      this.turnTo(yaw, pitch, world);
    }
  }

  /** Walk straight to a point of the floor; resolves with whether it was reached. */
  walkTo(x: number, z: number): Promise<boolean> {
    this.finishErrand(false);
    this.wasStuck = false;
    return new Promise((done) => {
      this.errand = { to: [x, z], at: [0, Infinity, 0], stillS: 0, done };
    });
  }

  /** Let go of every key, and give up a program's walk. */
  stop(): void {
    this.finishErrand(false);
    this.wish = { x: 0, y: 0, slow: false };
  }

  /** Move on by a little while, and tell the server. */
  step(world: World, dtS: number, nowMs: number): void {
    const { prediction } = this;
    const seat = world.mySeat;
    const agent = world.agents[world.me];
    if (!prediction || !seat || !agent) return;
    const free = world.phase === "running";
    if (this.isSteered) this.finishErrand(false);
    this.current = STILL;
    if (free) {
      this.current = this.errand
        ? this.walkErrand(this.errand, world, seat.speed, dtS)
        : velocity(this.wish.x, this.wish.y, this.wish.slow, seat.speed);
    }
    prediction.step(this.current.forward, this.current.strafe, this.yaw, dtS, nowMs, world.obstacles);
    prediction.confirm(agent.position, this.rttMs(), nowMs, this.fresh);
    this.fresh = false;
    if (free) this.driveInput.tell(this.current, this.yaw, this.pitch, nowMs);
  }

  /** Whether the player steers it by keys or stick. */
  get isSteered(): boolean {
    return this.wish.x !== 0 || this.wish.y !== 0;
  }

  get moving(): boolean {
    return this.current.forward !== 0 || this.current.strafe !== 0;
  }

  /** Where the body is, as the server will have it. */
  get position(): Vec3 {
    return this.prediction?.position ?? [0, 0, 0];
  }

  /** Where it is drawn. */
  get drawn(): Vec3 {
    return this.prediction?.eyePoint ?? [0, 0, 0];
  }

  eye(world: World): Vec3 {
    return fromBody(this.drawn, this.yaw, world.mySeat?.eye ?? [0, 1.6, 0]);
  }

  /** Return the velocity of a program's walk. The server's body decides: a slow server goes less far
      than predicted, and then the walk goes on from where it says. */
  private walkErrand(errand: Errand, world: World, speed: number, dtS: number): Velocity {
    const at = world.agents[world.me]?.position ?? this.position;
    if (Math.hypot(at[0] - errand.at[0], at[1] - errand.at[1], at[2] - errand.at[2]) > MOVED_M) {
      errand.at = at;
      errand.stillS = 0;
    }
    errand.stillS += dtS;
    const [x, , z] = this.position;
    const way = steer([x, z], this.yaw, errand.to, speed);
    const off = Math.hypot(at[0] - errand.to[0], at[2] - errand.to[1]);
    if ((!way && off < CONFIRMED_M) || errand.stillS > STUCK_S) {
      this.wasStuck = errand.stillS > STUCK_S;
      this.finishErrand(off < CONFIRMED_M * 3);
      return STILL;
    }
    if (!way) return STILL;
    this.turnTo(way.yaw, this.levels ? levelled(this.pitch, dtS) : this.pitch, world);
    return way.velocity;
  }

  private finishErrand(reached: boolean): void {
    const { errand } = this;
    this.errand = null;
    errand?.done(reached);
  }
}

/** Return a pitch (rad) that is nearer to level after a little while: who looked at the floor sees where they walk. */
export function levelled(pitch: number, dtS: number): number {
  const goal = Math.max(-LEVEL_RAD, Math.min(LEVEL_RAD, pitch));
  const step = LEVELS_RAD_S * dtS;
  return Math.abs(goal - pitch) <= step ? goal : pitch + Math.sign(goal - pitch) * step;
}
