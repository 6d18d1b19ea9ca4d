// The actions of a player on things: by key, click, button or a program's hand.
import type { Point } from "../dom/pixels";
import type { PickHit } from "../scene/picker";
import { partBehind, whyNotInside } from "../world/fits";
import { flatDistance, middleOf } from "../world/nearness";
import { metres3, millimetres3, quaternion, yawOf } from "../world/units";
import type { Vec2, Vec3 } from "../world/units";
import { verbWords } from "../world/words";
import type { Entity, World } from "../world/world";
import type { PlayContext } from "./context";
import { finishQuestion } from "./finish_note";
import { JustOpened } from "./just_opened";
import { keyAct } from "./key_act";
import type { KeyAct, Meant } from "./key_act";
import { mainVerb } from "./main_action";
import type { PlacementAim, PutPlace } from "./placement";
import { GuidedWalk } from "./guided_walk";
import { NOWHERE, PutPlaces, TOO_FAR } from "./put_place";

/** How far up a surface faces on which things stand. */
const FLAT = 0.85;
/** Who has gone no farther than this (m) stands where they stood. */
const STOOD_M = 0.15;

export class PlayerActions {
  /** What is under the pointer. */
  hovered: PickHit | null = null;
  /** Where the pointer is; null while it is not over the scene, and the middle counts. */
  pointer: Point | null = null;
  /** The walk of a player to what a key, a button or a click names. */
  readonly walk: GuidedWalk;
  /** Where the player put something down last, or is about to, in the words of the server. */
  lastPut = "";
  /** Whether the player has been asked in this episode whether they mean to finish. */
  private askedToFinish = "";
  /** What the hand could not reach into, and where the player stood; null: nothing. */
  private tooFar: { entity: number; from: Vec2 } | null = null;
  private readonly places: PutPlaces;
  private readonly justOpened = new JustOpened();

  constructor(private readonly game: PlayContext) {
    this.places = new PutPlaces(game);
    this.walk = new GuidedWalk(game);
  }

  /** Note where the pointer is (null: not over the scene); `locked`: it has no place, and the middle counts. */
  pointAt(at: Point | null, locked: boolean): void {
    this.pointer = locked ? null : at;
    if (!locked) this.places.pointed(at);
  }

  /** Note that the player turned the view by so many pixels. */
  turnedView(px: number): void {
    this.places.turned(px);
  }

  /** Do a verb to the selection. */
  act(verb: string): void {
    const { selected } = this.game.selection;
    if (selected) this.press(verb, selected.entity, selected.part);
  }

  /** Do a verb that was pressed; a finger that comes twice at once opens, and does not shut again. */
  private press(verb: string, entity: number, part: number): void {
    const { game } = this;
    if (game.touch && !this.justOpened.allows(verb, entity, part, performance.now())) return;
    void game.selection.act(verb, entity, part);
  }

  /** Return what a key that means these verbs does now; null for nothing. What the screen says of keys asks this, too. */
  keyAct(verbs: readonly string[]): KeyAct | null {
    const { world, selection, hud, body } = this.game;
    if (!world) return null;
    const meant = (hit: { entity: number; part: number } | null): Meant | null => {
      const entity = world.entities[hit?.entity ?? -1];
      return hit && entity ? { entity, part: hit.part } : null;
    };
    const pointed = meant(this.hovered);
    const selected = meant(selection.selected);
    const [x, , z] = body.position;
    return keyAct(verbs, {
      pointed: pointed && { ...pointed, isNear: flatDistance(world, pointed.entity, [x, z]) <= world.reach },
      selected,
      offered: selected && hud.selection.find(verbs),
      rests: selected !== null && this.places.isResting(selected.entity.index),
      held: world.heldBy(world.me),
    });
  }

  /** Do one of the verbs of a key, to what it means now. */
  actByKey(verbs: readonly string[]): void {
    const { world, selection } = this.game;
    const act = this.keyAct(verbs);
    if (!world) return;
    if (!act) {
      this.refuse(nothingTo(verbs[0] ?? "", world.entities[this.hovered?.entity ?? -1] ?? null));
      return;
    }
    if (!act.possible) {
      this.refuse(act.reason);
      return;
    }
    if (act.by === "pointer") {
      this.places.selected(act.entity, this.pointer, null);
      selection.select(act.entity, act.part);
    }
    void selection.act(act.verb, act.entity, act.part);
  }

  /** Do what a number key means: the selection's action of that number. */
  actByNumber(digit: number): void {
    const verb = this.game.hud.selection.nth(digit);
    const offered = verb && this.game.hud.selection.find([verb]);
    if (!offered) return;
    if (offered.possible) this.act(offered.verb);
    else this.refuse(offered.reason);
  }

