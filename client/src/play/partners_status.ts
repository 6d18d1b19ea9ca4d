// What a player is told about the others: name tags, edge markers, what they do, where on the map.
import type { Hud } from "../ui/hud";
import type { MapFigure } from "../ui/map_panel";
import { destination } from "../world/destinations";
import type { Destination } from "../world/destinations";
import type { Vec3 } from "../world/units";
import { titleOf } from "../world/words";
import type { Agent, Seat, World } from "../world/world";
import type { DidEvent } from "../wire/generated";
import type { Scenery } from "../scene/scenery";
import { edgePlace, spread, tagPlace } from "./edge_places";
import type { EdgePlace, Panel } from "./edge_places";
import { PartnerStatus } from "./partner_status";

const LOOK_EVERY_MS = 300;
const MEASURE_EVERY_MS = 500;
/** The share of the height at which arrows of several sit: the panel of the others is below. */
const ABOVE_PANEL = 0.4;
const TAG_M: Record<string, number> = { human: 1.98, robot: 1.14 };
const WAITED_FOR: ReadonlySet<string> = new Set(["reconnecting", "away"]);

export class PartnersStatus {
  /** Whether a body of another is in the picture, and no wall stands between. */
  seesSomebody = false;
  private readonly known = new Map<number, PartnerStatus>();
  /** Where panels lie over the scene. */
  private panels: readonly Panel[] = [];
  private measuredMs = -Infinity;

  constructor(
    private readonly hud: Hud,
    private readonly scenery: Scenery,
  ) {}

  /** Forget everybody: another episode begins. */
  reset(): void {
    this.known.clear();
    this.hud.markers.clear();
  }

  /** Note what somebody has just done. */
  did(event: DidEvent, world: World, nowMs: number): void {
    this.of(event.seat).did(event, world, nowMs);
  }

  /** Show where the others are and what they do. */
  update(world: World, poses: readonly (Agent | null)[], eye: Vec3, nowMs: number): void {
    const { hud } = this;
    const others = world.others.filter(({ index }) => poses[index]);
    hud.markers.keepOnly(others.map(({ index }) => index));
    const due = this.due(others, nowMs);
    const { clientWidth: width, clientHeight: height } = hud.canvas;
    this.seesSomebody = false;
    const outside: { seat: Seat; place: EdgePlace }[] = [];
    for (const seat of others) {
      const status = this.of(seat.index);
      const pose = (status.pose = poses[seat.index] as Agent);
      const [x, y, z] = pose.position;
      const head: Vec3 = [x, y + (TAG_M[seat.kind] ?? 1.5), z];
      if (seat === due) {
        status.lookedMs = nowMs;
        const chest: Vec3 = [x, y + seat.height * 0.7, z];
        status.inSight = this.scenery.isClear(eye, chest) || this.scenery.isClear(eye, head);
        hud.partner.setDoing(seat.index, status.doing(seat, world, pose, nowMs));
      }
      const at = this.scenery.project(head);
      const seen = status.inSight && at.onScreen;
      if (seen) {
        status.lastSeen = pose;
        this.seesSomebody = true;
      }
      const isTold = seat.presence !== "gone" && world.features.has("partner_status");
      const tagged = (seen || (at.onScreen && isTold)) && Math.hypot(x - eye[0], z - eye[2]) >= 0.5;
      const place = tagged ? tagPlace(at, hud.markers.tagSize(seat.index), width, height, this.panels) : null;
      hud.markers.showTag(seat.index, seat.look, tagText(world, seat), seen ? seat.aim : null, place, !seen);
      if ((!at.onScreen || (tagged && !place)) && isTold) {
        outside.push({ seat, place: edgePlace(at, width, height, world.isPair ? 0.5 : ABOVE_PANEL) });
      } else {
        hud.markers.showEdge(seat.index, seat.look, null, { x: 0, y: 0 });
      }
    }
    // Asking the page where something is costs, and panels seldom move.
    if (others.length > 0 && nowMs - this.measuredMs >= MEASURE_EVERY_MS) {
      this.panels = hud.panelPlaces();
      this.measuredMs = nowMs;
    }
    const places = spread(outside.map(({ place }) => place), width, height, this.panels);
    outside.forEach(({ seat }, i) => {
      hud.markers.showEdge(seat.index, seat.look, places[i] ?? null, { x: width / 2, y: height / 2 });
    });
  }

  /** Return where a seat's body is whose arrow is shown; null for nobody. */
  placeOf(seat: number): Vec3 | null {
    return this.known.get(seat)?.pose?.position ?? null;
  }

  /** Return who is drawn on the map: the player, and the others where they are, or only where they were last
      seen under rules that do not tell what they do; `walk` is where the player is being walked. Nobody is drawn who has left. */
  figures(world: World, own: Agent, walk: Destination | null = null): MapFigure[] {
    const isTold = world.features.has("partner_status");
    const figures = world.others.flatMap((seat): MapFigure[] => {
      const { lastSeen, inSight, pose } = this.of(seat.index);
      const shown = isTold ? pose : lastSeen;
      if (!shown || seat.presence === "gone") return [];
      const goal = seat.finished ? null : (destination(world, seat.index)?.position ?? null);
      return [{ ...rounded(shown), look: seat.look, me: false, faded: !isTold && !inSight, goal }];
    });
    const look = world.mySeat?.look;
    if (look) figures.push({ ...rounded(own), look, me: true, faded: false, goal: walk?.position ?? null });
    return figures;
  }

  /** Return whose turn it is to be looked for: a line of sight costs, so one at most in a picture. */
  private due(others: readonly Seat[], nowMs: number): Seat | null {
    let longest: Seat | null = null;
    let lookedMs = nowMs - LOOK_EVERY_MS;
    for (const seat of others) {
      const status = this.of(seat.index);
      if (status.lookedMs >= lookedMs) continue;
      lookedMs = status.lookedMs;
      longest = seat;
    }
    return longest;
  }

  private of(seat: number): PartnerStatus {
    let status = this.known.get(seat);
    if (!status) this.known.set(seat, (status = new PartnerStatus()));
    return status;
  }
}

function tagText(world: World, seat: Seat): string {
  const title = titleOf(world, seat);
  if (seat.presence === "gone") return `${title} · left`;
  return WAITED_FOR.has(seat.presence) ? `${title} · ${seat.presence}` : title;
}

function rounded({ position, yaw, pitch }: Agent): Agent {
  const near = (value: number): number => Math.round(value * 50) / 50;
  return { position: [near(position[0]), 0, near(position[2])], yaw: near(yaw), pitch };
}
