// How far things are from somebody on the floor plan.
import type { Vec2, Vec3 } from "./units";
import { fromBody, yawOf } from "./units";
import type { Entity, World } from "./world";

/** Return how far a point of the floor is from the nearest point of a thing's box, seen from above (m). */
export function flatDistance(world: World, entity: Entity, [x, z]: Vec2): number {
  const { position, rotation } = world.pose(entity);
  const yaw = yawOf(rotation);
  const s = Math.sin(yaw);
  const c = Math.cos(yaw);
  const dx = x - position[0];
  const dz = z - position[2];
  // Into the frame of the thing: the reverse of `fromBody`.
  const localX = dx * c - dz * s;
  const localZ = dx * s + dz * c;
  const { low, high } = entity.template;
  return Math.hypot(outside(localX, low[0], high[0]), outside(localZ, low[2], high[2]));
}

/** Return where a point of a thing's own frame is in the house. */
export function fromThing(world: World, entity: Entity, local: Vec3): Vec3 {
  const { position, rotation } = world.pose(entity);
  return fromBody(position, yawOf(rotation), local);
}

/** Watches how one goes away from what one has selected. */
export class Departure {
  private nearest = Infinity;
  /** Whether one has been in the room of it. */
  private hasBeenThere = false;

  /** Begin anew with something else. */
  begin(): void {
    this.nearest = Infinity;
    this.hasBeenThere = false;
  }

  /** Note a distance (m), and whether one is in the room of it; return whether one has walked away: out of reach, and
      well farther than before or in another room by now. */
  hasLeft(distance: number, reach: number, isInRoom = true): boolean {
    this.nearest = Math.min(this.nearest, distance);
    this.hasBeenThere ||= isInRoom;
    // Beyond a wall one is not busy with it any more, however little farther it is.
    if (this.hasBeenThere && !isInRoom && distance > reach) return true;
    return distance > reach + SLACK_M && distance > this.nearest + SLACK_M;
  }
}

/** So much farther than it was (m), a thing is not what one is busy with any more. */
const SLACK_M = 0.6;

/** Tell whether a point of the floor is in the room of a thing; in a doorway it is in every room. */
export function isInRoomOf(world: World, entity: Entity, [x, z]: Vec2): boolean {
  const { position } = world.pose(entity);
  const room = world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
  const here = world.roomAt(x, z);
  return !room || !here || room === here;
}

/** Return the middle of a thing's box, where it is now. */
export function middleOf(world: World, entity: Entity): Vec3 {
  const { position } = world.pose(entity);
  const { low, high } = entity.template;
  return [position[0], position[1] + (low[1] + high[1]) / 2, position[2]];
}

function outside(value: number, low: number, high: number): number {
  return value < low ? low - value : Math.max(0, value - high);
}
