// The scale of the map: where a point of the floor is on it, and the other way round.
import type { Point } from "../dom/pixels";
import type { Vec2 } from "../world/units";

const MARGIN_PX = 14;

export class MapScale {
  /** Pixels for a metre. */
  readonly pxPerM: number;
  private readonly middle: Vec2;

  /** The scale at which all `rooms` (outlines, m) fit into a map of this size (CSS pixels). */
  constructor(rooms: readonly (readonly Vec2[])[], private readonly width: number, private readonly height: number) {
    const points = rooms.flat();
    const xs = points.map(([x]) => x);
    const zs = points.map(([, z]) => z);
    const [x0, x1, z0, z1] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
    this.pxPerM = Math.min((width - 2 * MARGIN_PX) / (x1 - x0), (height - 2 * MARGIN_PX) / (z1 - z0));
    this.middle = [(x0 + x1) / 2, (z0 + z1) / 2];
  }

  /** Return where x of the floor (m) is on the map, from its left. */
  readonly toX = (x: number): number => this.width / 2 + (x - this.middle[0]) * this.pxPerM;

  /** Return where z of the floor (m) is on the map, from its top. */
  readonly toY = (z: number): number => this.height / 2 + (z - this.middle[1]) * this.pxPerM;

  /** Return the point of the floor (m) at a point of the map. */
  toFloor({ x, y }: Point): Vec2 {
    return [this.middle[0] + (x - this.width / 2) / this.pxPerM, this.middle[1] + (y - this.height / 2) / this.pxPerM];
  }
}
