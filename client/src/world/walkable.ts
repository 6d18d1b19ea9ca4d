// The walkable area: how a body slides along its edges. The same rule, number for number, as the
// server's `server/simulators/household/walkable.py`, which states it; both are checked against
// tests/data/walkable_vectors.json.
import type { Vec2 } from "./units";

const PIECE_M = 0.1;
const SKIN_M = 1e-4;
const SLACK_M = 2e-3;
const END_M = 1e-6;
const TURNS = 4;
const CELL_M = 0.25;
const LONGEST_MOVE_M = 60;
const STILL_M = 1e-9;

/** An edge from a along the unit vector e, with the unit normal n into the area. */
interface Edge {
  ax: number;
  az: number;
  nx: number;
  nz: number;
  ex: number;
  ez: number;
  length: number;
}

/** A region of the floor plan: an outer ring and its holes. */
export type Polygon = readonly (readonly Vec2[])[];

export class Walkable {
  private readonly edges: Edge[];
  private readonly near = new Map<number, Edge[]>();

  constructor(polygons: readonly Polygon[]) {
    this.edges = polygons.flatMap(oriented).flatMap(edgesOf);
    for (const edge of this.edges) this.index(edge);
  }

  contains(x: number, z: number): boolean {
    let odd = false;
    for (const { ax, az, ex, ez, length } of this.edges) {
      if (ez === 0) continue;
      const bz = az + ez * length;
      const slope = ex / ez;
      if (Math.min(az, bz) <= z && z < Math.max(az, bz) && x < ax - az * slope + slope * z) {
        odd = !odd;
      }
    }
    return odd;
  }

  /** Return where a body at (x, z) comes that wants to move by (dx, dz). */
  move(x: number, z: number, dx: number, dz: number): Vec2 {
    let length = Math.hypot(dx, dz);
    if (length <= PIECE_M) return this.piece(x, z, dx, dz);
    if (length > LONGEST_MOVE_M) {
      dx = (dx * LONGEST_MOVE_M) / length;
      dz = (dz * LONGEST_MOVE_M) / length;
      length = LONGEST_MOVE_M;
    }
    const pieces = Math.ceil(length / PIECE_M);
    dx /= pieces;
    dz /= pieces;
    for (let i = 0; i < pieces; i++) {
      const [nx, nz] = this.piece(x, z, dx, dz);
      if (Math.abs(nx - x) + Math.abs(nz - z) < STILL_M) break;
      x = nx;
      z = nz;
    }
    return [x, z];
  }

  private piece(x: number, z: number, dx: number, dz: number): Vec2 {
    const edges = this.near.get(cellKey(cell(x), cell(z)));
    if (!edges) return [x + dx, z + dz];
    const startX = x;
    const startZ = z;
    const wantX = dx;
    const wantZ = dz;
    for (let turn = 0; turn < TURNS; turn++) {
      let first = 2;
      let hit: Edge | null = null;
      let hitS = 0;
      let hitDn = 0;
      for (const edge of edges) {
        const dn = dx * edge.nx + dz * edge.nz;
        if (dn >= 0) continue;
        const s = (x - edge.ax) * edge.nx + (z - edge.az) * edge.nz;
        if (s + dn >= 0 || s < -SLACK_M) continue;
        const t = s > 0 ? s / -dn : 0;
        if (t >= first) continue;
        const along = (x + dx * t - edge.ax) * edge.ex + (z + dz * t - edge.az) * edge.ez;
        if (along < -END_M || along > edge.length + END_M) continue;
        first = t;
        hit = edge;
        hitS = s;
        hitDn = dn;
      }
      if (!hit) {
        x += dx;
        z += dz;
        if (turn === 0) return [x, z];
        break;
      }
      const t = Math.max(0, (hitS - SKIN_M) / -hitDn);
      x += dx * t;
      z += dz * t;
      dx = (dx - hitDn * hit.nx) * (1 - t);
      dz = (dz - hitDn * hit.nz) * (1 - t);
      if (dx * wantX + dz * wantZ <= 0) break;
    }
    if (!this.contains(x, z) && this.contains(startX, startZ)) return [startX, startZ];
    return [x, z];
  }

  /** Enter an edge into every cell from which a piece can reach it. */
  private index(edge: Edge): void {
    const { ax, az, nx, nz, ex, ez, length } = edge;
    const reach = PIECE_M + SLACK_M;
    const bx = ax + ex * length;
    const bz = az + ez * length;
    const half = CELL_M / 2 + reach;
    for (let ix = cell(Math.min(ax, bx) - reach); ix <= cell(Math.max(ax, bx) + reach); ix++) {
      for (let iz = cell(Math.min(az, bz) - reach); iz <= cell(Math.max(az, bz) + reach); iz++) {
        const mx = (ix + 0.5) * CELL_M;
        const mz = (iz + 0.5) * CELL_M;
        const away = Math.abs((mx - ax) * nx + (mz - az) * nz);
        if (away > half * (Math.abs(nx) + Math.abs(nz))) continue;
        const key = cellKey(ix, iz);
        const found = this.near.get(key);
        if (found) found.push(edge);
        else this.near.set(key, [edge]);
      }
    }
  }
}

function cell(coordinate: number): number {
  return Math.floor(coordinate / CELL_M);
}

function cellKey(ix: number, iz: number): number {
  return ix * 65536 + iz;
}

/** Return the rings of a polygon with the area to the left of every edge, without repeated points. */
function oriented(polygon: Polygon): Vec2[][] {
  const rings: Vec2[][] = [];
  polygon.forEach((ring, i) => {
    const points: Vec2[] = [];
    for (const [x, z] of ring) {
      const last = points[points.length - 1];
      if (!last || Math.hypot(x - last[0], z - last[1]) > 1e-9) points.push([x, z]);
    }
    const [start] = points;
    const end = points[points.length - 1];
    if (points.length > 1 && start && end && Math.hypot(end[0] - start[0], end[1] - start[1]) <= 1e-9) {
      points.pop();
    }
    if (points.length < 3) return;
    if (ringArea(points) > 0 !== (i === 0)) points.reverse();
    rings.push(points);
  });
  return rings;
}

function ringArea(ring: readonly Vec2[]): number {
  let sum = 0;
  ring.forEach(([x0, z0], i) => {
    const [x1, z1] = ring[(i + 1) % ring.length] as Vec2;
    sum += x0 * z1 - x1 * z0;
  });
  return sum / 2;
}

function edgesOf(ring: readonly Vec2[]): Edge[] {
  return ring.map(([ax, az], i) => {
    const [bx, bz] = ring[(i + 1) % ring.length] as Vec2;
    const length = Math.hypot(bx - ax, bz - az);
    const ex = (bx - ax) / length;
    const ez = (bz - az) / length;
    return { ax, az, nx: -ez, nz: ex, ex, ez, length };
  });
}
