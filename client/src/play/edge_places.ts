// Where at the edge of the view the arrows towards others sit: pure geometry, in CSS pixels.

export const EDGE_PX = 34;
/** How far apart the arrows of one side are at least, so that their labels can be read. */
const APART_PX = 28;
/** How wide an arrow is with its label, from the edge. */
const STRIP_PX = 64;
/** How far from a panel the middle of an arrow is at least. */
const CLEAR_PX = 16;

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

/** A panel over the scene. */
export type Panel = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

/** Move arrows of the same side apart, up and down, in their order, to where no panel hides them: the middle
    of a cluster stays, or moves as little as may be. Where there is too little room, they lie closer. */
export function spread(places: readonly EdgePlace[], width: number, height: number, panels: readonly Panel[] = []): EdgePlace[] {
  const moved = places.map((place) => ({ ...place }));
  for (const left of [true, false]) {
    const column = moved.filter(({ x }) => x < width / 2 === left).sort((a, b) => a.y - b.y);
    if (column.length === 0) continue;
    const strip = left ? { from: 0, to: STRIP_PX } : { from: width - STRIP_PX, to: width };
    const beside = panels.filter((panel) => panel.right > strip.from && panel.left < strip.to);
    setApart(column, gapsBetween(beside, height));
  }
  return moved;
}

type Gap = readonly [top: number, bottom: number];

/** Return where arrows can lie between panels, from the top down; the whole height where there is no room. */
function gapsBetween(panels: readonly Panel[], height: number): Gap[] {
  const whole: Gap = [EDGE_PX, Math.max(EDGE_PX, height - EDGE_PX)];
  let top = whole[0];
  const gaps: Gap[] = [];
  for (const panel of [...panels].sort((a, b) => a.top - b.top)) {
    if (panel.top - CLEAR_PX > top) gaps.push([top, Math.min(panel.top - CLEAR_PX, whole[1])]);
    top = Math.max(top, panel.bottom + CLEAR_PX);
  }
  if (top < whole[1]) gaps.push([top, whole[1]]);
  return gaps.length > 0 ? gaps : [whole];
}

function setApart(column: readonly EdgePlace[], gaps: readonly Gap[]): void {
  const before = mean(column);
  for (let i = 1; i < column.length; i++) {
    const [above, here] = [column[i - 1] as EdgePlace, column[i] as EdgePlace];
    here.y = Math.max(here.y, above.y + APART_PX);
  }
  const [first, last] = [column[0] as EdgePlace, column[column.length - 1] as EdgePlace];
  const long = last.y - first.y;
  const back = mean(column) - before;
  const away = ([top, bottom]: Gap): number => Math.abs(Math.max(top, Math.min(bottom - long, first.y - back)) - (first.y - back));
  const fitting = gaps.filter(([top, bottom]) => bottom - top >= long);
  const longest = gaps.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));
  const [top, bottom] = fitting.length > 0 ? fitting.reduce((a, b) => (away(b) < away(a) ? b : a)) : longest;
  const scale = long > 0 ? Math.min(1, (bottom - top) / long) : 1;
  const start = Math.max(top, Math.min(bottom - long * scale, first.y - back));
  const from = first.y;
  for (const place of column) place.y = start + (place.y - from) * scale;
}

function mean(places: readonly EdgePlace[]): number {
  return places.reduce((sum, { y }) => sum + y, 0) / Math.max(1, places.length);
}

/** How far a name tag may stand from where it belongs (px), so that no panel hides it. */
const TAG_AWAY_PX = 90;
const TAG_GAP_PX = 4;

interface Size {
  width: number;
  height: number;
}

/** Tell whether a label whose foot is at a point lies on a panel, in part or whole. */
function lies({ x, y }: EdgePlace, size: Size, panel: Panel): boolean {
  return x + size.width / 2 > panel.left && x - size.width / 2 < panel.right && y > panel.top && y - size.height < panel.bottom;
}

/** Return the foot of a label as near as may be to where it belongs, so that it is whole within the view and under no
    panel; null where panels leave no room for it at all. */
export function freePlace(at: EdgePlace, size: Size, width: number, height: number, panels: readonly Panel[]): EdgePlace | null {
  const half = size.width / 2 + TAG_GAP_PX;
  const within = ({ x, y }: EdgePlace): EdgePlace => ({
    x: Math.max(half, Math.min(width - half, x)),
    y: Math.max(size.height + TAG_GAP_PX, Math.min(height - TAG_GAP_PX, y)),
  });
  const wanted = within(at);
  if (!panels.some((panel) => lies(wanted, size, panel))) return wanted;
  // Where it is near and free it touches a panel on each side that it was moved along.
  const xs = [wanted.x, ...panels.flatMap(({ left, right }) => [left - half, right + half])];
  const ys = [wanted.y, ...panels.flatMap(({ top, bottom }) => [top - TAG_GAP_PX, bottom + size.height + TAG_GAP_PX])];
  const away = ({ x, y }: EdgePlace): number => Math.hypot(x - at.x, y - at.y);
  const places = xs.flatMap((x) => ys.map((y) => within({ x, y }))).sort((a, b) => away(a) - away(b));
  return places.find((place) => !panels.some((panel) => lies(place, size, panel))) ?? null;
}

/** Return where the foot of a name tag sits, so that it is whole within the view and under no panel; null where
    there is no such place near the one where it belongs. */
export function tagPlace(at: EdgePlace, size: Size, width: number, height: number, panels: readonly Panel[]): EdgePlace | null {
  const place = freePlace(at, size, width, height, panels);
  return place && Math.hypot(place.x - at.x, place.y - at.y) <= TAG_AWAY_PX ? place : null;
}
