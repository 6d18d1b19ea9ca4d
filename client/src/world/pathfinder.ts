// The way on foot to something: over a grid of the walkable area, then straightened.
import type { Floor } from "./floor";
import type { Vec2 } from "./units";

/** Widths of the grid's cells (m): a finer grid leads into and out of gaps that a coarser one has no cell in. */
const CELLS_M = [0.2, 0.1, 0.05] as const;
const [COARSE_M, , FINEST_M] = CELLS_M;
const STEPS: readonly (readonly [number, number])[] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];
/** The most floor that is looked at (m²), and the most cells. */
const MOST_FLOOR_M2 = 400;
const MOST_CELLS = 40_000;
/** Who stands in a gap reaches no more cells than this from there. */
const MOST_IN_A_GAP = 40;
/** As far from a point of the floor (m) as a walk to it may end, where things stand on the floor. */
const MOST_BESIDE_M = 1;

/** Cells in a row of the grid, in whose middle one starts: their numbers are its keys. */
const ROW = 1 << 13;
const HALF_ROW = ROW / 2;

/** Where a walk may end: how far from the goal a place is (m); infinite where it does not count. */
export type Farness = (place: Vec2) => number;

/** Return the waypoints to the first place that is near enough (m), else to the nearest that can be reached;
    null where nothing nearer than the start can. */
export function findWay(walkable: Floor, start: Vec2, farness: Farness, nearM: number): Vec2[] | null {
  let best: Vec2[] | null = null;
  let mostReached = 0;
  for (const cellM of CELLS_M) {
    // The finest is slow, and only for who stands where no other leads away from.
    if (cellM === FINEST_M && (best || mostReached > MOST_IN_A_GAP)) break;
    const { way, reached } = findOverGrid(walkable, start, farness, nearM, cellM);
    mostReached = Math.max(mostReached, reached);
    const endM = farness(way?.at(-1) ?? start);
    if (way && (!best || endM < farness(best.at(-1) ?? start))) best = way;
    if (best && endM <= nearM) break;
  }
  return best;
}

function findOverGrid(walkable: Floor, start: Vec2, farness: Farness, nearM: number, cellM: number): { way: Vec2[] | null; reached: number } {
  const [x0, z0] = start;
  const mostCells = Math.min(MOST_CELLS, MOST_FLOOR_M2 / (cellM * cellM));
  const placeOf = (cell: number): Vec2 => [x0 + (Math.floor(cell / ROW) - HALF_ROW) * cellM, z0 + ((cell % ROW) - HALF_ROW) * cellM];
  const home = HALF_ROW * ROW + HALF_ROW;
  /** The cell before each that is reached; -1 before the first. */
  const before = new Map<number, number>([[home, -1]]);
  const outside = new Set<number>();
  let best = home;
  let bestM = farness(start);
  let front = [home];
  while (front.length > 0 && bestM > nearM && before.size < mostCells) {
    const next: number[] = [];
    for (const cell of front) {
      const from = placeOf(cell);
      for (const [di, dj] of STEPS) {
        const neighbour = cell + di * ROW + dj;
        if (before.has(neighbour) || outside.has(neighbour)) continue;
        const place = placeOf(neighbour);
        if (!walkable.contains(...place)) {
          outside.add(neighbour);
          continue;
        }
        if (!leadsTo(walkable, from, place)) continue;
        before.set(neighbour, cell);
        next.push(neighbour);
        const away = farness(place);
        if (away < bestM) [best, bestM] = [neighbour, away];
      }
    }
    front = next;
  }
  const reached = before.size;
  if (best === home) return { way: bestM <= nearM ? [] : null, reached };
  const cells: number[] = [];
  for (let cell = best; cell !== home; cell = before.get(cell) ?? home) cells.unshift(cell);
  // Whatever lies between two turns is walked past anyhow.
  const turns = cells.filter((cell, i) => (cells[i + 1] ?? NaN) - cell !== cell - (cells[i - 1] ?? home));
  return { way: straightened(walkable, start, turns.map(placeOf)), reached };
}

/** Return the waypoints to a point of the floor, or to the nearest place beside it where a thing stands on it;
    null where no way leads near it. */
export function findWayToPoint(walkable: Floor, start: Vec2, to: Vec2): Vec2[] | null {
  const farness = ([x, z]: Vec2): number => Math.hypot(x - to[0], z - to[1]);
  const way = isClear(walkable, start, to) ? [] : findWay(walkable, start, farness, COARSE_M);
  if (!way) return null;
  const before = way.at(-1) ?? start;
  if (isClear(walkable, before, to)) way.push(to);
  return way.length > 0 && farness(way.at(-1) ?? start) <= MOST_BESIDE_M ? straightened(walkable, start, way) : null;
}

/** Leave out the waypoints that can be walked past. */
function straightened(walkable: Floor, start: Vec2, way: readonly Vec2[]): Vec2[] {
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
export function isClear(walkable: Floor, from: Vec2, to: Vec2): boolean {
  return walkable.contains(...to) && leadsTo(walkable, from, to);
}

/** Tell whether a body that walks straight to a point of the walkable area comes there. */
function leadsTo(walkable: Floor, [ax, az]: Vec2, [bx, bz]: Vec2): boolean {
  const [x, z] = walkable.move(ax, az, bx - ax, bz - az);
  return Math.hypot(x - bx, z - bz) < 1e-3;
}
