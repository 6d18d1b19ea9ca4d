import { expect, test } from "vitest";

import { PlayerActions } from "../../src/play/actions";
import type { PlayContext } from "../../src/play/context";
import { GuidedWalk } from "../../src/play/guided_walk";
import { PlayerBody, levelled } from "../../src/play/player_body";
import type { Vec2 } from "../../src/world/units";
import type { World } from "../../src/world/world";
import { world } from "../fixtures";

const TABLE = 0;
const CUP = 2;
const BLOCKING = ["chat", "map", "bodies_block"];

interface Walker {
  game: PlayContext;
  legs: Vec2[];
  told: string[];
}

/** A player in the middle of the room, whose body goes wherever it is sent (`walks`), gets stuck or is stopped. */
function player(made: World, how: "walks" | "stuck" | "stopped" = "walks", selected = -1): Walker {
  const legs: Vec2[] = [];
  const told: string[] = [];
  const body = {
    position: [0, 0, 0],
    yaw: 0,
    pitch: 0,
    isSteered: false,
    wasStuck: how === "stuck",
    lookAt: () => undefined,
    turnTo: () => undefined,
    walkTo: (x: number, z: number) => {
      legs.push([x, z]);
      if (how === "walks") body.position = [x, 0, z];
      return Promise.resolve(how === "walks");
    },
  };
  const hud = { tellWalk: () => undefined, refuse: (reason: string) => told.push(reason), canvas: { clientWidth: 800, clientHeight: 600 } };
  const selection = { selected: selected < 0 ? null : { entity: selected, part: -1, actions: null }, select: () => undefined };
  const scenery = { isInSight: () => true };
  return { game: { world: made, body, hud, selection, scenery, touch: false, sounds: { play: () => undefined } } as unknown as PlayContext, legs, told };
}

const withRobotAt = (x: number, z: number): World =>
  world({ features: BLOCKING, agents: [{ seat: 0, x: x * 1000, y: 0, z: z * 1000, yaw: 0, pitch: 0 }, { seat: 1, x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }] });

test("who does not get on is told who stands in the way, or that something does", async () => {
  const beside = player(withRobotAt(0.5, 0.1), "stuck");
  expect(await new GuidedWalk(beside.game).toFloor([1.5, 1.5])).toBe("The way there is blocked: your partner stands in it");
  const alone = player(withRobotAt(-1.5, -1.5), "stuck");
  expect(await new GuidedWalk(alone.game).toFloor([1.5, 1.5])).toBe("The way there is blocked: walk round what is in front of you");
  const far = player(world({ features: BLOCKING, entities: [{ template: 0, instance: 0, number: 1, room: 0, position: [1500, 0, 1500], rotation: [0, 0, 0], label: "" }] }), "stuck");
  expect(await new GuidedWalk(far.game).toThing(TABLE)).toMatch(/^The way to the table is blocked: /);
});

test("a walk that the player ends needs no reason", async () => {
  const { game } = player(withRobotAt(0.5, 0.1), "stopped");
  expect(await new GuidedWalk(game).toFloor([1.5, 1.5])).toBe("");
});

test("the way leads round a body that stands in it", async () => {
  const { game, legs } = player(withRobotAt(0.75, 0.75));
  expect(await new GuidedWalk(game).toFloor([1.5, 1.5])).toBe("");
  expect(legs.at(-1)).toEqual([1.5, 1.5]);
  let at: Vec2 = [0, 0];
  for (const leg of legs) {
    for (let share = 0; share <= 1; share += 0.05) {
      const [x, z] = [at[0] + (leg[0] - at[0]) * share, at[1] + (leg[1] - at[1]) * share];
      expect(Math.hypot(x - 0.75, z - 0.75)).toBeGreaterThan(0.5);
    }
    at = leg;
  }
});

test("what is in the hand is no place to walk to, though it is selected still", async () => {
  const made = world({ holders: [{ index: CUP, seat: 1 }] });
  const holder = player(made, "walks", CUP);
  expect(await new GuidedWalk(holder.game).toThing(CUP)).toMatch(/^The .*cup.* is in your hand$/);
  const actions = new PlayerActions(holder.game);
  await actions.approach();
  expect(holder.told).toEqual(["Point at something first, or select it"]);
  // What is pointed at is meant then.
  actions.hovered = { entity: TABLE, part: -1 } as unknown as PlayerActions["hovered"];
  await actions.approach();
  expect(actions.walk.goal).toBeNull();
  expect(holder.told).toHaveLength(1);
});

test("who is walked by the map sees where they walk, until they look elsewhere themselves", async () => {
  const made = world();
  const body = new PlayerBody(() => true, () => 0);
  body.reset(made, 0);
  const { game } = player(made);
  Object.assign(game, { body });
  body.turnTo(0, -1.2, made);
  const walks = async (z: number, faces: boolean): Promise<void> => {
    const walk = new GuidedWalk(game).toFloor([0, z], faces);
    for (let ms = 16; ms <= 1600; ms += 16) body.step(made, 0.016, ms);
    body.stop();
    await walk;
  };
  await walks(-1.2, false);
  expect(body.pitch).toBe(-1.2);
  await walks(1.2, true);
  expect(body.pitch).toBeCloseTo(-0.15);
  body.turnTo(0, -1.2, made);
  body.levels = true;
  body.look(0, 10, 1, made);
  expect(body.levels).toBe(false);
  // Whoever looks about level goes on so.
  expect(levelled(0.1, 1)).toBe(0.1);
  expect(levelled(1, 0.1)).toBeCloseTo(0.75);
});
