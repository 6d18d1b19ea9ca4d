// The placement that is aimed: where the held thing would come to stand, and whether it fits there.
import type { ClientMessage, Preview } from "../wire/generated";
import { metres3, millimetres3, quaternion, wrapAngle, yawQuaternion } from "../world/units";
import type { Vec3 } from "../world/units";
import type { GhostPose } from "../scene/ghost";

/** The server is asked at most this often (ms). */
const ASK_MS = 84;
const SAME_M = 0.004;
const SAME_RAD = 0.01;
const TURN_STEP = Math.PI / 12;

/** Where a thing is to be put: a point (m), a turn (rad) and the entity below (-1: the floor). */
export interface PlacementAim {
  point: Vec3;
  yaw: number;
  target: number;
}

/** A place to put something down. */
export interface PutPlace {
  point: { x: number; y: number; z: number };
  /** Index of the entity below; -1 for the floor. */
  entity: number;
  /** Where it is, in words: `on the table`; empty where only the pointer shows it. */
  where: string;
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
  private nextId = 1;
  private readonly sought = new Map<number, (answer: Preview) => void>();

  constructor(private readonly send: (message: ClientMessage) => boolean) {}

  start(): void {
    this.active = true;
    this.aim = null;
    this.asked = null;
    this.answer = null;
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
  point(pick: Pick<PutPlace, "point" | "entity"> | null, bodyYaw: number, nowMs: number): void {
    if (!pick) {
      this.aim = null;
      return;
    }
    const { x, y, z } = pick.point;
    this.aim = { point: [x, y, z], yaw: this.yawFor(bodyYaw), target: pick.entity };
    if (nowMs - this.askedMs < ASK_MS || (this.asked && same(this.asked, this.aim))) return;
    const id = this.nextId++;
    const asked = this.send({
      tag: "v",
      previewId: id,
      point: millimetres3(this.aim.point),
      yaw: Math.round(this.aim.yaw * 1000),
      target: this.aim.target,
      inside: false,
      part: -1,
    });
    if (!asked) return;
    this.asked = { ...this.aim, id };
    this.askedMs = nowMs;
  }

  /** Ask for the place that is nearest to an aim: there or, `inside`, within the furniture that is aimed at, behind
      its `part` (-1: any). Resolves with null without a connection. */
  seek(aim: PlacementAim, inside = false, part = -1): Promise<Preview | null> {
    const id = this.nextId++;
    const { point, yaw, target } = aim;
    const asked = this.send({ tag: "v", previewId: id, point: millimetres3(point), yaw: Math.round(yaw * 1000), target, inside, part });
    if (!asked) return Promise.resolve(null);
    return new Promise((done) => this.sought.set(id, done));
  }

  /** Take in the server's answer, if it is to the last question. */
  answered(preview: Preview): void {
    this.sought.get(preview.previewId)?.(preview);
    this.sought.delete(preview.previewId);
    if (preview.previewId === this.asked?.id) this.answer = preview;
  }

  /** What to put down if the player lets go now: where the ghost stands, if the server has said so. */
  get goal(): PlacementAim | null {
    const { aim, answer } = this;
    if (!aim || !answer?.fits || !this.isCurrent(aim)) return aim;
    return { ...aim, point: metres3(answer.position) };
  }

  /** Tell whether the last answer is to what is aimed at now. */
  private isCurrent(aim: PlacementAim): boolean {
    const { answer, asked } = this;
    return answer !== null && asked !== null && answer.previewId === asked.id && same(asked, aim);
  }

  /** What the ghost shows now; null while nothing is aimed at. */
  get shown(): PlacementPreview | null {
    const { aim, answer } = this;
    if (!aim) return null;
    if (!answer || !this.isCurrent(aim)) {
      return {
        position: aim.point,
        rotation: yawQuaternion(aim.yaw),
        fit: answer ? (answer.fits ? "fits" : "no") : "unknown",
        reason: answer && !answer.fits ? answer.reason : "",
        where: answer?.where ?? "",
      };
    }
    return {
      position: metres3(answer.position),
      rotation: quaternion(answer.rotation),
      fit: answer.fits ? "fits" : "no",
      reason: answer.fits ? "" : answer.reason,
      where: answer.where,
    };
  }
}

function same(a: PlacementAim, b: PlacementAim): boolean {
  return (
    a.target === b.target &&
    Math.hypot(a.point[0] - b.point[0], a.point[1] - b.point[1], a.point[2] - b.point[2]) < SAME_M &&
    Math.abs(wrapAngle(a.yaw - b.yaw)) < SAME_RAD
  );
}
