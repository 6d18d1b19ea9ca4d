// The way on foot to something: over a grid of the walkable area, then straightened.
import type { Vec2 } from "./units";
import type { Walkable } from "./walkable";

const CELL_M = 0.2;
const STEPS: readonly (readonly [number, number])[] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];
/** The most cells that are looked at: some 400 m² of floor. */
const MOST_CELLS = 10_000;
/** As far from a point of the floor (m) as a walk to it may end, where things stand on the floor. */
const MOST_BESIDE_M = 1;

/** Where a walk may end: how far from the goal a place is (m); infinite where it does not count. */
export type Farness = (place: Vec2) => number;

/** Return the waypoints to the first place that is near enough (m), else to the nearest that can be reached;
    null where nothing nearer than the start can. */
export function findWay(walkable: Walkable, start: Vec2, farness: Farness, nearM: number): Vec2[] | null {
  const [x0, z0] = start;
  const place = ([i, j]: readonly [number, number]): Vec2 => [x0 + i * CELL_M, z0 + j * CELL_M];
  const from = new Map<string, { cell: [number, number]; before: string }>();
  const key = ([i, j]: readonly [number, number]): string => `${i},${j}`;
  from.set("0,0", { cell: [0, 0], before: "" });
  let best = "0,0";
  let bestM = farness(start);
  let front: [number, number][] = [[0, 0]];
  while (front.length > 0 && bestM > nearM && from.size < MOST_CELLS) {
    const next: [number, number][] = [];
    for (const cell of front) {
      for (const [di, dj] of STEPS) {
        const neighbour: [number, number] = [cell[0] + di, cell[1] + dj];
        const name = key(neighbour);
        if (from.has(name) || !isClear(walkable, place(cell), place(neighbour))) continue;
        from.set(name, { cell: neighbour, before: key(cell) });
        next.push(neighbour);
        const away = farness(place(neighbour));
        if (away < bestM) [best, bestM] = [name, away];
      }
    }
    front = next;
  }
  if (best === "0,0") return bestM <= nearM ? [] : null;
  const way: Vec2[] = [];
  for (let name = best; name !== "0,0"; ) {
    const step = from.get(name);
    if (!step) break;
    way.unshift(place(step.cell));
    name = step.before;
  }
  return straightened(walkable, start, way);
}

/** Return the waypoints to a point of the floor, or to the nearest place beside it where a thing stands on it;
    null where no way leads near it. */
export function findWayToPoint(walkable: Walkable, start: Vec2, to: Vec2): Vec2[] | null {
  const farness = ([x, z]: Vec2): number => Math.hypot(x - to[0], z - to[1]);
  const way = isClear(walkable, start, to) ? [] : findWay(walkable, start, farness, CELL_M);
  if (!way) return null;
  const before = way.at(-1) ?? start;
  if (isClear(walkable, before, to)) way.push(to);
  return way.length > 0 && farness(way.at(-1) ?? start) <= MOST_BESIDE_M ? straightened(walkable, start, way) : null;
}

/** Leave out the waypoints that can be walked past. */
function straightened(walkable: Walkable, start: Vec2, way: readonly Vec2[]): Vec2[] {
  const kept: Vec2[] = [];
  let at = start;
  for (let i = 0; i < way.length; ) {
    let far = i;
    for (let j = way.length - 1; j > i; j--) {
      if (isClear(walkable, at, way[j] as Vec2)) {
        far = j;
        break;
      }
    }
    at = way[far] as Vec2;
    kept.push(at);
    i = far + 1;
  }
  return kept;
}

/** Tell whether a body walks straight from one point to another. */
export function isClear(walkable: Walkable, [ax, az]: Vec2, [bx, bz]: Vec2): boolean {
  if (!walkable.contains(bx, bz)) return false;
  const [x, z] = walkable.move(ax, az, bx - ax, bz - az);
  return Math.hypot(x - bx, z - bz) < 1e-3;
}
