import { expect, test, vi } from "vitest";

import type { Scenery } from "../../src/scene/scenery";
import { SceneLoading } from "../../src/session/loading";
import { World } from "../../src/world/world";
import { snapshot } from "../fixtures";

test.each([
  ["/assets/v-2", "/assets/v-2"],
  ["", "/assets/v-1"],
])("with the page's root %j models are asked for below %j", async (page, expected) => {
  const build = vi.fn(() => Promise.resolve());
  const loading = new SceneLoading({ build, show: vi.fn() } as unknown as Scenery, page);
  await loading.show(new World(snapshot(), 0));
  expect(build).toHaveBeenCalledWith(expect.anything(), expected, expect.anything());
});