  /** Select a thing by its name, wherever it is seen. */
  select(entity: Entity, part = -1): void {
    this.places.selected(entity.index, this.pointer, null);
    this.game.selection.select(entity.index, part);
  }

  /** Select what is at a point, or (`walks`) walk there where that is the floor; a double click also does the main
      action. A panel over the floor is no place to walk to, though a mouse reaches the things behind it. */
  click(at: Point, double: boolean, walks: boolean): void {
    if (this.game.placement.active) {
      // A finger shows the place where a mouse would point.
      if (this.game.touch) {
        this.pointer = at;
        this.places.release();
      }
      return;
    }
    const pick = this.game.scenery.pick(at);
    const entity = this.game.world?.entities[pick?.entity ?? -1];
    if (!pick || !entity) {
      // The second half of a double click would begin the same walk again.
      if (double) return;
      this.game.selection.deselect();
      if (walks && pick && pick.normal.y > FLAT) void this.walkTo([pick.point.x, pick.point.z]);
      return;
    }
    const { selection } = this.game;
    const seen = this.game.scenery.pickSurface(at);
    const isFlat = seen?.entity === entity.index && seen.normal.y > FLAT;
    this.places.selected(entity.index, this.pointer, isFlat ? [seen.point.x, seen.point.y, seen.point.z] : null);
    selection.select(entity.index, pick.part);
    const verb = double ? mainVerb(entity, pick.part, selection.actionsOf(entity)) : null;
    if (verb) this.press(verb, entity.index, pick.part);
  }

  /** Return where the hand puts down what it holds now; null for nowhere. */
  putPlace(): PutPlace | null {
    return this.places.choose(this.aimPoint());
  }

  /** Put down what the hand holds: on what is selected, or where the pointer is. */
  putHere(): void {
    const { world } = this.game;
    if (!world?.heldBy(world.me)) {
      this.refuse("Your hand is empty: pick something up first");
      return;
    }
    const place = this.putPlace();
    if (!place) {
      this.refuse(NOWHERE);
      return;
    }
    if (place.why) {
      this.refuse(place.why);
      return;
    }
    const { x, y, z } = place.point;
    void this.putAt({ point: [x, y, z], yaw: this.game.placement.yawFor(this.game.body.yaw), target: place.entity, behind: place.behind });
  }

  /** Put down what the hand holds at an aim: behind the front that is meant, or where it fits best there. */
  private async putAt(aim: PlacementAim): Promise<void> {
    const entity = this.game.world?.entities[aim.target];
    if (entity && aim.behind >= 0) await this.putInto(entity, aim.behind, aim.point);
    else await this.putNear(aim);
  }

  /** Put down what the hand holds at an aim, or right beside it where that fits better. */
  private async putNear(aim: PlacementAim): Promise<void> {
    const found = await this.game.placement.seek(aim);
    const point = found?.fits ? metres3(found.position) : aim.point;
    await this.putDown(point, aim.yaw, aim.target, found?.where);
  }

  /** Put down what the hand holds at a point (m), on an entity (-1: the floor), of which the server has said that it is
      `where`; resolves with the reason why not, or null. */
  putDown(point: [number, number, number], yaw: number, target: number, where = ""): Promise<string | null> {
    this.lastPut = where;
    return this.game.selection.place(millimetres3(point), Math.round(yaw * 1000), target);
  }

  /** Put what the hand holds into what is selected or else under the pointer, opening it if need be. */
  async putInside(): Promise<void> {
    const { game } = this;
    const { world } = game;
    const held = world?.heldBy(world.me);
    if (!world) return;
    if (!held) {
      this.refuse("Your hand is empty: pick something up first");
      return;
    }
    const target = this.openable(world);
    if (!target) {
      this.refuse("Point at something with doors or drawers");
      return;
    }
    const { entity, part } = target;
    const why = whyNotInside(held, entity, part);
    if (why) {
      this.refuse(why);
      return;
    }
    await this.putInto(entity, part, this.pointIn(entity) ?? middleOf(world, entity));
  }

  /** Put what the hand holds into furniture, behind one of its parts (-1: any), which is opened if need be, as near to
      a point as it fits. */
  private async putInto(entity: Entity, part: number, point: Vec3): Promise<void> {
    const { game } = this;
    const { world } = game;
    const held = world?.heldBy(world.me);
    if (!world || !held) return;
    // Where nothing that takes it stands open, a shut part that does opens first.
    const behind = partBehind(held, entity, part);
    const isOpen = behind >= 0 && entity.parts[behind] !== 0;
    if (!isOpen && (await game.selection.act("open", entity.index, behind)) !== null) return;
    const yaw = game.placement.yawFor(game.body.yaw);
    const found = await game.placement.seek({ point, yaw, target: entity.index }, true, isOpen && part < 0 ? -1 : behind);
    if (!found || game.world !== world) return;
    // It is turned squarely to the furniture where nothing shuts before it otherwise.
    if (found.fits) await this.putDown(metres3(found.position), yawOf(quaternion(found.rotation)), entity.index, found.where);
    else {
      const [x, , z] = game.body.position;
      if (found.reason === TOO_FAR) this.tooFar = { entity: entity.index, from: [x, z] };
      this.refuse(found.reason);
    }
  }

