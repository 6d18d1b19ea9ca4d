// The world: the page's copy of what the server says about the house and who is in it, from a
// snapshot and then frames. Metres and radians; no drawing here.
import type {
  AgentState,
  EntityInfo,
  Frame,
  PartInfo,
  SeatInfo,
  Snapshot,
  TemplateInfo,
  WireEvent,
} from "../wire/generated";
import { fromBody, isInside, metres3, quaternion, ringPoints, yawQuaternion } from "./units";
import type { Quat, Vec2, Vec3 } from "./units";
import { aimOf } from "./aims";
import type { Aim } from "./aims";
import { looksOf } from "./seat_looks";
import type { SeatLook } from "./seat_looks";
import { namesOf } from "./seat_names";
import type { SeatKind } from "./seat_names";
import { USUAL_TERMS } from "./terms";
import type { SessionTerms } from "./terms";
import { BODIES_BLOCK, WITHIN_M } from "./blocking";
import { Walkable } from "./walkable";

export type { SeatKind };

export interface Seat {
  index: number;
  seatId: string;
  kind: SeatKind;
  /** What it is called among several: `robot`, `robot 2`. */
  name: string;
  look: SeatLook;
  occupied: boolean;
  presence: string;
  finished: boolean;
  /** Seconds to come back after a lost connection, from when that was told; -1 while it is not waited for. */
  secondsLeft: number;
  /** What it says it is doing; empty when it says nothing. */
  doing: string;
  /** Whether a program drives it, as far as the page is told. */
  program: boolean;
  /** What it is about to do; null where it shows nothing. */
  aim: Aim | null;
  /** m/s */
  speed: number;
  height: number;
  /** Where the eye is, in the body's frame; `carry` is where a held thing is. */
  eye: Vec3;
  carry: Vec3;
}

export interface Agent {
  position: Vec3;
  yaw: number;
  pitch: number;
}

export interface Room {
  id: string;
  label: string;
  polygon: Vec2[];
}

export interface Part {
  name: string;
  joint: "hinge" | "slide";
  origin: Vec3;
  axis: Vec3;
  /** Value when open: radians for a hinge, metres for a slide. */
  openValue: number;
  /** Width, height and depth of the highest place behind it (m); zeros where there is none. */
  space: Vec3;
}

export interface Template {
  name: string;
  className: string;
  kind: "object" | "furniture";
  low: Vec3;
  high: Vec3;
  parts: Part[];
  affords: string[];
  /** Path below the asset root. */
  asset: string;
}

export interface Entity {
  index: number;
  template: Template;
  handle: string;
  label: string;
  /** Index of the room for furniture; -1 for what moves. */
  room: number;
  position: Vec3;
  rotation: Quat;
  /** Index of the seat that holds it; -1 for nobody. */
  holder: number;
  states: Record<string, boolean>;
  /** Values of the parts: radians for a hinge, metres for a slide. */
  parts: number[];
}

/** What a frame changed, for those who draw it. */
export interface Changes {
  agents: number[];
  appeared: number[];
  vanished: number[];
  moved: number[];
  held: number[];
  parts: { furniture: number; part: number }[];
  states: number[];
  seats: number[];
  events: WireEvent[];
}

export class World {
  tick: number;
  phase: string;
  startedTick: number;
  readonly episodeId: string;
  readonly taskText: string;
  timeLimitTicks: number;
  /** The tick at which the task's clock started; -1 while it waits for people to begin. */
  clockTick: number;
  /** Whether somebody has finished, so that the limit is what is left to the others. */
  finishing: boolean;
  readonly assetRoot: string;
  readonly stageAsset: string;
  readonly features: ReadonlySet<string>;
  readonly profile: string;
  /** How far a hand reaches (m). */
  readonly reach: number;
  readonly seats: Seat[];
  readonly rooms: Room[];
  readonly templates: Template[];
  readonly entities: (Entity | null)[];
  readonly agents: Agent[];
  readonly walkable: Walkable;
  /** Seats that pass through others, having pushed for long, and are in nobody's way. */
  private readonly passing = new Set<number>();

