// Where at the edge of the view the arrows towards others sit: pure geometry, in CSS pixels.

export const EDGE_PX = 34;
/** How far apart the arrows of one side are at least, so that their labels can be read. */
const APART_PX = 28;

/** Where somebody is on the canvas; `ahead`: not behind the eye. */
export interface Projected {
  x: number;
  y: number;
  ahead: boolean;
}

export interface EdgePlace {
  x: number;
  y: number;
}

/** Return where the arrow towards somebody out of view sits; for who is behind, at a share of the height. */
export function edgePlace(at: Projected, width: number, height: number, behind = 0.5): EdgePlace {
  let dx = at.x - width / 2;
  const dy = at.y - height / 2;
  if (!at.ahead) {
    // Beside is what matters when walking: an arrow at the left or right edge, not below.
    dx = -dx;
    return { x: dx < 0 ? EDGE_PX : width - EDGE_PX, y: height * behind };
  }
  const scale = Math.min((width / 2 - EDGE_PX) / Math.max(1, Math.abs(dx)), (height / 2 - EDGE_PX) / Math.max(1, Math.abs(dy)));
  return { x: width / 2 + dx * scale, y: height / 2 + dy * scale };
}

/** Move arrows of the same side apart, up and down, in their order; the middle of a cluster stays. */
export function spread(places: readonly EdgePlace[], width: number, height: number): EdgePlace[] {
  const moved = places.map((place) => ({ ...place }));
  for (const side of [true, false]) {
    const column = moved.filter(({ x }) => x < width / 2 === side).sort((a, b) => a.y - b.y);
    const before = mean(column);
    for (let i = 1; i < column.length; i++) {
      const [above, here] = [column[i - 1] as EdgePlace, column[i] as EdgePlace];
      here.y = Math.max(here.y, above.y + APART_PX);
    }
    const back = mean(column) - before;
    const lowest = Math.max(0, ...column.map(({ y }) => y - back - (height - EDGE_PX)));
    for (const place of column) place.y -= back + lowest;
  }
  return moved;
}

function mean(places: readonly EdgePlace[]): number {
  return places.reduce((sum, { y }) => sum + y, 0) / Math.max(1, places.length);
}
