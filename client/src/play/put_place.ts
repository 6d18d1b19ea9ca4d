// Where the hand puts down what it holds: on what is selected while the pointer rests, else where the pointer is.
import type { Point } from "../dom/pixels";
import type { PickHit } from "../scene/picker";
import { partBehind, whyNotInside } from "../world/fits";
import { flatDistance, fromThing } from "../world/nearness";
import type { Vec3 } from "../world/units";
import type { Entity, World } from "../world/world";
import type { PlayContext } from "./context";
import type { PutPlace } from "./placement";

/** So far (px) the pointer moves, or a drag turns, before what it shows counts more than what is selected. */
const MOVED_PX = 12;
/** Shares of a thing's extents at which its surfaces are looked for. */
const GRID = [0.5, 0.3, 0.7, 0.12, 0.88];
const ABOVE_M = 0.05;
/** A place is better without something else as near as this (m), even if it is so much farther away. */
const CROWDED_M = 0.2;
const CROWDED_COST_M = 0.4;
const FAR_COST_M = 10;
/** How far up a surface faces on which things stand. */
const FLAT = 0.85;
/** So far below the top (m) a surface lies within. */
const WITHIN_M = 0.08;

/** A place so much beyond reach (m) may yet have one beside it that is not. */
const NEARER_M = 0.15;
/** So far (m) one walks before it is asked anew whether the hand reaches. */
const STEP_M = 0.2;
/** As the server says it. */
export const TOO_FAR = "Too far away: walk closer";
export const NOWHERE = "Point at a surface to put it on";

export class PutPlaces {
  /** Where the pointer was when something was selected, and what of it was pointed at; null: the pointer counts. */
  private rest: { entity: number; at: Point | null; seen: Vec3 | null; turnedPx: number } | null = null;
  /** What the server has said of a place at another thing, beside which most things come to stand; empty: nothing yet. */
  private landing = { thing: -1, question: "", where: "", why: "" };
  /** Whether the mouse has left the scene: it is on a panel, and points at nothing. */
  private left = false;

  constructor(private readonly game: PlayContext) {}

  /** Note that something was selected with the pointer at `at` (null: in the middle), at `seen`. */
  selected(entity: number, at: Point | null, seen: Vec3 | null): void {
    this.rest = { entity, at, seen, turnedPx: 0 };
  }

  /** Note where the pointer is; null: it has left the scene. */
  pointed(at: Point | null): void {
    this.left = at === null;
    const from = this.rest?.at;
    if (!at || !this.rest) return;
    if (!from || Math.hypot(at.x - from.x, at.y - from.y) > MOVED_PX) this.rest = null;
  }

  /** Note that the player turned the view by hand: they look for another place. */
  turned(px: number): void {
    if (!this.rest) return;
    this.rest.turnedPx += px;
    if (this.rest.turnedPx > MOVED_PX) this.rest = null;
  }

  /** Let the pointer count. */
  release(): void {
    this.rest = null;
    this.left = false;
  }

  /** Tell whether the pointer has rested since this entity was selected, or is on a panel: what has come under it since
      is not what it was moved to. */
  isResting(entity: number): boolean {
    return this.left || this.rest?.entity === entity;
  }

  /** Return where something is put down now, the pointer being at `at`, and whether that is too far away; null for nowhere. */
  choose(at: Point): PutPlace | null {
    const place = this.find(at);
    const { world, body } = this.game;
    if (!world || !place || place.why) return place;
    const isFar = Math.hypot(place.point.x - body.position[0], place.point.z - body.position[2]) > world.reach + NEARER_M;
    return isFar ? { ...place, why: TOO_FAR } : place;
  }

  private find(at: Point): PutPlace | null {
    const { world, selection, scenery, body, placement } = this.game;
    if (!world) return null;
    const entity = world.entities[selection.selected?.entity ?? -1];
    // Something is put beside a thing that one has walked to, and not on it.
    const isBeside = placement.active && entity?.template.kind === "object";
    const rests = this.left || (this.rest?.entity === entity?.index && !isBeside);
    const chosen = entity && entity.holder < 0 ? entity : null;
    const onSelected = (): PutPlace | null => (chosen ? this.on(world, chosen) : null);
    // Who aims looks at where it is to go; a button says where it puts down, whatever was clicked to select that.
    const front = this.left || (rests && chosen && !placement.active) ? null : this.behind(world, at);
    const first = front ?? (rests ? onSelected() : null);
    if (first) return first;
    const hit = scenery.pickSurface(at);
    const pointed = hit && { point: hit.point, entity: hit.entity, where: this.whereOf(world, hit), behind: -1, why: "" };
    const [x, , z] = body.position;
    if (hit && Math.hypot(hit.point.x - x, hit.point.z - z) <= world.reach) return pointed;
    // What is pointed at is out of reach: what was selected may not be.
    const near = chosen && flatDistance(world, chosen, [x, z]) <= world.reach ? onSelected() : null;
    return near ?? pointed;
  }

