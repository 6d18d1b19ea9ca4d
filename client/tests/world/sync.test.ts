import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readServerMessage } from "../../src/wire/generated";
import type { Wire } from "../../src/wire/generated";
import { World } from "../../src/world/world";

interface Vectors {
  readers: Record<string, Wire[][]>;
  end: Wire[];
}

const path = new URL("../../../tests/data/sync_vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vectors;

/** The world after everything that somebody was sent. */
function folded(sent: Wire[][]): World {
  let world: World | null = null;
  for (const fields of sent) {
    const message = readServerMessage(fields);
    if (message?.tag === "snapshot") world = new World(message, 1);
    else if (message?.tag === "f") world?.apply(message);
  }
  if (!world) throw new Error("no snapshot");
  return world;
}

function known(world: World): unknown {
  const { phase, startedTick, timeLimitTicks, finishing, seats, agents, templates, entities } = world;
  // What is held follows from its holder: its own pose is from before.
  const things = entities.map((entity) => entity && (entity.holder < 0 ? entity : { ...entity, position: null, rotation: null }));
  return { phase, startedTick, timeLimitTicks, finishing, seats, agents, templates, things };
}

describe("whoever was sent a session knows the same at its end", () => {
  test.each(Object.entries(vectors.readers))("a reader that is %s", (_, sent) => {
    expect(sent.length).toBeGreaterThan(5);
    expect(known(folded(sent))).toEqual(known(folded([vectors.end])));
  });
});
