// The walk of a player to what a key, a button or a click names: they see where to, and any walking key ends it.
import { beside, spot } from "../world/destinations";
import type { Destination } from "../world/destinations";
import { flatDistance, middleOf } from "../world/nearness";
import { outlook } from "../world/outlook";
import { findWay, findWayToPoint } from "../world/pathfinder";
import { aroundBodies } from "../world/floor";
import type { Floor } from "../world/floor";
import { fromBody } from "../world/units";
import type { Vec2, Vec3 } from "../world/units";
import { called } from "../world/words";
import type { Entity, World } from "../world/world";
import type { PlayContext } from "./context";

/** How near to something one walks (m), where a wall of its own does not keep one farther off. */
const BESIDE_M = 0.7;
/** As near as this (m) it has to be seen from a place, and so much farther away counts one from which it is not. */
const SIGHT_M = 1.2;
const UNSEEN_M = 1;
/** Who stands as near as this to a point of the floor (m) is there. */
const HERE_M = 0.25;
const HERE = "You stand there already";
const NEAREST = "You stand as near to it as you can";
const NOT_HERE = "Point at something first, or select it";
/** As near as this (m) to who did not get on, another body is what stands in the way. */
const IN_THE_WAY_M = 0.75;
/** How many times another way is tried where one is blocked. */
const MOST_TRIES = 1;

/** How a walk ended: there, blocked on the way, or given up for another walk or for the player's own keys. */
type End = "there" | "blocked" | "left";

/** Where a walk to furniture on the map ends: within as much (m) of the nearest free place in its room. */
const NEAREST_M = 0.2;

/** Ways that end as near as each other (m) are the same. */
const SAME_M = 0.1;

/** As high over the floor (m) one looks at furniture that was pressed on the map. */
const GAZE_M = 0.7;

/** Return the way to the free place in the room of a point that is nearest to it; null where none leads there. */
function nearestInRoom(world: World, start: Vec2, to: Vec2): Vec2[] | null {
  const room = world.roomAt(to[0], to[1]);
  if (!room) return null;
  const farness = (place: Vec2): number => (world.roomAt(place[0], place[1]) === room ? Math.hypot(place[0] - to[0], place[1] - to[1]) : Infinity);
  const way = findWay(world.walkable, start, farness, NEAREST_M);
  return way && way.length > 0 ? way : null;
}

export class GuidedWalk {
  /** Where the player is being walked; null where they are not. */
  goal: Destination | null = null;
  /** Index of the thing that they are being walked to; -1 for none. */
  toward = -1;

  constructor(private readonly game: PlayContext) {}

  /** Walk to a thing and face it; resolves with why that cannot be, or nothing. */
  async toThing(index: number): Promise<string> {
    const { body, world } = this.game;
    const entity = world?.entities[index];
    if (!world || !entity) return NOT_HERE;
    const middle = middleOf(world, entity);
    const room = world.rooms[entity.room] ?? world.roomAt(middle[0], middle[2]);
    const farness = (place: Vec2): number => {
      // The other side of a wall is near, and yet not there.
      if (room && world.roomAt(place[0], place[1]) !== room) return Infinity;
      const away = flatDistance(world, entity, place);
      return away > SIGHT_M || this.isSeenFrom(place, middle, entity) ? away : away + UNSEEN_M;
    };
    if (entity.holder === world.me) return `The ${entity.label} is in your hand`;
    const wayFrom = (here: Vec2): Vec2[] | null => this.shortest(world, (floor) => findWay(floor, here, farness, BESIDE_M), (way) => farness(way.at(-1) ?? here));
    const [x, , z] = body.position;
    const way = wayFrom([x, z]);
    if (!way) return farness([x, z]) <= SIGHT_M ? NEAREST : `No way leads nearer to the ${entity.label}`;
    const end = await this.follow(way, beside(world, entity), `Walking to the ${entity.label}…`, world, wayFrom, index);
    if (end === "there") body.lookAt(middleOf(world, entity), world);
    return end === "blocked" ? this.blocked(world, `to the ${entity.label}`) : "";
  }