  constructor(
    snapshot: Snapshot,
    /** Index of the own seat, or of the one whose eyes a watcher looks through; -1 for none. */
    public me: number,
    readonly terms: SessionTerms = USUAL_TERMS,
  ) {
    this.tick = snapshot.tick;
    this.phase = snapshot.phase;
    this.startedTick = snapshot.startedTick;
    this.episodeId = snapshot.episodeId;
    this.taskText = snapshot.taskText;
    this.timeLimitTicks = snapshot.timeLimitTicks;
    this.finishing = snapshot.finishing;
    this.clockTick = snapshot.clockTick;
    this.assetRoot = snapshot.assetRoot;
    this.stageAsset = snapshot.stageAsset;
    this.features = new Set(snapshot.features);
    this.profile = snapshot.profile;
    this.reach = snapshot.reach / 1000;
    this.seats = readSeats(snapshot.seats);
    this.rooms = snapshot.rooms.map((room) => ({
      id: room.roomId,
      label: room.label,
      polygon: ringPoints(room.polygon),
    }));
    this.templates = snapshot.templates.map(readTemplate);
    this.entities = snapshot.entities.map((info, index) => this.entity(index, info));
    this.agents = this.seats.map(() => ({ position: [0, 0, 0], yaw: 0, pitch: 0 }));
    for (const state of snapshot.agents) this.setAgent(state);
    for (const { furniture, part, value } of snapshot.parts) this.setPart(furniture, part, value);
    for (const { index, seat } of snapshot.holders) this.setHolder(index, seat);
    for (const { index, state, value } of snapshot.flags) this.setState(index, state, value);
    this.walkable = new Walkable(snapshot.walkable.map((rings) => rings.map(ringPoints)));
  }

  /** Take in a frame; return what it changed. */
  apply(frame: Frame): Changes {
    this.tick = Math.max(this.tick, frame.tick);
    for (const info of frame.templates) this.templates.push(readTemplate(info));
    for (const index of frame.vanished) this.entities[index] = null;
    for (const { index, entity } of frame.appeared) this.entities[index] = this.entity(index, entity);
    for (const state of frame.agents) this.setAgent(state);
    for (const { index, position, rotation } of frame.objects) {
      const entity = this.entities[index];
      if (!entity) continue;
      entity.position = metres3(position);
      entity.rotation = quaternion(rotation);
    }
    for (const { furniture, part, value } of frame.parts) this.setPart(furniture, part, value);
    for (const { index, seat } of frame.holders) this.setHolder(index, seat);
    for (const { index, state, value } of frame.flags) this.setState(index, state, value);
    for (const state of frame.seats) {
      const seat = this.seats[state.seat];
      if (!seat) continue;
      seat.presence = state.presence;
      seat.finished = state.finished;
      seat.secondsLeft = state.secondsLeft;
      seat.doing = state.doing;
      seat.occupied = state.presence !== "empty";
    }
    for (const event of frame.events) {
      if (event.tag === "block") {
        if (event.passes) this.passing.add(event.seat);
        else this.passing.delete(event.seat);
      } else if (event.tag === "aim") {
        const seat = this.seats[event.seat];
        if (seat) seat.aim = aimOf(event);
      } else if (event.tag === "limit") {
        this.timeLimitTicks = event.timeLimitTicks;
        this.finishing = event.finishing;
      } else if (event.tag === "clock") {
        this.clockTick = event.tick;
      } else if (event.tag === "phase") {
        this.phase = event.phase;
        if (event.phase === "running" && this.startedTick < 0) {
          this.startedTick = event.tick;
          if (this.terms.clockWaitS === 0) this.clockTick = event.tick;
        }
      }
    }
    return {
      agents: frame.agents.map((a) => a.seat),
      appeared: frame.appeared.map((a) => a.index),
      vanished: frame.vanished,
      moved: frame.objects.map((o) => o.index),
      held: frame.holders.map((h) => h.index),
      parts: frame.parts,
      states: frame.flags.map((f) => f.index),
      seats: frame.seats.map((s) => s.seat),
      events: frame.events,
    };
  }

  /** Height of the floor that people walk on (m). */
  get floor(): number {
    return this.agents[this.me]?.position[1] ?? this.agents[0]?.position[1] ?? 0;
  }

  get mySeat(): Seat | null {
    return this.seats[this.me] ?? null;
  }

  /** The other seats that somebody occupies. */
  get others(): Seat[] {
    return this.seats.filter((seat) => seat.index !== this.me && seat.occupied);
  }

