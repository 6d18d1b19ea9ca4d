// The placement that is aimed: where the held thing would come to stand, and whether it fits there.
import type { ClientMessage, Preview } from "../wire/generated";
import { metres3, millimetres3, quaternion, wrapAngle, yawQuaternion } from "../world/units";
import type { Vec3 } from "../world/units";
import type { GhostPose } from "../scene/ghost";

/** The server is asked at most this often (ms). */
const ASK_MS = 84;
/** What was said of a place holds as far around it on the same thing (m), until the server has spoken of the new one. */
const AROUND_M = 0.1;
const OPENS = ": it opens by itself";
const SAME_M = 0.004;
const SAME_RAD = 0.01;
const TURN_STEP = Math.PI / 12;

/** Where a thing is to be put: a point (m), a turn (rad) and the entity below (-1: the floor). */
export interface PlacementAim {
  point: Vec3;
  yaw: number;
  target: number;
  /** The shut part of that entity behind which it is to go; -1 for none. */
  behind: number;
}

/** A place to put something down. */
export interface PutPlace {
  point: { x: number; y: number; z: number };
  /** Index of the entity below; -1 for the floor. */
  entity: number;
  /** Where it is, in words: `on the table`; empty where only the pointer shows it. */
  where: string;
  /** The shut part of the entity that opens first, for the thing to go behind it; -1 for none. */
  behind: number;
  /** Why the thing goes nowhere there, as far as the page knows it before anything is opened; empty: it may. */
  why: string;
}

/** What the ghost shows, and why it does not fit there (empty: it does, or nobody knows yet). */
export interface PlacementPreview extends GhostPose {
  reason: string;
  /** On or in what it would be: `on the table`; empty while nobody knows. */
  where: string;
}

export class Placement {
  active = false;
  /** Radians that the wheel adds to the way the player faces. */
  private turned = 0;
  private aim: PlacementAim | null = null;
  private asked: (PlacementAim & { id: number }) | null = null;
  private askedMs = -Infinity;
  private answer: Preview | null = null;
  /** What the last answer is about. */
  private told: PlacementAim | null = null;
  private nextId = 1;
  private readonly sought = new Map<number, (answer: Preview) => void>();

  constructor(private readonly send: (message: ClientMessage) => boolean) {}

  start(): void {
    this.active = true;
    this.aim = null;
    this.asked = null;
    this.answer = null;
    this.told = null;
  }

  stop(): void {
    this.active = false;
    this.aim = null;
  }

  /** Turn the thing by so many steps of the wheel. */
  turn(steps: number): void {
    this.turned = wrapAngle(this.turned + steps * TURN_STEP);
  }

  /** Return the yaw at which a thing is put down: squarely to the room, and turned as the player wishes. */
  yawFor(bodyYaw: number): number {
    const square = Math.round(bodyYaw / (Math.PI / 2)) * (Math.PI / 2);
    return wrapAngle(square + this.turned);
  }

  /** Aim at a place (null: the sky). */
  point(pick: Omit<PutPlace, "where" | "why"> | null, bodyYaw: number, nowMs: number): void {
    if (!pick) {
      this.aim = null;
      return;
    }
    const { x, y, z } = pick.point;
    this.aim = { point: [x, y, z], yaw: this.yawFor(bodyYaw), target: pick.entity, behind: pick.behind };
    if (nowMs - this.askedMs < ASK_MS || (this.asked && same(this.asked, this.aim))) return;
    const { aim } = this;
    const id = this.ask(aim, aim.behind >= 0, aim.behind);
    if (id === null) return;
    this.asked = { ...aim, id };
    this.askedMs = nowMs;
  }

  /** Ask for the place that is nearest to an aim: there or, `inside`, within the furniture that is aimed at, behind
      its `part` (-1: any). Resolves with null without a connection. */
  seek(aim: Omit<PlacementAim, "behind">, inside = false, part = -1): Promise<Preview | null> {
    const id = this.ask(aim, inside, part);
    if (id === null) return Promise.resolve(null);
    return new Promise((done) => this.sought.set(id, done));
  }

  /** Ask the server about a place; return the number of the question, null without a connection. */
  private ask({ point, yaw, target }: Omit<PlacementAim, "behind">, inside: boolean, part: number): number | null {
    const previewId = this.nextId++;
    const asked = this.send({ tag: "v", previewId, point: millimetres3(point), yaw: Math.round(yaw * 1000), target, inside, part });
    return asked ? previewId : null;
  }

  /** Take in the server's answer, if it is to the last question. */
  answered(preview: Preview): void {
    this.sought.get(preview.previewId)?.(preview);
    this.sought.delete(preview.previewId);
    if (preview.previewId !== this.asked?.id) return;
    this.answer = preview;
    this.told = this.asked;
  }

  /** What to put down if the player lets go now; `settled`: it stands where the ghost does, and `where` says on or in
      what. Otherwise the server has not spoken of it yet, or it does not fit there. */
  get goal(): (PlacementAim & { settled: boolean; where: string }) | null {
    const { aim, answer } = this;
    if (!aim) return null;
    if (!answer?.fits || !this.isCurrent(aim)) return { ...aim, settled: false, where: "" };
    return { ...aim, point: aim.behind < 0 ? metres3(answer.position) : aim.point, settled: true, where: answer.where };
  }

  /** Tell whether the last answer is to what is aimed at now. */
  private isCurrent(aim: PlacementAim): boolean {
    const { answer, asked } = this;
    return answer !== null && asked !== null && answer.previewId === asked.id && same(asked, aim);
  }

  /** What the ghost shows now; null while nothing is aimed at. */
  get shown(): PlacementPreview | null {
    const { aim, answer, told } = this;
    if (!aim) return null;
    if (!answer || !told || !isOfSame(told, aim)) {
      return { position: aim.point, rotation: yawQuaternion(aim.yaw), fit: "unknown", reason: "", where: "" };
    }
    const isCurrent = this.isCurrent(aim);
    const isTold = distance(told.point, aim.point) < AROUND_M;
    return {
      position: isCurrent && aim.behind < 0 ? metres3(answer.position) : aim.point,
      rotation: isCurrent && aim.behind < 0 ? quaternion(answer.rotation) : yawQuaternion(aim.yaw),
      fit: answer.fits ? "fits" : "no",
      reason: answer.fits || !isTold ? "" : answer.reason,
      where: !answer.where || !isTold ? "" : answer.fits && aim.behind >= 0 ? answer.where + OPENS : answer.where,
    };
  }
}

/** Return what is said of the place that is aimed at: why nothing fits there, or where it is, to a finger with the
    button that puts it there; empty while nobody knows. */
export function placeWords({ fit, reason, where }: PlacementPreview, touch: boolean): string {
  if (fit === "no") return reason;
  return touch && where ? `${where}. Press Put it here` : where;
}

/** Tell whether these words of the server mean behind a door or in a drawer: not in a basin, which lies open. */
export function saysInside(where: string): boolean {
  return where.startsWith("in the ") && !where.startsWith("in the basin of ");
}

function isOfSame(a: PlacementAim, b: PlacementAim): boolean {
  return a.target === b.target && a.behind === b.behind;
}

function same(a: PlacementAim, b: PlacementAim): boolean {
  return isOfSame(a, b) && distance(a.point, b.point) < SAME_M && Math.abs(wrapAngle(a.yaw - b.yaw)) < SAME_RAD;
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
