// What a player is told about the partner: name tag, edge marker, what they do, where on the map.
import type { Hud } from "../ui/hud";
import type { MapFigure } from "../ui/map_panel";
import type { Vec3 } from "../world/units";
import type { Agent, Seat, World } from "../world/world";
import { didText } from "../world/words";
import type { DidEvent } from "../wire/generated";
import type { Scenery } from "../scene/scenery";

const LOOK_EVERY_MS = 300;
const TOLD_MS = 6000;
const TAG_M: Record<string, number> = { human: 1.98, robot: 1.14 };
const EDGE_PX = 34;
const WAITED_FOR: ReadonlySet<string> = new Set(["reconnecting", "away"]);

export class PartnerStatus {
  private lookedMs = -Infinity;
  private seen = false;
  private lastSeen: Agent | null = null;
  private told: { text: string; untilMs: number } | null = null;
  private before: Vec3 | null = null;
  private walkingUntilMs = 0;

  constructor(
    private readonly hud: Hud,
    private readonly scenery: Scenery,
  ) {}

  /** Forget the partner: another episode begins. */
  reset(): void {
    this.lastSeen = null;
    this.told = null;
    this.before = null;
    this.seen = false;
  }

  /** Note what the partner has just done. */
  did(event: DidEvent, world: World, nowMs: number): void {
    const text = didText(world, event.verb, event.target, event.where);
    this.told = { text, untilMs: nowMs + TOLD_MS };
  }

  /** Show where the partner is and what it does. */
  update(world: World, poses: readonly (Agent | null)[], eye: Vec3, nowMs: number): void {
    const { hud } = this;
    const partner = world.partner;
    const pose = partner ? poses[partner.index] : null;
    if (!partner || !pose) {
      hud.tag.hidden = true;
      hud.edge.hidden = true;
      return;
    }
    const head: Vec3 = [pose.position[0], pose.position[1] + (TAG_M[partner.kind] ?? 1.5), pose.position[2]];
    if (nowMs - this.lookedMs > LOOK_EVERY_MS) {
      this.lookedMs = nowMs;
      const chest: Vec3 = [head[0], pose.position[1] + partner.height * 0.7, head[2]];
      this.seen = this.scenery.isClear(eye, chest) || this.scenery.isClear(eye, head);
      hud.partner.setDoing(this.doing(partner, world, pose, nowMs));
    }
    const at = this.scenery.project(head);
    if (this.seen && at.onScreen) this.lastSeen = pose;
    this.showTag(partner, at, Math.hypot(head[0] - eye[0], head[2] - eye[2]));
    this.showEdge(partner, world, at);
  }

  /** Return who is drawn on the map: the player, and the partner where it was last seen. */
  figures(world: World, own: Agent): MapFigure[] {
    const figures: MapFigure[] = [];
    const partner = world.partner;
    if (partner && this.lastSeen) {
      figures.push({ ...rounded(this.lastSeen), kind: partner.kind, me: false, faded: !this.seen });
    }
    const kind = world.mySeat?.kind;
    if (kind) figures.push({ ...rounded(own), kind, me: true, faded: false });
    return figures;
  }

  private doing(partner: Seat, world: World, pose: Agent, nowMs: number): string {
    if (partner.presence === "reconnecting") return "reconnecting …";
    if (partner.presence === "gone") return "has left";
    if (partner.presence === "away") return "looking at something else";
    const { before } = this;
    if (before && Math.hypot(pose.position[0] - before[0], pose.position[2] - before[2]) > 0.03) {
      this.walkingUntilMs = nowMs + 500;
    }
    this.before = pose.position;
    const held = world.heldBy(partner.index);
    const parts: string[] = [];
    if (this.told && this.told.untilMs > nowMs) parts.push(this.told.text);
    else if (partner.doing && !partner.finished) parts.push(partner.doing);
    else if (nowMs < this.walkingUntilMs) parts.push("walking");
    if (held && !this.told?.text.startsWith("picked up")) parts.push(`holding the ${held.label}`);
    else if (held && (this.told?.untilMs ?? 0) <= nowMs) parts.push(`holding the ${held.label}`);
    if (partner.finished) parts.push("has finished");
    return parts.join(" · ") || "standing";
  }

  private showTag(partner: Seat, at: ReturnType<Scenery["project"]>, distance: number): void {
    const { tag } = this.hud;
    tag.hidden = !(this.seen && at.onScreen) || distance < 0.5;
    if (tag.hidden) return;
    const text = WAITED_FOR.has(partner.presence) ? `Partner · ${partner.presence}` : "Partner";
    if (tag.textContent !== text) tag.textContent = text;
    tag.dataset.seat = partner.kind;
    tag.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -100%)`;
  }

  /** Show an arrow at the edge of the view towards a partner who is out of it. */
  private showEdge(partner: Seat, world: World, at: ReturnType<Scenery["project"]>): void {
    const { edge } = this.hud;
    edge.hidden = !world.features.has("partner_status") || at.onScreen || partner.presence === "gone";
    if (edge.hidden) return;
    const { clientWidth: width, clientHeight: height } = this.hud.canvas;
    let dx = at.x - width / 2;
    let dy = at.y - height / 2;
    if (!at.ahead) {
      dx = -dx;
      dy = Math.abs(dy) + height;
    }
    // Beside is what matters when walking: an arrow at the left or right edge, not below.
    const scale = Math.min((width / 2 - EDGE_PX) / Math.max(1, Math.abs(dx)), (height / 2 - EDGE_PX) / Math.max(1, Math.abs(dy)));
    let x = width / 2 + dx * scale;
    let y = height / 2 + dy * scale;
    if (!at.ahead) {
      x = dx < 0 ? EDGE_PX : width - EDGE_PX;
      y = height * 0.5;
    }
    edge.dataset.seat = partner.kind;
    edge.style.transform = `translate(${x.toFixed(0)}px, ${y.toFixed(0)}px) translate(-50%, -50%)`;
    const angle = Math.atan2(y - height / 2, x - width / 2);
    edge.classList.toggle("leftwards", x < width / 2);
    (edge.firstElementChild as HTMLElement).style.transform = `rotate(${angle.toFixed(2)}rad)`;
    const name = edge.lastElementChild as HTMLElement;
    if (name.textContent !== "Partner") name.textContent = "Partner";
  }
}

function rounded({ position, yaw, pitch }: Agent): Agent {
  const near = (value: number): number => Math.round(value * 50) / 50;
  return { position: [near(position[0]), 0, near(position[2])], yaw: near(yaw), pitch };
}
