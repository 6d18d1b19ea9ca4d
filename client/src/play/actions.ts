// The actions of a player on things: by key, click, button or a program's hand.
import type { Point } from "../dom/pixels";
import type { PickHit } from "../scene/picker";
import { millimetres3 } from "../world/units";
import type { Entity } from "../world/world";
import type { PlayContext } from "./context";
import { mainVerb } from "./main_action";

export class PlayerActions {
  /** What is under the pointer. */
  hovered: PickHit | null = null;
  /** Where the pointer is; null while it is not over the scene, and the middle counts. */
  pointer: Point | null = null;

  constructor(private readonly game: PlayContext) {}

  /** Do a verb to the selection. */
  act(verb: string): void {
    const { selected } = this.game.selection;
    if (selected) void this.game.selection.act(verb, selected.entity, selected.part);
  }

  /** Do one of the verbs of a key: to the selection if it offers one, else to what is under the pointer. */
  actByKey(verbs: readonly string[]): void {
    const offered = this.game.selection.selected && this.game.hud.selection.find(verbs);
    if (offered) {
      if (offered.possible) this.act(offered.verb);
      else this.refuse(offered.reason);
      return;
    }
    const { hovered } = this;
    const { world } = this.game;
    const entity = world?.entities[hovered?.entity ?? -1];
    const verb = entity && hovered ? verbs.find((v) => applies(v, entity, hovered.part)) : undefined;
    if (!entity || !hovered || verb === undefined) return;
    this.game.selection.select(entity.index, hovered.part);
    void this.game.selection.act(verb, entity.index, hovered.part);
  }

  /** Select what is at a point; a double click also does its main action. */
  click(at: Point, double: boolean): void {
    const pick = this.game.scenery.pick(at);
    const entity = this.game.world?.entities[pick?.entity ?? -1];
    if (!pick || !entity) {
      if (!double) this.game.selection.deselect();
      return;
    }
    const { selection } = this.game;
    selection.select(entity.index, pick.part);
    const verb = double ? mainVerb(entity, pick.part, selection.actionsOf(entity)) : null;
    if (verb) void selection.act(verb, entity.index, pick.part);
  }

  /** Put down what the hand holds where a point of the canvas shows it. */
  placeAt(at: Point): void {
    const { world } = this.game;
    if (!world?.heldBy(world.me)) return;
    const pick = this.game.scenery.pickSurface(at);
    if (!pick) {
      this.refuse("Point at a surface to put it on");
      return;
    }
    const { x, y, z } = pick.point;
    void this.putDown([x, y, z], this.game.placement.yawFor(this.game.body.yaw), pick.entity);
  }

  /** Put down what the hand holds at a point (m), on an entity (-1: the floor); resolves with the
      reason why not, or null. */
  putDown(point: [number, number, number], yaw: number, target: number): Promise<string | null> {
    return this.game.selection.place(millimetres3(point), Math.round(yaw * 1000), target);
  }

  /** Start to aim a placement, put down where it aims, or leave it. */
  aim(phase: "start" | "end" | "cancel"): void {
    const { world, placement } = this.game;
    if (phase === "start") {
      if (world?.heldBy(world.me)) placement.start();
      else if (world) this.refuse("Your hand is empty: pick something up first");
      return;
    }
    if (!placement.active) return;
    const { goal } = placement;
    placement.stop();
    this.game.hud.near.hide();
    if (phase === "end" && goal) void this.putDown(goal.point, goal.yaw, goal.target);
  }

  /** Tell that the player has finished, or has not after all. */
  finish(): void {
    const seat = this.game.world?.mySeat;
    if (seat) this.game.send({ tag: "finish", finished: !seat.finished });
  }

  /** Say near the pointer why something does not work. */
  refuse(reason: string): void {
    const at = this.pointer ?? this.middle();
    this.game.hud.refuse(reason, at);
    this.game.sounds.play("no");
  }

  /** Return the point that counts for aiming. */
  aimPoint(): Point {
    return this.pointer ?? this.middle();
  }

  /** Return the middle of the scene. */
  middle(): Point {
    const { clientWidth, clientHeight } = this.game.hud.canvas;
    return { x: clientWidth / 2, y: clientHeight / 2 };
  }
}

/** Tell whether a verb makes sense for a thing, as far as the page can know. */
function applies(verb: string, entity: Entity, part: number): boolean {
  const open = part >= 0 ? entity.parts[part] !== 0 : entity.parts.some((value) => value !== 0);
  switch (verb) {
    case "pick":
      return entity.template.kind === "object";
    case "open":
      return entity.parts.length > 0 && !open;
    case "close":
      return entity.parts.length > 0 && open;
    case "clean":
      return "is_clean" in entity.states;
    case "fill":
    case "pour":
      return "is_filled" in entity.states;
    case "power_on":
      return entity.states.is_powered_on === false;
    case "power_off":
      return entity.states.is_powered_on === true;
    default:
      return false;
  }
}