  /** Tell whether the hand could not reach into a thing, near as it is, from where the player stands still. */
  isTooFar(entity: Entity): boolean {
    const { tooFar } = this;
    const [x, , z] = this.game.body.position;
    return tooFar?.entity === entity.index && Math.hypot(tooFar.from[0] - x, tooFar.from[1] - z) < STOOD_M;
  }

  /** Return the furniture with doors or drawers that is meant: what is selected, whose panel names the key. */
  private openable(world: World): { entity: Entity; part: number } | null {
    for (const meant of [this.game.selection.selected, this.hovered]) {
      const entity = world.entities[meant?.entity ?? -1];
      if (meant && entity && entity.parts.length > 0) return { entity, part: meant.part };
    }
    return null;
  }

  /** Return where the pointer meets a thing; null where it does not. */
  private pointIn(entity: Entity): Vec3 | null {
    const pick = this.game.scenery.pickSurface(this.aimPoint());
    if (pick?.entity !== entity.index) return null;
    const { x, y, z } = pick.point;
    return [x, y, z];
  }

  /** Walk to what is selected, else to what is under the pointer, and face it. */
  approach(): Promise<void> {
    const { world, selection } = this.game;
    const selected = world?.entities[selection.selected?.entity ?? -1] ?? null;
    // What was picked up is selected still, and no place to walk to.
    const isGoal = selected !== null && selected.holder !== world?.me;
    const index = (isGoal ? selected.index : this.hovered?.entity) ?? -1;
    const entity = world?.entities[index];
    // The pointer means something else once one is there.
    if (entity && !isGoal) this.select(entity);
    return this.told(this.walk.toThing(index));
  }

  /** Walk to a point of the floor. */
  walkTo(to: Vec2): Promise<void> {
    return this.told(this.walk.toFloor(to));
  }

  /** Walk to a point that was pressed on the map, which says itself why that cannot be. */
  async walkOnMap(to: Vec2): Promise<void> {
    const { map } = this.game.hud;
    const reason = await this.walk.toFloor(to, true);
    if (!reason) return;
    if (map.root.hidden) this.refuse(reason);
    else map.tell(reason);
  }

  /** Say why a walk does not begin; empty: it does. */
  private async told(walk: Promise<string>): Promise<void> {
    const reason = await walk;
    if (reason) this.refuse(reason);
  }

  /** Start to aim a placement, put down where it aims, or leave it. */
  aim(phase: "start" | "end" | "cancel"): void {
    const { world, placement } = this.game;
    if (phase === "start") {
      if (world?.heldBy(world.me)) {
        placement.start();
        this.game.hud.setAiming(true);
      }
      else if (world) this.refuse("Your hand is empty: pick something up first");
      return;
    }
    if (!placement.active) return;
    const { goal, shown } = placement;
    placement.stop();
    if (this.game.touch) this.pointer = null;
    this.game.hud.setAiming(false);
    this.game.hud.near.hide();
    if (phase !== "end" || !goal) return;
    if (goal.behind >= 0 && shown?.reason) {
      // It opens for nothing that cannot go in.
      this.refuse(shown.reason);
    } else if (goal.settled && goal.behind < 0) {
      void this.putDown(goal.point, goal.yaw, goal.target, goal.where);
    } else {
      void this.putAt(goal);
    }
  }

  /** Tell that the player has finished, or has not after all; the first time in an episode, ask before. */
  finish(): void {
    const { world, hud } = this.game;
    const seat = world?.mySeat;
    if (!world || !seat) return;
    // Who takes it back is asked again.
    if (seat.finished) this.askedToFinish = "";
    if (!seat.finished && this.askedToFinish !== world.episodeId) {
      this.askedToFinish = world.episodeId;
      hud.question.ask(finishQuestion(world));
      return;
    }
    hud.question.hide();
    this.game.send({ tag: "finish", finished: !seat.finished });
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

/** Say why a key does nothing: what it would do, and that what is pointed at is nothing for it. */
function nothingTo(verb: string, entity: Entity | null): string {
  const word = verbWords(verb);
  if (!entity) return `There is nothing to ${word} here: point at it`;
  return `The ${entity.label} is nothing to ${word}`;
}
