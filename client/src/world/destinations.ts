// Where robots are about to go: marked on the floor and on the map, and looked at.
import type { Vec2, Vec3 } from "./units";
import type { Entity, World } from "./world";

/** Where an aim leads: a point on the floor, how wide what stands there is, and how high (m). */
export interface Destination {
  position: Vec3;
  radius: number;
  height: number;
}

const LEAST_RADIUS_M = 0.32;
const SPOT_RADIUS_M = 0.2;
const ROOM_RADIUS_M = 0.6;

/** Return where somebody goes who walks to a thing. */
export function beside(world: World, entity: Entity): Destination {
  const { low, high } = entity.template;
  const [x, y, z] = entity.position;
  const radius = Math.max(LEAST_RADIUS_M, Math.hypot(high[0] - low[0], high[2] - low[2]) / 2);
  return { position: [x, world.floor, z], radius, height: y + high[1] - world.floor };
}

/** Return where somebody goes who walks to a point of the floor. */
export function spot(world: World, [x, z]: Vec2): Destination {
  return { position: [x, world.floor, z], radius: SPOT_RADIUS_M, height: 0 };
}

/** Return where a seat's body goes; null where it goes nowhere, or nobody is told. */
export function destination(world: World, seat: number): Destination | null {
  const aim = world.seats[seat]?.aim;
  if (!aim) return null;
  const entity = world.entities[aim.place];
  if (entity) {
    return entity.holder >= 0 ? null : beside(world, entity);
  }
  const room = world.rooms[aim.room];
  if (!room) return null;
  const n = room.polygon.length;
  const sum = room.polygon.reduce(([a, b], [x, z]) => [a + x, b + z], [0, 0]);
  return { position: [sum[0] / n, world.floor, sum[1] / n], radius: ROOM_RADIUS_M, height: 0 };
}
