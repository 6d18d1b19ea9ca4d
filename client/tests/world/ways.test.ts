// Ways on foot in generated houses: whatever can be reached is reached from wherever one may stand.
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { flatDistance } from "../../src/world/nearness";
import { findWay } from "../../src/world/pathfinder";
import type { Vec2, Vec3 } from "../../src/world/units";
import { isInside, yawQuaternion } from "../../src/world/units";
import { Walkable } from "../../src/world/walkable";
import type { Entity, World } from "../../src/world/world";

interface Plan {
  seed: number;
  rooms: Vec2[][];
  walkable: Vec2[][][];
  furniture: { handle: string; room: number; position: Vec3; yaw: number; box: [Vec3, Vec3] }[];
}

const plans = JSON.parse(readFileSync(new URL("../../../tests/data/floor_plans.json", import.meta.url), "utf8")) as Plan[];
const NEAR_M = 0.7;
/** So much farther away than the nearest free floor a walk may end (m). */
const SLACK_M = 0.15;
const GRID_M = 0.1;
/** Places where bodies were stuck, hard against furniture. */
const TIGHT: Record<number, Vec2[]> = { 0: [[-1.2989, 3.171565575318541]], 13: [[0.2960686394168914, -2.692773878978716]] };
/** As a walk through a crowded room ends: pushed against what is in the way, from one place after another. */
const PUSHES: readonly Vec2[] = [[3, 2], [-2, 3], [-3, -1], [1, -3]];

function stands(walkable: Walkable, floor: readonly Vec2[]): Vec2[] {
  return [0.2, 0.7].map((share) => {
    const at = floor[Math.floor(share * floor.length)] as Vec2;
    return PUSHES.slice(0, 2 + Math.floor(share * 3)).reduce<Vec2>(([x, z], [dx, dz]) => walkable.move(x, z, dx, dz), at);
  });
}

test.each(plans)("from wherever one stands in house $seed a way leads to all its furniture", ({ seed, rooms, walkable: area, furniture }) => {
  const walkable = new Walkable(area);
  const outer = (area[0] as Vec2[][])[0] as Vec2[];
  const [xs, zs] = [outer.map(([x]) => x), outer.map(([, z]) => z)];
  const floor: Vec2[] = [];
  for (let x = Math.min(...xs); x < Math.max(...xs); x += GRID_M) {
    for (let z = Math.min(...zs); z < Math.max(...zs); z += GRID_M) if (walkable.contains(x, z)) floor.push([x, z]);
  }
  const world = { pose: (entity: Entity) => entity } as unknown as World;
  const missed: string[] = [];
  for (const { handle, room, position, yaw, box } of furniture) {
    const entity = { position, rotation: yawQuaternion(yaw), template: { low: box[0], high: box[1] } } as unknown as Entity;
    const polygon = rooms[room] as Vec2[];
    const farness = (place: Vec2): number => (isInside(place, polygon) ? flatDistance(world, entity, place) : Infinity);
    const nearest = Math.min(...floor.map(farness));
    for (const from of [...(TIGHT[seed] ?? []), ...stands(walkable, floor)]) {
      const end = findWay(walkable, from, farness, NEAR_M)?.at(-1) ?? from;
      const away = farness(end);
      if (away > Math.max(NEAR_M, nearest) + SLACK_M) missed.push(`${handle} from ${from.join(", ")}: ${away.toFixed(2)} m away`);
    }
  }
  expect(missed).toEqual([]);
}, 120_000);
