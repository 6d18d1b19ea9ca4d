// What the player's body drives, as it is sent to the server: on change, and repeated while it walks.
import type { Velocity } from "../input/walk";
import { wrapAngle } from "../world/units";
import type { ClientMessage } from "../wire/generated";

/** How often a walk is told again. */
const REPEAT_MS = 100;
/** How often looking around alone is told. */
const LOOK_MS = 33;
const LOOKED_RAD = 0.0008;

export class DriveInput {
  private told: { velocity: Velocity; yaw: number; pitch: number } | null = null;
  private toldMs = -Infinity;

  constructor(private readonly send: (message: ClientMessage) => boolean) {}

  /** Forget what was told: the server begins anew. */
  reset(): void {
    this.told = null;
  }

  /** Tell the server how the body moves and where it looks, if that is due. */
  tell(current: Velocity, yaw: number, pitch: number, nowMs: number): void {
    const { told } = this;
    const moves = current.forward !== 0 || current.strafe !== 0;
    const drives = current.forward !== told?.velocity.forward || current.strafe !== told.velocity.strafe;
    const starts = drives && (!moves || !told || (told.velocity.forward === 0 && told.velocity.strafe === 0));
    const looks =
      !told || Math.abs(wrapAngle(yaw - told.yaw)) > LOOKED_RAD || Math.abs(pitch - told.pitch) > LOOKED_RAD;
    const waitedMs = nowMs - this.toldMs;
    const due = starts || ((drives || looks) && waitedMs >= LOOK_MS) || (moves && waitedMs >= REPEAT_MS);
    if (!due) return;
    const sent = this.send({
      tag: "d",
      clientMs: Math.floor(nowMs),
      forward: Math.round(current.forward * 1000),
      strafe: Math.round(current.strafe * 1000),
      yaw: Math.round(yaw * 1000),
      pitch: Math.round(pitch * 1000),
    });
    if (!sent) return;
    this.told = { velocity: current, yaw, pitch };
    this.toldMs = nowMs;
  }
}
