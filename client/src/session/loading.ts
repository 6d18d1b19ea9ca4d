// From a snapshot to a home that is shown: its models are fetched, built and placed.
import { bootString } from "../dom/boot";
import type { World } from "../world/world";
import type { Scenery } from "../scene/scenery";

export interface Progress {
  loaded: number;
  total: number;
}

/** Tells `progress` how far it is. False when another world came meanwhile (`isCurrent` says no). */
export async function loadHome(
  scenery: Scenery,
  world: World,
  boot: Record<string, unknown>,
  progress: Progress,
  isCurrent: () => boolean,
): Promise<boolean> {
  const root = world.assetRoot || bootString(boot, "assetRoot", "/assets");
  await scenery.build(world, root, (loaded, total) => {
    if (!isCurrent()) return;
    progress.loaded = loaded;
    progress.total = total;
  });
  if (!isCurrent()) return false;
  scenery.show(world);
  progress.loaded = progress.total;
  return true;
}
