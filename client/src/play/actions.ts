// The actions of a player on things: by key, click, button or a program's hand.
import type { Point } from "../dom/pixels";
import type { PickHit } from "../scene/picker";
import { partBehind, whyNotInside } from "../world/fits";
import { middleOf } from "../world/nearness";
import { metres3, millimetres3, quaternion, yawOf } from "../world/units";
import type { Vec2, Vec3 } from "../world/units";
import type { Entity, World } from "../world/world";
import type { PlayContext } from "./context";
import { finishQuestion } from "./finish_note";
import { JustOpened } from "./just_opened";
import { mainVerb } from "./main_action";
import type { PlacementAim, PutPlace } from "./placement";
import { GuidedWalk } from "./guided_walk";
import { PutPlaces } from "./put_place";

/** How far up a surface faces on which things stand. */
const FLAT = 0.85;

export class PlayerActions {
  /** What is under the pointer. */
  hovered: PickHit | null = null;
  /** Where the pointer is; null while it is not over the scene, and the middle counts. */
  pointer: Point | null = null;
  /** The walk of a player to what a key, a button or a click names. */
  readonly walk: GuidedWalk;
  /** Where the player put something down last, or is about to: the words of the server, and the furniture's index. */
  lastPut = { where: "", entity: -1 };
  /** Whether the player has been asked in this episode whether they mean to finish. */
  private askedToFinish = "";
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
    if (!world) return;
    const held = world.heldBy(world.me);
    const withHeld = held && verb === undefined ? verbs.find((v) => applies(v, held, -1)) : undefined;
    if (held && withHeld) {
      // Who stands at a tap with a cup points at nothing.
      void this.game.selection.act(withHeld, held.index, -1);
      return;
    }
    if (!entity || !hovered || verb === undefined) {
      this.refuse(nothingTo(verbs[0] ?? "", entity ?? null));
      return;
    }
    this.places.selected(entity.index, this.pointer, null);
    this.game.selection.select(entity.index, hovered.part);
    void this.game.selection.act(verb, entity.index, hovered.part);
  }

  /** Select a thing by its name, wherever it is seen. */
  select(entity: Entity): void {
    this.places.selected(entity.index, this.pointer, null);
    this.game.selection.select(entity.index, -1);
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
      this.refuse("Point at a surface to put it on");
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
    this.lastPut = { where, entity: target };
    return this.game.selection.place(millimetres3(point), Math.round(yaw * 1000), target);
  }

  /** Put what the hand holds into what is under the pointer or, first of all where that is meant, `selected`,
      opening it if need be. */
  async putInside(selected = false): Promise<void> {
    const { game } = this;
    const { world } = game;
    const held = world?.heldBy(world.me);
    if (!world) return;
    if (!held) {
      this.refuse("Your hand is empty: pick something up first");
      return;
    }
    const target = this.openable(world, selected);
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
    else this.refuse(found.reason);
  }

  /** Return the furniture with doors or drawers that is meant. */
  private openable(world: World, selectedFirst: boolean): { entity: Entity; part: number } | null {
    const { selected } = this.game.selection;
    for (const meant of selectedFirst ? [selected, this.hovered] : [this.hovered, selected]) {
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
    const index = this.game.selection.selected?.entity ?? this.hovered?.entity ?? -1;
    const entity = this.game.world?.entities[index];
    // The pointer means something else once one is there.
    if (entity && !this.game.selection.selected) this.select(entity);
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

const WORDS: Record<string, string> = { pick: "pick up", open: "open", clean: "wash", fill: "fill", pour: "pour into", power_on: "switch on" };

/** Say why a key does nothing: what it would do, and that what is pointed at is nothing for it. */
function nothingTo(verb: string, entity: Entity | null): string {
  const word = WORDS[verb] ?? verb.replaceAll("_", " ");
  if (!entity) return `There is nothing to ${word} here: point at it`;
  return `The ${entity.label} is nothing to ${word}`;
}
