// `window.cohabit`: what tests can read, and a hand for what a person does with eyes and mouse. It is
// there only where the server says so (COHABIT_PAGE_AUTOMATION), because it tells of the whole house
// (as the socket's messages do: the server keeps back what is shut in, not what lies open in rooms nobody has entered).
// Everything it does goes the way of a player's own input: the same messages, the same rules.
import { metres3, millimetres3 } from "../world/units";
import type { Vec3 } from "../world/units";
import type { Entity, World } from "../world/world";
import type { Game } from "./game";
import type { Loop } from "./loop";

/** How long `lookAt` waits for the server to see it. */
const TURN_MS = 1500;
const TURNED_RAD = 0.03;

export interface Automation {
  /** Return the page's own copy of the world (m, rad), by handle; null before there is one. */
  state(): unknown;
  /** Turn to a point or an entity. */
  lookAt(target: string): Promise<void>;
  lookAt(x: number, y: number, z: number): Promise<void>;
  /** Select an entity, as a click does. */
  select(handle: string, part?: number): void;
  /** Walk straight to a point of the floor, as keys do. Rejects when something is in the way. */
  walkTo(x: number, z: number): Promise<void>;
  /** Put down what the hand holds, on an entity (`target`) or the floor. Rejects with the reason. */
  placeAt(x: number, y: number, z: number, target?: string | null, yaw?: number): Promise<void>;
  placeAt(handle: string): Promise<void>;
  /** Return where an entity is on the canvas (CSS pixels). */
  project(handle: string): { x: number; y: number; onScreen: boolean };
}

/** Make the page's `window.cohabit`. */
export function automation(game: Game, loop: Loop): Automation {
  const world = (): World => {
    if (!game.world) throw new Error("there is no world yet");
    return game.world;
  };
  const entity = (handle: string): Entity => {
    const found = world().byHandle(handle);
    if (!found) throw new Error(`${handle} is not in sight`);
    return found;
  };
  const middle = (found: Entity): Vec3 => {
    const { position } = world().pose(found);
    const { low, high } = found.template;
    return [position[0], position[1] + (low[1] + high[1]) / 2, position[2]];
  };

  async function lookAt(target: string | number, y?: number, z?: number): Promise<void> {
    const point: Vec3 = typeof target === "string" ? middle(entity(target)) : [target, y ?? 0, z ?? 0];
    game.body.lookAt(point, world());
    const untilMs = performance.now() + TURN_MS;
    while (performance.now() < untilMs) {
      await pause();
      const seen = world().agents[world().me];
      if (seen && Math.abs(Math.sin((seen.yaw - game.body.yaw) / 2)) < TURNED_RAD / 2) return;
    }
  }

  async function placeAt(x: string | number, y?: number, z?: number, target?: string | null, yaw = 0): Promise<void> {
    let refusal: string | null;
    if (typeof x === "string") {
      const on = entity(x);
      const { position } = world().pose(on);
      const point: Vec3 = [position[0], position[1] + on.template.high[1], position[2]];
      refusal = await game.actions.putDown(point, yaw, on.index);
    } else {
      // Rounded as it will be sent.
      const point = metres3(millimetres3([x, y ?? 0, z ?? 0]));
      refusal = await game.actions.putDown(point, yaw, target ? entity(target).index : -1);
    }
    if (refusal !== null) throw new Error(refusal);
  }

  return {
    state: () => (game.world ? describe(game, game.world, loop) : null),
    lookAt: lookAt,
    select: (handle, part = -1) => game.actions.select(entity(handle), part),
    walkTo: async (x, z) => {
      if (!(await game.body.walkTo(x, z))) throw new Error(`could not walk to (${x}, ${z})`);
    },
    placeAt: placeAt,
    project: (handle) => {
      const { x, y, onScreen } = game.scenery.project(middle(entity(handle)));
      return { x, y, onScreen };
    },
  };
}

function describe(game: Game, world: World, loop: Loop): unknown {
  const { selected } = game.selection;
  const things = world.entities.filter((entity) => entity !== null);
  return {
    tick: world.tick,
    phase: game.phase,
    episode: world.episodeId,
    me: world.me,
    live: game.live,
    seats: world.seats.map(({ seatId, kind, name, occupied, presence, finished }) => ({
      seatId,
      kind,
      name,
      occupied,
      presence,
      finished,
    })),
    agents: world.agents.map((agent, seat) => ({ ...agent, seat, kind: world.seats[seat]?.kind })),
    /** Movable things. `holder` is the index of a seat, or -1. */
    objects: Object.fromEntries(
      things
        .filter(({ template }) => template.kind === "object")
        .map((entity) => [entity.handle, { label: entity.label, holder: entity.holder, states: entity.states, ...world.pose(entity) }]),
    ),
    furniture: Object.fromEntries(
      things
        .filter(({ template }) => template.kind === "furniture")
        .map(({ handle, label, position, rotation, states }) => [handle, { label, position, rotation, states }]),
    ),
    /** `<handle>:<part>` to radians or metres. */
    parts: Object.fromEntries(
      things.flatMap(({ handle, parts }) => parts.map((value, part) => [`${handle}:${part}`, value])),
    ),
    holding: world.heldBy(world.me)?.handle ?? null,
    selection: selected && {
      handle: world.entities[selected.entity]?.handle ?? null,
      part: selected.part,
      actions: selected.actions,
    },
    body: { position: game.body.position, yaw: game.body.yaw, pitch: game.body.pitch },
    fps: loop.fps,
    calls: game.scenery.viewport.calls,
    rtt: game.connection.rttMs,
    quality: game.scenery.viewport.quality.name,
  };
}

function pause(): Promise<void> {
  return new Promise((done) => window.setTimeout(done, 16));
}
