// The tutorial: one step at a time in the real house, each done to pass; remembered in the browser.
import type { Point } from "../dom/pixels";
import { verbsOf } from "../input/bindings";
import type { Command } from "../input/bindings";
import type { DidEvent } from "../wire/generated";
import { spot } from "../world/destinations";
import type { Destination } from "../world/destinations";
import { fitsInside, fitsWhatOpens } from "../world/fits";
import { flatDistance } from "../world/nearness";
import { isClear } from "../world/pathfinder";
import type { Vec2, Vec3 } from "../world/units";
import { wrapAngle } from "../world/units";
import type { Entity, SeatKind, World } from "../world/world";
import type { PlayerActions } from "./actions";
import type { PlayContext } from "./context";
import { saysInside } from "./placement";
import { TutorialExamples } from "./tutorial_example";
import { passedBefore, recall, remember } from "./tutorial_memory";
import { keyNames, stepsFor } from "./tutorial_steps";
import type { Practice, StepId, TutorialMoment, TutorialStep } from "./tutorial_steps";

/** State that a step of a change teaches. */
const CHANGED: Partial<Record<StepId, string>> = { change: "is_powered_on", clean: "is_clean", fill: "is_filled", pour: "is_filled" };
/** What a partner shows that makes such a change. */
const HELPS = new Set(["clean", "fill", "power"]);
/** How long it is told that it was put away (ms). */
const TOLD_MS = 12000;
/** How long after one step was done the next cannot be skipped (ms). */
const SETTLED_MS = 500;
/** As near as this (m) counts as next to. */
const BESIDE_M = 0.5;
/** How far away the mark is that one learns to walk to, how near is there, and where it is tried, by the turn from straight ahead (rad). */
const MARK_M = [2.2, 1.6];
const THERE_M = 0.6;
const TURNS_RAD = [0, 0.5, -0.5, 1, -1, 1.6, -1.6, 2.4, -2.4, Math.PI];

interface MutablePractice extends Practice {
  did: Set<string>;
  partnerDid: Set<string>;
}

const fresh = (): MutablePractice => ({ turned: 0, walked: 0, atMark: null, did: new Set(), partnerDid: new Set(), said: false, viewToggles: 0, isViewShown: false, selected: false });

export class Tutorial {
  private steps: TutorialStep[] = [];
  private passed: string[] = [];
  private practice = fresh();
  private step: TutorialStep | null = null;
  private last: { x: number; z: number; yaw: number; pitch: number } | null = null;
  private left = false;
  private kind: SeatKind = "human";
  /** Whether it goes on where it was left: in another session, or before the page was loaded anew. */
  private resumed = false;
  /** Where the player learns to walk to. */
  mark: Destination | null = null;
  /** What is said of something that was put down, and not as the step asks; empty: nothing was. */
  private missed = "";
  /** Index of the thing that the player holds or held last; -1 for none. */
  private lastHeld = -1;
  /** What was selected when the step of putting inside began, until something else is: what it was put next to; -1: nothing. */
  private stale = -1;
  /** Whether the step has only just begun. */
  private isNew = false;
  /** When a step was done last (ms). */
  private doneMs = -Infinity;
  private readonly examples: TutorialExamples;

  constructor(
    private readonly game: PlayContext,
    private readonly actions: PlayerActions,
    /** The session, so that a page that is loaded anew goes on where it was. */
    private readonly sessionId: string,
    /** Whether a study counts what is practised, by the recording of each session. */
    private readonly isCounted: boolean,
  ) {
    this.examples = new TutorialExamples(game);
  }

  /** Begin, or go on after the page was loaded anew. */
  begin(world: World): void {
    this.kind = world.mySeat?.kind ?? "human";
    this.steps = stepsFor(this.kind, world.features, world.entities);
    const kept = recall();
    // A connection that comes back is no new beginning.
    if (this.last === null) {
      this.passed = passedBefore(kept, this.sessionId, this.kind, this.isCounted);
      this.resumed = this.passed.length > 0;
      this.left = kept?.session === this.sessionId && kept.left;
    }
    this.last = null;
    this.next();
    this.offer();
  }

  /** Note what somebody did. */
  did(event: DidEvent, world: World): void {
    if (event.seat !== world.me) {
      this.practice.partnerDid.add(event.verb);
      return;
    }
    this.practice.did.add(event.verb);
    if (event.verb !== "place") return;
    // Whichever key put it there: what counts is where it lies.
    const where = this.actions.lastPut;
    const isInside = isBehindFront(world, where, event.where);
    const put = world.entities[event.target];
    const isBeside = !isInside && put !== undefined && put !== null && this.neighbourOf(world, put) !== null;
    if (isInside) this.practice.did.add("put_inside");
    else if (isBeside) this.practice.did.add("beside");
    // What has been put away judges nothing.
    if (this.left) return;
    if (this.step?.id === "inside" && !isInside) this.miss(`It lies ${where || "there"}: that is behind no door and in no drawer.`);
    else if (this.step?.id === "place" && !isBeside) this.miss(isInside ? "Behind a door it is next to nothing that one sees." : "Nothing is near enough to that place.");
  }

