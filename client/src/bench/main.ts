// How long pictures of a house with several bodies take, and how many draw calls. No page of the server
// loads this; `tests/benchmarks/team_pictures.py` builds it and has it measure.
import { Scenery } from "../scene/scenery";
import type { SceneView } from "../scene/scenery";
import { Viewport } from "../scene/viewport";
import { World } from "../world/world";
import type { Agent } from "../world/world";
import { readSnapshot } from "../wire/generated";

const AWAY_M = 2.6;
const FRAME_S = 1 / 30;

interface Measured {
  /** Draw calls of one picture, without the partner's view. */
  calls: number;
  /** Milliseconds of each picture, the partner's view included when it is due. */
  ms: number[];
}

class Stage {
  private readonly scenery: Scenery;
  private readonly inset: HTMLCanvasElement;
  private nowMs = 0;

  constructor(
    readonly world: World,
    canvas: HTMLCanvasElement,
    level: number,
  ) {
    this.inset = canvas;
    this.scenery = new Scenery(new Viewport(canvas));
    this.scenery.viewport.setLevel(level);
    this.scenery.viewport.resize(canvas.clientWidth, canvas.clientHeight);
  }

  async load(): Promise<void> {
    await this.scenery.build(this.world, "/assets", () => undefined);
    this.scenery.show(this.world);
    await this.scenery.viewport.prepare();
  }

  /** Draw so many pictures in which everybody is in view and walks. */
  measure(pictures: number): Measured {
    const gl = this.inset.getContext("webgl2");
    const ms: number[] = [];
    for (let i = 0; i < pictures; i++) {
      this.nowMs += FRAME_S * 1000;
      this.scenery.redraw();
      const begun = performance.now();
      this.scenery.draw(this.view(), FRAME_S, this.nowMs);
      // Reading a pixel waits until the picture is there.
      gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      ms.push(performance.now() - begun);
    }
    return { calls: this.scenery.viewport.calls, ms };
  }

  private view(): SceneView {
    const { world } = this;
    const me = world.agents[world.me] as Agent;
    const step = Math.sin(this.nowMs / 400) * 0.2;
    const others = world.others.map(({ index }) => index);
    const poses = world.agents.map((agent, seat): Agent => {
      const at = others.indexOf(seat);
      if (at < 0) return agent;
      const angle = me.yaw + (at - (others.length - 1) / 2) * 0.24;
      return {
        position: [me.position[0] - Math.sin(angle) * (AWAY_M + step), me.position[1], me.position[2] - Math.cos(angle) * (AWAY_M + step)],
        yaw: angle + Math.PI,
        pitch: 0,
      };
    });
    const [x, y, z] = me.position;
    const chosen = world.seats[others[0] ?? -1];
    return {
      poses,
      eye: [x, y + (world.mySeat?.eye[1] ?? 1.6), z],
      yaw: me.yaw + this.nowMs * 1e-6,
      pitch: -0.1,
      hovered: null,
      selected: null,
      ghost: null,
      inset: chosen ? { at: { left: 980, top: 480, width: 272, height: 170 }, seat: chosen } : null,
    };
  }
}

const stages: Stage[] = [];

/** Load a house from a snapshot as the server sends it, seen by one of its seats, at a level of quality. */
async function load(snapshot: unknown, me: number, level: number): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "width:1280px;height:720px;display:block";
  document.body.replaceChildren(canvas);
  const stage = new Stage(new World(readSnapshot(snapshot), me), canvas, level);
  await stage.load();
  stages.push(stage);
}

/** Draw with one of the loaded houses. */
function measure(stage: number, pictures: number): Measured {
  const found = stages[stage];
  if (!found) throw new Error(`nothing was loaded as ${stage}`);
  return found.measure(pictures);
}

declare global {
  interface Window {
    pictures: { load: typeof load; measure: typeof measure };
  }
}
window.pictures = { load, measure };
