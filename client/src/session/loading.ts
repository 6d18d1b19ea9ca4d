// From a snapshot to a scene that is shown: its models are fetched, built and placed.
import type { Scenery } from "../scene/scenery";
import type { World } from "../world/world";

/** How far loading is, as screens tell it. */
export interface Loading {
  /** Whether a snapshot has come. */
  world: boolean;
  /** Models: how many of how many. */
  loaded: number;
  total: number;
}

/** Loads one world after the other into a scenery. */
export class SceneLoading {
  readonly progress: Loading = { world: false, loaded: 0, total: 1 };
  private wanted: World | null = null;
  private shown: World | null = null;

  constructor(
    private readonly scenery: Scenery,
    /** Where the page says that models are: a path with their version, for which they are kept for ever. Empty
        where it does not say; then the snapshot does. */
    private readonly assetRoot: string,
  ) {}

  /** Tell whether a world is the one that the scene shows. */
  isShown(world: World | null): boolean {
    return world !== null && this.shown === world;
  }

  /** Load a world and show it; return false when a newer one came meanwhile. */
  async show(world: World): Promise<boolean> {
    this.wanted = world;
    const { progress } = this;
    progress.world = true;
    await this.scenery.build(world, this.assetRoot || world.assetRoot, (loaded, total) => {
      if (this.wanted !== world) return;
      progress.loaded = loaded;
      progress.total = total;
    });
    if (this.wanted !== world) return false;
    this.scenery.show(world);
    progress.loaded = progress.total;
    this.shown = world;
    return true;
  }
}
