// The tutorial: one step at a time in the real house, each done to pass; remembered in the browser.
import type { DidEvent } from "../wire/generated";
import { fitsInside } from "../world/fits";
import { flatDistance } from "../world/nearness";
import type { Vec3 } from "../world/units";
import { wrapAngle } from "../world/units";
import type { Entity, SeatKind, World } from "../world/world";
import type { PlayerActions } from "./actions";
import type { PlayContext } from "./context";
import { TutorialExamples } from "./tutorial_example";
import { keyNames, stepsFor } from "./tutorial_steps";
import type { Practice, StepId, TutorialMoment, TutorialStep } from "./tutorial_steps";

const KEY = "cohabit.tutorial";
const CHANGEABLE = ["is_powered_on", "is_clean", "is_filled"];

/** What is remembered of a tutorial: the steps that were passed, and whether it came to its end. */
export interface Kept {
  session: string;
  kind: SeatKind;
  passed: string[];
  ended: boolean;
}

interface MutablePractice extends Practice {
  did: Set<string>;
  partnerDid: Set<string>;
}

const fresh = (): MutablePractice => ({ turned: 0, walked: 0, did: new Set(), partnerDid: new Set(), said: false, lookedThroughPartner: false });

export class Tutorial {
  private steps: TutorialStep[] = [];
  private passed: string[] = [];
  private practice = fresh();
  private step: TutorialStep | null = null;
  private last: { x: number; z: number; yaw: number; pitch: number } | null = null;
  private left = false;
  private kind: SeatKind = "human";
  /** Whether it goes on where another session of it was left. */
  private resumed = false;
  private readonly examples: TutorialExamples;

  constructor(
    private readonly game: PlayContext,
    private readonly actions: PlayerActions,
    /** The session, so that a page that is loaded anew goes on where it was. */
    private readonly sessionId: string,
  ) {
    this.examples = new TutorialExamples(game);
  }

  /** Begin, or go on after the page was loaded anew. */
  begin(world: World): void {
    this.kind = world.mySeat?.kind ?? "human";
    this.steps = stepsFor(this.kind, world.features);
    const kept = recall();
    this.passed = passedBefore(kept, this.sessionId, this.kind);
    this.resumed = this.passed.length > 0 && kept?.session !== this.sessionId;
    this.last = null;
    this.next();
  }

  /** Note what somebody did. */
  did(event: DidEvent, world: World): void {
    if (event.seat !== world.me) {
      this.practice.partnerDid.add(event.verb);
      return;
    }
    this.practice.did.add(event.verb);
    if (event.verb !== "place") return;
    if (this.actions.lastPut === "inside") this.practice.did.add("put_inside");
    if (this.actions.lastPut === "aimed") this.practice.did.add("aimed");
  }

  /** Note that the player said something. */
  said(): void {
    this.practice.said = true;
  }

  /** Note that the partner's view was hidden or shown. */
  toggledView(): void {
    this.practice.lookedThroughPartner = true;
  }

  /** Pass over the step that is to be done now. */
  skip(): void {
    if (this.step) this.pass(this.step);
  }

  /** Leave the tutorial: the task remains. */
  leave(): void {
    this.left = true;
    this.game.hud.tutorial.hide();
    this.examples.clear();
    for (const { id } of this.steps) this.remember(id);
    this.end();
  }

  /** Begin anew, though it was left half way before. */
  restart(): void {
    this.passed = [];
    this.resumed = false;
    // A page that is loaded anew begins there, too.
    this.keep(false);
    this.next();
  }

  /** Note that it has come to its end: the next one begins at the beginning. */
  end(): void {
    this.keep(true);
  }

  /** Follow what the player does, and show what comes next; called a few times a second. */
  update(world: World): void {
    const { step } = this;
    if (!step || this.left || world.phase !== "running") return;
    this.move(world);
    if (step.done(this.practice)) {
      this.game.sounds.play("chat");
      this.pass(step);
    }
    if (!this.step) return;
    const moment = this.momentOf(world, this.step);
    const at = this.steps.indexOf(this.step) + 1;
    const names = keyNames(this.game.settings.bindings);
    const next = this.step.cue(moment, names);
    const cue = next && { ...next, where: this.examples.direction(world) };
    this.game.hud.tutorial.show(this.step, this.step.text(moment, names), at, this.steps.length, cue, this.resumed);
  }

  /** Move the mark of the example with the picture. */
  draw(world: World, eye: Vec3, nowMs: number): void {
    this.examples.draw(world, eye, nowMs);
  }