  /** Where bodies are, by what was told last, that the own body cannot walk through. */
  get obstacles(): Vec2[] {
    const me = this.agents[this.me];
    if (!me || !this.features.has(BODIES_BLOCK) || this.passing.has(this.me)) return [];
    const [x, , z] = me.position;
    const places: Vec2[] = [];
    for (const seat of this.others) {
      const agent = this.agents[seat.index];
      if (!agent || seat.presence === "gone" || this.passing.has(seat.index)) continue;
      const place: Vec2 = [agent.position[0], agent.position[2]];
      // Who stands in another has been let through: so much is known even to a page that was loaded anew.
      if (Math.hypot(place[0] - x, place[1] - z) > WITHIN_M) places.push(place);
    }
    return places;
  }

  /** Whether there can be one other at most, who needs no name: *your partner*. In a team all have names, also
      where it has begun with two; so have two bodies of one kind. */
  get isPair(): boolean {
    return !this.terms.named && this.seats.length <= 2 && this.seats.every(({ look }) => look.number === 0);
  }

  /** Return what a seat holds; null for nothing. */
  heldBy(seat: number): Entity | null {
    if (seat < 0) return null;
    return this.entities.find((entity) => entity?.holder === seat) ?? null;
  }

  byHandle(handle: string): Entity | null {
    return this.entities.find((entity) => entity?.handle === handle) ?? null;
  }

  roomAt(x: number, z: number): Room | null {
    return this.rooms.find((room) => isInside([x, z], room.polygon)) ?? null;
  }

  /** Return where an entity is: what is held follows from its carrier. */
  pose(entity: Entity): { position: Vec3; rotation: Quat } {
    const seat = this.seats[entity.holder];
    const agent = this.agents[entity.holder];
    if (!seat || !agent) return entity;
    return {
      position: fromBody(agent.position, agent.yaw, seat.carry),
      rotation: yawQuaternion(agent.yaw),
    };
  }

  private entity(index: number, info: EntityInfo): Entity | null {
    const template = this.templates[info.template];
    if (!template) return null;
    const name = template.className.replaceAll("_", " ");
    return {
      index,
      template,
      handle: `${template.name}_:${String(info.instance).padStart(4, "0")}`,
      label: info.label || (info.number > 1 ? `${name} ${info.number}` : name),
      room: info.room,
      position: metres3(info.position),
      rotation: quaternion(info.rotation),
      holder: -1,
      states: Object.fromEntries(template.affords.map((state) => [state, false])),
      parts: template.parts.map(() => 0),
    };
  }

  private setAgent(state: AgentState): void {
    this.agents[state.seat] = {
      position: metres3([state.x, state.y, state.z]),
      yaw: state.yaw / 1000,
      pitch: state.pitch / 1000,
    };
  }

  private setPart(furniture: number, part: number, value: number): void {
    const entity = this.entities[furniture];
    if (entity && part < entity.parts.length) entity.parts[part] = value / 1000;
  }

  private setHolder(index: number, seat: number): void {
    const entity = this.entities[index];
    if (entity) entity.holder = seat;
  }

  private setState(index: number, state: string, value: boolean): void {
    const entity = this.entities[index];
    if (entity) entity.states[state] = value;
  }
}

function readSeats(infos: readonly SeatInfo[]): Seat[] {
  const kinds = infos.map(({ seatId, kind }) => ({ seatId, kind: kind === "robot" ? ("robot" as const) : ("human" as const) }));
  const names = namesOf(kinds);
  const looks = looksOf(kinds);
  return infos.map((info, index) => ({
    index,
    seatId: info.seatId,
    kind: kinds[index]?.kind ?? "human",
    name: names.get(info.seatId) ?? info.seatId,
    look: looks[index] as SeatLook,
    occupied: info.occupied,
    presence: info.presence,
    finished: info.finished,
    secondsLeft: info.secondsLeft,
    doing: info.doing,
    program: info.program,
    aim: null,
    speed: info.speed / 1000,
    height: info.height / 1000,
    eye: metres3(info.eye),
    carry: metres3(info.carry),
  }));
}

function readTemplate(info: TemplateInfo): Template {
  return {
    name: info.name,
    className: info.className,
    kind: info.kind === "furniture" ? "furniture" : "object",
    low: metres3(info.low),
    high: metres3(info.high),
    parts: info.parts.map(readPart),
    affords: info.affords,
    asset: info.asset || `catalogue/${info.name}.glb`,
  };
}

function readPart(info: PartInfo): Part {
  return {
    name: info.name,
    joint: info.joint === "slide" ? "slide" : "hinge",
    origin: metres3(info.origin),
    axis: metres3(info.axis),
    openValue: info.openValue / 1000,
    space: metres3(info.space ?? [0, 0, 0]),
  };
}