  /** Say why a step is not passed yet: on the card and, for whom a small window shows no more than its title, at the pointer. */
  private miss(why: string): void {
    this.missed = `${why} `;
    this.actions.refuse(why);
  }

  /** Note that the player said something. */
  said(): void {
    this.practice.said = true;
  }

  /** Note that the partner's view was hidden or shown. */
  toggledView(): void {
    this.practice.viewToggles += 1;
  }

  /** Pass over the step that is to be done now; not one that came under the finger in that moment. */
  skip(): void {
    if (!this.step || performance.now() - this.doneMs < SETTLED_MS) return;
    this.pass(this.step);
    // At once: a second press is meant for what it is read on.
    const { world } = this.game;
    if (world) this.show(world);
  }

  /** Put the tutorial away: the task remains, and the help brings the tutorial back. */
  leave(): void {
    this.left = true;
    this.mark = null;
    this.game.hud.tutorial.hide();
    this.examples.clear();
    this.end();
    this.offer();
    this.game.status.tell("The tutorial is skipped: your task goes on. Help brings it back.", TOLD_MS);
  }

  /** Bring back what was put away, where it was. */
  bringBack(): void {
    this.left = false;
    this.keep(false);
    this.next();
    this.offer();
  }

  /** Begin anew. */
  restart(): void {
    this.passed = [];
    this.resumed = false;
    // A page that is loaded anew begins there, too.
    this.bringBack();
  }

  /** Offer in the help what can be done with it. */
  private offer(): void {
    this.game.hud.help.offerTutorial(this.left ? "back" : "over");
  }

  /** Note that it has come to its end: the next one begins at the beginning. */
  end(): void {
    this.keep(true);
  }

  /** Follow what the player does, and show what comes next; called a few times a second. */
  update(world: World): void {
    const { step } = this;
    if (!step || this.left || world.phase !== "running") return;
    this.move(world, step);
    if (step.done(this.practice)) {
      this.game.sounds.play("chat");
      this.doneMs = performance.now();
      this.pass(step);
    }
    this.show(world);
  }

  private show(world: World): void {
    if (!this.step) return;
    const moment = this.momentOf(world, this.step);
    const at = this.steps.indexOf(this.step) + 1;
    const names = keyNames(this.game.settings.bindings);
    // Who is being walked there has pressed the key.
    const next = this.actions.walk.goal ? null : this.step.cue(moment, names);
    const cue = next && { ...next, where: this.examples.direction(world) };
    this.game.hud.tutorial.show(this.step, this.step.text(moment, names), at, this.steps.length, cue, this.resumed, this.step.line?.(moment), this.step.id in CHANGED && !moment.changeable);
  }

  /** Take a press on the mark of the example, which means what it marks; return whether it was one. */
  pressed(at: Point): boolean {
    const { world } = this.game;
    const meant = world && this.game.hud.example.isAt(at) ? this.examples.marked(world) : null;
    if (!world || !meant) return false;
    if (!meant.isInView) this.game.body.lookAt(meant.middle, world);
    if (meant.entity) this.actions.select(meant.entity);
    else if (meant.isInView) void this.actions.walkTo([meant.middle[0], meant.middle[2]]);
    return true;
  }

  /** Move the mark of the example with the picture. */
  draw(world: World, eye: Vec3, nowMs: number): void {
    this.examples.draw(world, eye, nowMs);
  }

  private move(world: World, step: TutorialStep): void {
    const { body } = this.game;
    const [x, , z] = body.position;
    const { last, practice } = this;
    if (last) {
      practice.turned += Math.hypot(wrapAngle(body.yaw - last.yaw), body.pitch - last.pitch);
      practice.walked += Math.hypot(x - last.x, z - last.z);
    }
    this.last = { x, z, yaw: body.yaw, pitch: body.pitch };
    practice.isViewShown = this.game.hud.partner.viewShown;
    if (world.heldBy(world.me)) practice.did.add("holds");
    const selected = world.entities[this.game.selection.selected?.entity ?? -1];
    practice.selected = Boolean(selected);
    if (step.id !== "walk") return;
    this.mark ??= this.findMark(world);
    practice.atMark = this.mark && Math.hypot(x - this.mark.position[0], z - this.mark.position[2]) <= THERE_M;
  }