  private move(world: World): void {
    const { body } = this.game;
    const [x, , z] = body.position;
    const { last, practice } = this;
    if (last) {
      practice.turned += Math.hypot(wrapAngle(body.yaw - last.yaw), body.pitch - last.pitch);
      practice.walked += Math.hypot(x - last.x, z - last.z);
    }
    this.last = { x, z, yaw: body.yaw, pitch: body.pitch };
    if (world.heldBy(world.me)) practice.did.add("holds");
  }

  private pass(step: TutorialStep): void {
    this.remember(step.id);
    this.next();
  }

  private next(): void {
    this.step = this.steps.find(({ id }) => !this.passed.includes(id)) ?? null;
    this.practice = fresh();
    this.examples.clear();
    if (!this.step) this.game.hud.tutorial.hide();
  }

  private remember(id: string): void {
    if (!this.passed.includes(id)) this.passed.push(id);
    this.keep(false);
  }

  private keep(ended: boolean): void {
    const kept: Kept = { session: this.sessionId, kind: this.kind, passed: this.passed, ended };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // It is then remembered as long as the page is open.
    }
  }

  private momentOf(world: World, step: TutorialStep): TutorialMoment {
    const { game, examples } = this;
    const [x, , z] = game.body.position;
    const away = (entity: Entity): number => flatDistance(world, entity, [x, z]);
    const held = world.heldBy(world.me);
    const openable = world.entities.filter((entity): entity is Entity => entity !== null && entity.parts.length > 0);
    // What is named is what works: a thing that goes somewhere, and furniture that takes what is in the hand.
    const goesSomewhere = (entity: Entity): boolean => openable.some((furniture) => fitsInside(entity, furniture));
    const takesHeld = (entity: Entity): boolean => entity.parts.length > 0 && (step.id !== "inside" || !held || fitsInside(held, entity));
    const thing = examples.find("thing", world, (entity) => entity.template.kind === "object" && goesSomewhere(entity));
    const furniture = examples.find("furniture", world, takesHeld);
    const changeable = examples.find("changeable", world, isChangeable);
    const suits = step.id === "inside" && held ? takesHeld : suitsFor(step.id);
    const { touch } = game;
    const selected = world.entities[game.selection.selected?.entity ?? -1];
    // Fingers point at nothing: what they have tapped counts.
    const meant = touch ? [selected] : [world.entities[this.actions.hovered?.entity ?? -1], selected];
    const atThing = meant.some((entity) => entity && suits(entity) && away(entity) <= world.reach);
    const example = { thing, furniture, changeable, none: null }[exampleOf(step.id, held !== null)];
    examples.point(atThing || game.placement.active ? null : example);
    return {
      touch,
      isSelected: selected ? suits(selected) : false,
      holding: held !== null,
      aiming: game.placement.active,
      atThing,
      thing: examples.nameOf(world, thing),
      furniture: examples.nameOf(world, furniture),
      changeable: examples.nameOf(world, changeable),
    };
  }
}

/** Return which example somebody has to go to in a step. */
function exampleOf(step: StepId, holding: boolean): "thing" | "furniture" | "changeable" | "none" {
  if (step === "open") return "furniture";
  if (step === "pick") return "thing";
  if (step === "inside") return holding ? "furniture" : "thing";
  if (step === "place") return holding ? "none" : "thing";
  return step === "change" ? "changeable" : "none";
}

const isChangeable = ({ states }: Entity): boolean => CHANGEABLE.some((state) => states[state] === false);

function suitsFor(step: string): (entity: Entity) => boolean {
  if (step === "pick" || step === "place") return ({ template }) => template.kind === "object";
  if (step === "change") return isChangeable;
  return ({ parts }) => parts.length > 0;
}

/** Return the steps that are done already: of this session, or of one that was left on the way, in the same body. */
export function passedBefore(kept: Kept | null, sessionId: string, kind: SeatKind): string[] {
  if (kept?.kind !== kind) return [];
  return kept.session === sessionId || !kept.ended ? kept.passed : [];
}

/** Return what is kept of the last tutorial in this browser; null for nothing. */
function recall(): Kept | null {
  try {
    const { session, kind, passed, ended } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof Kept, unknown>>;
    if (typeof session !== "string" || !Array.isArray(passed)) return null;
    return {
      session,
      kind: kind === "robot" ? "robot" : "human",
      passed: passed.filter((id): id is string => typeof id === "string"),
      ended: ended === true,
    };
  } catch {
    return null;
  }
}