  /** Say where something comes to stand that is put where the pointer is; empty where only the server knows. */
  private whereOf(world: World, hit: PickHit): string {
    if (hit.normal.y <= FLAT) return "";
    const entity = world.entities[hit.entity];
    if (!entity) return hit.entity < 0 ? "on the floor" : "";
    // On a thing it may stand beside it, and in what has doors it may be on a shelf.
    const { kind, high, parts } = entity.template;
    const top = world.pose(entity).position[1] + high[1];
    return kind === "object" || (parts.length > 0 && hit.point.y < top - WITHIN_M) ? "" : `on the ${entity.label}`;
  }

  /** Return the place behind the shut door or drawer front at a point: whoever means the top points at that; null for
      what is no front, leads nowhere or is out of reach. */
  private behind(world: World, at: Point): PutPlace | null {
    const hit = this.game.scenery.pick(at);
    const entity = world.entities[hit?.entity ?? -1];
    const held = world.heldBy(world.me);
    if (!hit || !entity || !held || hit.part < 0 || entity.parts[hit.part] !== 0) return null;
    const behind = partBehind(held, entity, hit.part);
    const [x, , z] = this.game.body.position;
    if (behind < 0 || entity.parts[behind] !== 0 || flatDistance(world, entity, [x, z]) > world.reach) return null;
    return { point: hit.point, entity: entity.index, where: `in the ${entity.label}`, behind, why: whyNotInside(held, entity, hit.part) };
  }

  /** Return the place on a thing that is nearest to where it was pointed at, free and in reach where there is one. */
  private on(world: World, entity: Entity): PutPlace | null {
    const { label, template } = entity;
    const { position } = world.pose(entity);
    const { low, high } = template;
    const from: Vec3[] = GRID.flatMap((i) =>
      GRID.map((j) => fromThing(world, entity, [low[0] + i * (high[0] - low[0]), high[1] + ABOVE_M, low[2] + j * (high[2] - low[2])])),
    );
    const below = this.game.scenery.surfacesBelow(entity, from);
    const top = below.length > 0 ? Math.max(...below.map(([, y]) => y)) : position[1] + high[1];
    // A basin in what has doors is neither on it nor behind them.
    const surfaces = template.parts.length > 0 ? below.filter(([, y]) => y > top - WITHIN_M) : below;
    const seen = this.rest?.entity === entity.index ? this.rest.seen : null;
    const [bodyX, , bodyZ] = this.game.body.position;
    const goal = seen ?? [bodyX, position[1] + high[1], bodyZ];
    const cost = (point: Vec3): number => {
      const crowded = world.entities.some((other) => other && other !== entity && other.template.kind === "object" && other.holder < 0 && distance(other.position, point) < CROWDED_M);
      const far = Math.hypot(point[0] - bodyX, point[2] - bodyZ) > world.reach;
      return distance(point, goal) + (crowded ? CROWDED_COST_M : 0) + (far ? FAR_COST_M : 0);
    };
    const places = seen ? [seen, ...surfaces] : surfaces;
    const best = places.length > 0 ? places.reduce((a, b) => (cost(b) < cost(a) ? b : a)) : null;
    if (!best) return null;
    if (template.kind === "object") return { point: { x: best[0], y: best[1], z: best[2] }, entity: entity.index, behind: -1, ...this.landingAt(world, entity, best) };
    const within = template.parts.length > 0 && best[1] < top - WITHIN_M;
    return { point: { x: best[0], y: best[1], z: best[2] }, entity: entity.index, where: `${within ? "in" : "on"} the ${label}`, behind: -1, why: "" };
  }

  /** Say where a thing comes to stand that is put at another one: on it, or beside it on what bears that; and why not,
      where the hand does not reach. */
  private landingAt(world: World, entity: Entity, at: Vec3): { where: string; why: string } {
    const { placement, body } = this.game;
    const yaw = placement.yawFor(body.yaw);
    // From somewhere else the hand may reach.
    const stands = [body.position[0], body.position[2]].map((m) => Math.round(m / STEP_M));
    const question = [world.heldBy(world.me)?.index ?? -1, entity.index, ...at.map((m) => m.toFixed(2)), yaw.toFixed(2), ...stands].join(" ");
    if (question !== this.landing.question) {
      const isSame = this.landing.thing === entity.index;
      this.landing = { thing: entity.index, question, where: isSame ? this.landing.where : "", why: isSame ? this.landing.why : "" };
      void placement.seek({ point: [at[0], at[1], at[2]], yaw, target: entity.index }).then((found) => {
        if (this.landing.question !== question) return;
        this.landing.where = found?.fits ? found.where : "";
        this.landing.why = found?.reason === TOO_FAR ? TOO_FAR : "";
      });
    }
    const { where, why } = this.landing;
    if (!where) return { where: `at the ${entity.label}`, why };
    return { where: where === `on the ${entity.label}` ? where : `beside the ${entity.label} ${where}`, why };
  }
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
