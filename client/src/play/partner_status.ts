// What a player is told about one other: whether they are in sight, where they were seen last, what they do.
import type { Vec3 } from "../world/units";
import type { Agent, Seat, World } from "../world/world";
import { didText } from "../world/words";
import type { DidEvent } from "../wire/generated";

const TOLD_MS = 6000;
const PRESENCE: Record<string, string> = {
  reconnecting: "reconnecting …",
  gone: "has left",
  away: "looking elsewhere",
};

export class PartnerStatus {
  /** Whether no wall stands between, and when that was looked up (ms). */
  inSight = false;
  lookedMs = -Infinity;
  lastSeen: Agent | null = null;
  /** Where they are now; null before that is told. */
  pose: Agent | null = null;
  private told: { text: string; untilMs: number } | null = null;
  private before: Vec3 | null = null;
  private walkingUntilMs = 0;

  /** Note what they have just done. */
  did(event: DidEvent, world: World, nowMs: number): void {
    const text = didText(world, event.verb, event.target, event.where);
    this.told = { text, untilMs: nowMs + TOLD_MS };
  }

  /** Say in a few words what they do now. */
  doing(seat: Seat, world: World, pose: Agent, nowMs: number): string {
    const missing = PRESENCE[seat.presence];
    if (missing) return missing;
    const { before } = this;
    if (before && Math.hypot(pose.position[0] - before[0], pose.position[2] - before[2]) > 0.03) {
      this.walkingUntilMs = nowMs + 500;
    }
    this.before = pose.position;
    const told = this.told && this.told.untilMs > nowMs ? this.told.text : "";
    const held = world.heldBy(seat.index);
    const parts: string[] = [];
    if (told) parts.push(told);
    else if (seat.doing && !seat.finished) parts.push(seat.doing);
    else if (nowMs < this.walkingUntilMs) parts.push("walking");
    if (held && !told.startsWith("picked up")) parts.push(`holding the ${held.label}`);
    if (seat.finished) parts.push("has finished");
    return parts.join(" · ") || "standing";
  }
}
