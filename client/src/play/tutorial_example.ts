// The thing that a step of the tutorial names for an example: which, and where it is.
import type { Destination } from "../world/destinations";
import { flatDistance, middleOf } from "../world/nearness";
import { wrapAngle } from "../world/units";
import type { Vec3 } from "../world/units";
import type { Entity, Room, World } from "../world/world";
import type { PlayContext } from "./context";
import { edgePlace, freePlace, tagPlace } from "./edge_places";
import type { Panel } from "./edge_places";

/** So much farther away (m) counts what is in another room. */
const ELSEWHERE_M = 8;
const LOOK_EVERY_MS = 300;
/** How high over the floor the name of a place stands (m). */
const SPOT_TOP_M = 0.25;
/** Farther round than this (rad), something is behind. */
const BEHIND_RAD = 2.4;

interface Shown {
  name: string;
  /** What is marked; null for a place. */
  entity: Entity | null;
  middle(world: World): Vec3;
  top(world: World): Vec3;
}

/** The examples of one step: each stays the same until it suits no more. */
export class TutorialExamples {
  private readonly chosen = new Map<string, number>();
  /** The one that is to be gone to now: what it is called, and its middle and its top. */
  private shown: Shown | null = null;
  private isClear = true;
  private lookedMs = -Infinity;
  private lookedWidth = 0;
  private panels: Panel[] = [];

  constructor(private readonly game: PlayContext) {}

  /** Forget the examples: another step begins. */
  clear(): void {
    this.chosen.clear();
    this.show(null);
  }

  /** Take a thing for the example of a role from now on: what the player has chosen. */
  choose(role: string, entity: Entity): void {
    this.chosen.set(role, entity.index);
  }

  /** Return the example of a role: the one of before while it suits, else the nearest, one's own room first, of those
      that suit `best` if there are any. */
  find(role: string, world: World, suits: (entity: Entity) => boolean, best: (entity: Entity) => boolean = () => true): Entity | null {
    const fits = (entity: Entity | null | undefined): entity is Entity => Boolean(entity && entity.holder < 0 && suits(entity));
    const before = world.entities[this.chosen.get(role) ?? -1];
    if (fits(before)) return before;
    const [x, , z] = this.game.body.position;
    const here = world.roomAt(x, z);
    // What is near behind a wall is far.
    const farness = (entity: Entity): number => flatDistance(world, entity, [x, z]) + (roomOf(world, entity) === here ? 0 : ELSEWHERE_M);
    const sorted = world.entities.filter(fits).sort((a, b) => farness(a) - farness(b));
    const first = sorted.find(best) ?? sorted[0];
    if (first) this.chosen.set(role, first.index);
    return first ?? null;
  }

  /** Return what an example is called; of one in another room, with the room. */
  nameOf(world: World, example: Entity | null): string {
    if (!example) return "";
    const [x, , z] = this.game.body.position;
    const room = roomOf(world, example);
    const isNamed = room === world.roomAt(x, z) || !room || example.label.startsWith(room.label);
    return isNamed ? example.label : `${example.label} in the ${room.label}`;
  }

  /** Mark an example in the scene from now on, by the name that the card has for it; null marks none. */
  point(world: World, example: Entity | null): void {
    this.show(example && {
      name: this.nameOf(world, example),
      entity: example,
      middle: (world) => middleOf(world, example),
      top: (world) => {
        const [x, , z] = middleOf(world, example);
        return [x, world.pose(example).position[1] + example.template.high[1], z];
      },
    });
  }

  /** Mark a place on the floor from now on; null marks none. */
  pointTo(place: Destination | null): void {
    this.show(place && {
      name: "Walk here",
      entity: null,
      middle: () => place.position,
      top: () => [place.position[0], place.position[1] + SPOT_TOP_M, place.position[2]],
    });
  }

  private show(shown: Shown | null): void {
    this.shown = shown;
    if (!shown) this.game.hud.example.hide();
  }

  /** Return what is marked now, where it is, and whether that is in view; null for nothing. */
  marked(world: World): { entity: Entity | null; middle: Vec3; isInView: boolean } | null {
    const { shown } = this;
    if (!shown) return null;
    const middle = shown.middle(world);
    return { entity: shown.entity, middle, isInView: this.game.scenery.project(middle).onScreen };
  }

  /** Return where to turn for what is marked; empty while it is in view. */
  direction(world: World): string {
    const { shown, game } = this;
    if (!shown) return "";
    const middle = shown.middle(world);
    const { ahead, onScreen, y } = game.scenery.project(middle);
    if (onScreen) return "";
    const { position, yaw } = game.body;
    const angle = wrapAngle(Math.atan2(position[0] - middle[0], position[2] - middle[2]) - yaw);
    if (Math.abs(angle) > BEHIND_RAD) return "it is behind you";
    if (ahead && Math.abs(angle) < 0.5) return y < 0 ? "look up" : "look down";
    return angle > 0 ? "← it is on your left" : "it is on your right →";
  }

  /** Move the mark with the picture. */
  draw(world: World, eye: Vec3, nowMs: number): void {
    const { shown, game } = this;
    if (!shown) return;
    const target = shown.middle(world);
    const { clientWidth: width, clientHeight: height } = game.hud.canvas;
    // Panels are elsewhere at once where the window has another size.
    if (nowMs - this.lookedMs >= LOOK_EVERY_MS || width !== this.lookedWidth) {
      this.lookedMs = nowMs;
      this.lookedWidth = width;
      this.panels = game.hud.panelPlaces();
      this.isClear = game.scenery.isClear(eye, target);
    }
    const at = game.scenery.project(shown.top(world));
    const { example } = game.hud;
    const size = example.size(shown.name);
    // What is in view is named at its place, beside a panel that lies there if need be.
    const pin = at.onScreen ? tagPlace(at, size, width, height, this.panels) : null;
    if (pin) {
      example.show(shown.name, pin, at.x, !this.isClear);
      return;
    }
    const edge = at.onScreen ? at : edgePlace(at, width, height, BEHIND_SHARE);
    const foot = { x: edge.x, y: edge.y + size.height / 2 };
    const free = freePlace(foot, size, width, height, this.panels) ?? foot;
    const middle = { x: free.x, y: free.y - size.height / 2 };
    example.point(shown.name, middle, at.ahead ? at : { x: middle.x < width / 2 ? -width : 2 * width, y: middle.y });
  }
}

/** Where an arrow to what is behind sits, as a share of the height: not where the arrow to a partner does. */
const BEHIND_SHARE = 0.42;

function roomOf(world: World, entity: Entity): Room | null {
  const { position } = world.pose(entity);
  return world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
}