  /** Return a free place a few steps away that one walks straight to, ahead if there is one. */
  private findMark(world: World): Destination | null {
    const { position, yaw } = this.game.body;
    const here: Vec2 = [position[0], position[2]];
    for (const far of MARK_M) {
      for (const turn of TURNS_RAD) {
        const to: Vec2 = [here[0] - far * Math.sin(yaw + turn), here[1] - far * Math.cos(yaw + turn)];
        if (isClear(world.walkable, here, to)) return spot(world, to);
      }
    }
    return null;
  }

  /** Return the thing that another lies next to: no furniture; null for nothing. */
  private neighbourOf(world: World, put: Entity): Entity | null {
    const [x, y, z] = world.pose(put).position;
    const near = world.entities.filter((other): other is Entity => {
      if (!other || other === put || other.holder >= 0 || other.template.kind !== "object") return false;
      const { low, high } = other.template;
      const base = world.pose(other).position[1];
      // It stands at the same height, beside it and not above.
      const isBeside = base + high[1] > y + 0.02 && base + low[1] < y + put.template.high[1];
      return isBeside && flatDistance(world, other, [x, z]) <= BESIDE_M;
    });
    return near[0] ?? null;
  }

  private pass({ id }: TutorialStep): void {
    if (!this.passed.includes(id)) this.passed.push(id);
    this.keep(false);
    this.next();
  }

  private next(): void {
    this.step = this.steps.find(({ id }) => !this.passed.includes(id)) ?? null;
    this.practice = fresh();
    this.mark = null;
    this.missed = "";
    this.isNew = true;
    this.stale = this.step?.id === "inside" ? (this.game.selection.selected?.entity ?? -1) : -1;
    // What was selected is what is opened.
    if (this.step?.id !== "open") this.examples.clear();
    if (!this.step || this.left) this.game.hud.tutorial.hide();
  }

  private keep(ended: boolean): void {
    remember({ session: this.sessionId, kind: this.kind, passed: this.passed, ended, left: this.left });
  }

