// The thing that a step of the tutorial names for an example: which, and where it is.
import { flatDistance, middleOf } from "../world/nearness";
import { wrapAngle } from "../world/units";
import type { Vec3 } from "../world/units";
import type { Entity, Room, World } from "../world/world";
import type { PlayContext } from "./context";

/** So much farther away (m) counts what is in another room. */
const ELSEWHERE_M = 8;
const LOOK_EVERY_MS = 300;
/** Farther round than this (rad), something is behind. */
const BEHIND_RAD = 2.4;

/** The examples of one step: each stays the same until it suits no more. */
export class TutorialExamples {
  private readonly chosen = new Map<string, number>();
  /** The one that is to be gone to now. */
  private shown: Entity | null = null;
  private isClear = true;
  private lookedMs = -Infinity;

  constructor(private readonly game: PlayContext) {}

  /** Forget the examples: another step begins. */
  clear(): void {
    this.chosen.clear();
    this.point(null);
  }

  /** Return the example of a role: the nearest that suits, one's own room first. */
  find(role: string, world: World, suits: (entity: Entity) => boolean): Entity | null {
    const fits = (entity: Entity | null | undefined): entity is Entity => Boolean(entity && entity.holder < 0 && suits(entity));
    const before = world.entities[this.chosen.get(role) ?? -1];
    if (fits(before)) return before;
    const [x, , z] = this.game.body.position;
    const here = world.roomAt(x, z);
    // What is near behind a wall is far.
    const farness = (entity: Entity): number => flatDistance(world, entity, [x, z]) + (roomOf(world, entity) === here ? 0 : ELSEWHERE_M);
    const [first] = world.entities.filter(fits).sort((a, b) => farness(a) - farness(b));
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

  /** Mark an example in the scene from now on; null marks none. */
  point(example: Entity | null): void {
    this.shown = example;
    if (!example) this.game.hud.example.show("", null, false);
  }

  /** Return where to turn for what is marked; empty while it is in view. */
  direction(world: World): string {
    const { shown, game } = this;
    if (!shown) return "";
    const middle = middleOf(world, shown);
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
    const middle = middleOf(world, shown);
    if (nowMs - this.lookedMs >= LOOK_EVERY_MS) {
      this.lookedMs = nowMs;
      this.isClear = game.scenery.isClear(eye, middle);
    }
    const top: Vec3 = [middle[0], world.pose(shown).position[1] + shown.template.high[1], middle[2]];
    const at = game.scenery.project(top);
    game.hud.example.show(shown.label, at.onScreen ? at : null, !this.isClear);
  }
}

function roomOf(world: World, entity: Entity): Room | null {
  const { position } = world.pose(entity);
  return world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
}