  /** Walk to a point of the floor; resolves with why that cannot be, or nothing. Whoever pressed it on the map looks
      at what stands there then, or into the room: `faces`. */
  async toFloor(to: Vec2, faces = false): Promise<string> {
    const { body, world } = this.game;
    if (!world) return "";
    const [x, , z] = body.position;
    if (Math.hypot(to[0] - x, to[1] - z) < HERE_M) return HERE;
    const offFrom = (here: Vec2) => (way: readonly Vec2[]): number => Math.hypot((way.at(-1) ?? here)[0] - to[0], (way.at(-1) ?? here)[1] - to[1]);
    const straightFrom = (here: Vec2): Vec2[] | null => this.shortest(world, (floor) => findWayToPoint(floor, here, to), offFrom(here));
    const straight = straightFrom([x, z]);
    const way = straight ?? nearestInRoom(world, [x, z], to);
    const end = way?.at(-1);
    if (!way || !end) return "No way leads there";
    const again = (here: Vec2): Vec2[] | null => straightFrom(here) ?? nearestInRoom(world, here, to);
    // Who pressed it on the map looks at no place on the floor.
    body.levels = faces;
    const how = await this.follow(way, spot(world, end), "Walking there…", world, again);
    if (how === "blocked") return this.blocked(world, "there");
    if (!faces || how !== "there") return "";
    const room = world.roomAt(end[0], end[1]);
    if (straight) body.turnTo(room ? outlook(room.polygon, end, body.yaw) : body.yaw, body.pitch, world);
    else body.lookAt([to[0], world.floor + GAZE_M, to[1]], world);
    return "";
  }

  /** Return the way round the bodies that stand there, or the one without them where it ends nearer by `farness`. */
  private shortest(world: World, find: (floor: Floor) => Vec2[] | null, farness: (way: readonly Vec2[]) => number): Vec2[] | null {
    const bodies = world.obstacles;
    const through = find(world.walkable);
    if (bodies.length === 0 || !through) return through;
    const round = find(aroundBodies(world.walkable, bodies));
    // Whoever stands in a doorway may have gone on by then.
    return round && farness(round) <= farness(through) + SAME_M ? round : through;
  }

  /** Say what blocked the way: who stands in it, as far as that is seen. */
  private blocked(world: World, where: string): string {
    const [x, , z] = this.game.body.position;
    const who = world.others.find(({ index, presence }) => {
      const agent = world.agents[index];
      return agent && presence !== "gone" && Math.hypot(agent.position[0] - x, agent.position[2] - z) <= IN_THE_WAY_M;
    });
    return who ? `The way ${where} is blocked: ${called(world, who)} stands in it` : `The way ${where} is blocked: walk round what is in front of you`;
  }

  /** Walk along a way as far as it goes, with its goal marked and named, on another one (`wayFrom`) where it is
      blocked; return how it ended. */
  private async follow(way: readonly Vec2[], goal: Destination, words: string, world: World, wayFrom: (here: Vec2) => Vec2[] | null, toward = -1): Promise<End> {
    const { body, hud } = this.game;
    this.goal = goal;
    this.toward = toward;
    hud.tellWalk(words, this.game.touch);
    const end = await this.along(way, () => this.goal === goal && this.game.world === world && !body.isSteered, wayFrom);
    // Another walk may have begun meanwhile.
    if (this.goal === goal) {
      this.goal = null;
      this.toward = -1;
      hud.tellWalk("", false);
    }
    return end;
  }

  private async along(way: readonly Vec2[], goesOn: () => boolean, wayFrom: (here: Vec2) => Vec2[] | null): Promise<End> {
    const { body } = this.game;
    let legs = [...way];
    let tries = 0;
    for (let leg = legs.shift(); leg; leg = legs.shift()) {
      const arrived = await body.walkTo(leg[0], leg[1]);
      if (!goesOn()) return "left";
      if (arrived) continue;
      // Who has pressed Escape has stopped, too: only what stood still for long was blocked.
      if (!body.wasStuck) return "left";
      const [x, , z] = body.position;
      const other = tries++ < MOST_TRIES ? wayFrom([x, z]) : null;
      if (!other) return "blocked";
      legs = [...other];
    }
    return "there";
  }

  /** Tell whether a thing is seen from where the player stands: not whether it lies in the view. */
  sees(world: World, entity: Entity): boolean {
    const [x, , z] = this.game.body.position;
    return this.isSeenFrom([x, z], middleOf(world, entity), entity);
  }

  /** Tell whether a thing is seen by the own eyes from a place on the floor. */
  private isSeenFrom([x, z]: Vec2, middle: Vec3, entity: Entity): boolean {
    const { body, scenery, world } = this.game;
    const yaw = Math.atan2(x - middle[0], z - middle[2]);
    return scenery.isInSight(fromBody([x, body.position[1], z], yaw, world?.mySeat?.eye ?? [0, 0, 0]), middle, entity);
  }
}