  private momentOf(world: World, step: TutorialStep): TutorialMoment {
    const { game, examples } = this;
    const [x, , z] = game.body.position;
    const away = (entity: Entity): number => flatDistance(world, entity, [x, z]);
    const held = world.heldBy(world.me);
    if (held) this.lastHeld = held.index;
    const openable = world.entities.filter((entity): entity is Entity => entity !== null && entity.parts.length > 0);
    // What is named is what works: a thing that goes somewhere, and furniture that takes it.
    const goesSomewhere = (entity: Entity): boolean => openable.some((furniture) => fitsInside(entity, furniture));
    const isThing = ({ template }: Entity): boolean => template.kind === "object";
    const canTake = (entity: Entity): boolean => isThing(entity) && (step.id !== "inside" || goesSomewhere(entity));
    const role = exampleOf(step.id, held !== null);
    const changes = isChangeable(CHANGED[step.id] ?? "");
    const room = world.roomAt(x, z);
    // One is sent to another room only where there is nothing in this one.
    const isStanding = (entity: Entity): boolean => isThing(entity) && entity.position[1] > world.floor;
    const before = world.entities[this.lastHeld];
    // What one has just put down is taken up again.
    if (before && before.holder < 0 && (this.missed || this.isNew) && canTake(before)) examples.choose("thing", before);
    this.isNew = false;
    const thing = held ?? examples.find("thing", world, canTake, goesSomewhere);
    const takesIt = (entity: Entity): boolean => entity.parts.length > 0 && (step.id !== "inside" || !thing || fitsInside(thing, entity));
    const suits = { thing: canTake, furniture: takesIt, opened: isOpen, changeable: changes, neighbour: isStanding, none: () => false }[role];
    if (game.selection.selected?.entity !== this.stale) this.stale = -1;
    const hit = this.stale < 0 ? game.selection.selected : null;
    const selected = world.entities[hit?.entity ?? -1];
    const chosen = selected && selected.holder < 0 && suits(selected) ? selected : null;
    // What the player has chosen is what the card goes on about.
    if (chosen) examples.choose(role, chosen);
    // Whatever of it the key opens has to take it, unless there is no such furniture here.
    const takesItAnyhow = (entity: Entity): boolean =>
      world.roomAt(entity.position[0], entity.position[2]) === room && (!thing || step.id !== "inside" || fitsWhatOpens(thing, entity));
    const furniture = examples.find("furniture", world, takesIt, takesItAnyhow);
    const opened = examples.find("opened", world, isOpen);
    const changeable = examples.find("changeable", world, changes);
    const neighbour = held && examples.find("neighbour", world, isStanding);
    const { touch } = game;
    // Fingers point at nothing: what they have tapped counts. A key does what the hand would do by it now.
    const command = touch ? null : commandOf(step.id, role === "thing" && held === null);
    const act = command && this.actions.keyAct(verbsOf(command));
    // The key takes what is pointed at: for what is selected there is another one on its panel.
    const pointed = command === "pick" ? (world.entities[act?.entity ?? -1] ?? null) : null;
    const isOther = pointed !== null && chosen !== null && pointed !== chosen;
    const meant = touch || isOther ? [hit] : command ? [act] : [this.actions.hovered, hit];
    const isHeld = held !== null && step.id in CHANGED && changes(held);
    const isReached = (entity: Entity | null | undefined): boolean => !!entity && away(entity) <= world.reach && !this.actions.isTooFar(entity);
    // What is selected may say no: something is in between, or it is too far up; or the key would shut something.
    const isFirm = step.id === "pick" || step.id === "open";
    const offered = touch ? (hit && isFirm ? game.hud.selection.find([step.id]) : null) : isOther ? game.hud.selection.find(["pick"]) : act;
    const isBarred = offered !== null && (!offered.possible || (isFirm && offered.verb !== step.id));
    const atThing = isHeld || !isBarred && meant.some((it) => {
      const entity = world.entities[it?.entity ?? -1];
      // The key would open another part of it.
      const isMeant = step.id !== "close" || !it || it.part < 0 || entity?.parts[it.part] !== 0;
      return entity && suits(entity) && isReached(entity) && isMeant;
    });
    const example = { thing: held ? null : thing, furniture, opened, changeable, neighbour, none: null }[role];
    if (step.id === "walk") examples.pointTo(this.mark);
    else examples.point(world, (atThing && role !== "neighbour") || game.placement.active ? null : example);
    const marked = examples.marked(world);
    return {
      touch,
      // What is in the hand is selected still after it was picked up, and no place to go to.
      isSelected: chosen !== null,
      walks: game.hud.selection.offersWalk,
      // Behind a wall it is near, and not at hand.
      isInReach: isReached(example) && example !== null && this.actions.walk.sees(world, example),
      isHidden: marked !== null && example !== null && !(marked.isInView && this.actions.walk.sees(world, example)),
      holding: held !== null,
      aiming: game.placement.active,
      atThing,
      besideOpened: isReached(opened),
      takeKey: isOther ? game.hud.selection.keyOf("pick") : "",
      takes: isOther ? examples.nameOf(world, chosen) : pointed && pointed !== thing ? examples.nameOf(world, pointed) : "",
      closeKey: hit && this.actions.keyAct(verbsOf("openClose"))?.verb !== "close" ? game.hud.selection.keyOf("close") : "",
      isTooLarge: held !== null && step.id === "inside" && !goesSomewhere(held),
      besideNeighbour: isReached(neighbour),
      thing: examples.nameOf(world, thing),
      furniture: examples.nameOf(world, furniture),
      changeable: examples.nameOf(world, changeable),
      opened: examples.nameOf(world, opened),
      neighbour: examples.nameOf(world, neighbour),
      missed: this.missed,
      isViewShown: game.hud.partner.viewShown,
      isHelped: this.practice.said && isHelped(world),
    };
  }
}

/** Tell whether somebody else is about to change something: whoever waits or thinks shows that, too. */
function isHelped(world: World): boolean {
  return world.seats.some((seat) => seat.index !== world.me && HELPS.has(seat.aim?.verb ?? ""));
}

/** Return which example somebody has to go to in a step. */
function exampleOf(step: StepId, holding: boolean): "thing" | "furniture" | "opened" | "changeable" | "neighbour" | "none" {
  if (step === "close") return "opened";
  if (step === "select" || step === "open") return "furniture";
  if (step === "pick") return "thing";
  if (step === "inside") return holding ? "furniture" : "thing";
  if (step === "place") return holding ? "neighbour" : "thing";
  return step in CHANGED ? "changeable" : "none";
}

/** Tell whether what was put down lies behind a door or in a drawer, by the words for the place and the name of the
    furniture: what was aimed at may have been another thing in a drawer that stands open. */
export function isBehindFront(world: World, where: string, furniture: string): boolean {
  return saysInside(where) && world.entities.some((one) => one?.label === furniture && one.parts.length > 0);
}

/** Return the command whose key comes next in a step, where that is one that acts on a thing; null for none. */
function commandOf(step: StepId, takes: boolean): Command | null {
  if (takes) return "pick";
  if (step === "open") return "openClose";
  if (step === "change") return "power";
  return step === "clean" || step === "fill" || step === "pour" ? step : null;
}

/** Return whether a state of a thing can be made true; of any state where none is named. */
function isChangeable(state: string): (entity: Entity) => boolean {
  return ({ states }) => (state ? states[state] === false : Object.values(CHANGED).some((any) => states[any] === false));
}

const isOpen = ({ parts }: Entity): boolean => parts.some((value) => value !== 0);
