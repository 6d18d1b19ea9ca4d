import { describe, expect, it } from "vitest";

import { PartnersStatus } from "../../src/play/partners_status";
import type { Scenery } from "../../src/scene/scenery";
import type { Hud } from "../../src/ui/hud";
import type { Agent, World } from "../../src/world/world";
import { beside } from "../../src/world/destinations";
import { teamOfFive } from "../fixtures";

const OWN: Agent = { position: [0, 0, 0], yaw: 0, pitch: 0 };

interface Tagged {
  text: string;
  at: unknown;
  behind: boolean;
}

/** What a page shows of the others from a place in which walls hide all, though they are ahead. */
function behindWalls(world: World, covered: object[] = []): { status: PartnersStatus; tags: Map<number, Tagged>; edges: Map<number, unknown> } {
  const edges = new Map<number, unknown>();
  const tags = new Map<number, Tagged>();
  const markers = {
    keepOnly: () => undefined,
    tagSize: () => ({ width: 80, height: 24 }),
    showEdge: (seat: number, _look: unknown, at: unknown) => void edges.set(seat, at),
    showTag: (seat: number, _look: unknown, text: string, _aim: unknown, at: unknown, behind: boolean) => tags.set(seat, { text, at, behind }),
  };
  const hud = { markers, canvas: { clientWidth: 800, clientHeight: 600 }, partner: { setDoing: () => undefined }, panelPlaces: () => covered } as unknown as Hud;
  const scenery = { isClear: () => false, project: () => ({ x: 400, y: 300, ahead: true, onScreen: true }) } as unknown as Scenery;
  const status = new PartnersStatus(hud, scenery);
  for (let ms = 0; ms < 3000; ms += 100) status.update(world, world.agents, [0, 1.6, 0], ms);
  return { status, tags, edges };
}

const FEATURES = ["chat", "map", "partner_status"];

describe("the map", () => {
  it("shows all who play, though no wall lets them be seen, and nobody who has left", () => {
    const world = teamOfFive({ features: FEATURES });
    world.seats[0]!.presence = "gone";
    const { status } = behindWalls(world);
    const labels = status.figures(world, OWN).map(({ look, me, faded }) => [look.label, me, faded]);
    expect(labels).toEqual([["R2", false, false], ["R3", false, false], ["P2", false, false], ["P1", true, false]]);
  });

  it("shows who was never seen to nobody where rules do not tell what the others do", () => {
    const world = teamOfFive({ features: ["map"] });
    const { status } = behindWalls(world);
    expect(status.figures(world, OWN).map(({ me }) => me)).toEqual([true]);
  });

  it("shows where the player is being walked", () => {
    const world = teamOfFive({ features: ["map"] });
    const table = world.entities[0]!;
    const [own] = behindWalls(world).status.figures(world, OWN, beside(world, table));
    expect(own?.goal).toEqual([1, 0, 0]);
  });
});

describe("name tags", () => {
  it("become arrows beside an open map, which hides nobody", () => {
    const world = teamOfFive({ features: FEATURES });
    expect(behindWalls(world).edges.get(0)).toBeNull();
    const { tags, edges } = behindWalls(world, [{ left: 300, right: 800, top: 200, bottom: 500 }]);
    expect(tags.get(0)?.at).toBeNull();
    expect(edges.get(0)).toMatchObject({ y: expect.any(Number) as number });
  });

  it("stand behind walls, marked, for those who are ahead", () => {
    const world = teamOfFive({ features: FEATURES });
    const { tags } = behindWalls(world);
    expect(tags.get(4)).toMatchObject({ text: "Person 2", behind: true });
    expect(tags.get(4)?.at).not.toBeNull();
  });

  it("tell of nobody unseen where rules do not", () => {
    const { tags } = behindWalls(teamOfFive({ features: ["map"] }));
    expect(tags.get(4)?.at).toBeNull();
  });
});
