// Imports run one way: from pages down to what they are made of, and never in a circle.
import { readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { SOURCES, findCircle, findTrespasses, readImports } from "./imports";

/** What each folder may import from, besides itself. `tsconfig.core.json` proves on top of this that
    the core below `dom` uses nothing of the browser. */
const LAYERS: Record<string, readonly string[]> = {
  wire: [],
  world: ["wire"],
  net: ["wire"],
  dom: [],
  presence: [],
  input: ["dom", "world"],
  scene: ["dom", "world"],
  session: ["net", "scene", "wire", "world"],
  ui: ["dom", "input", "net", "scene", "session", "wire", "world"],
  play: ["dom", "input", "net", "scene", "session", "ui", "wire", "world"],
  watch: ["dom", "scene", "session", "ui", "wire", "world"],
  replay: ["dom", "net", "scene", "session", "ui", "wire", "world"],
  lobby: ["dom", "net", "wire", "world"],
  operator: ["dom"],
  site: ["dom"],
  visit: [],
  sheet: ["scene", "world"],
  bench: ["scene", "wire", "world"],
};

const graph = readImports(SOURCES);

test("every folder of scripts has its place among the layers", () => {
  const folders = readdirSync(SOURCES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => name !== "styles").sort()).toEqual(Object.keys(LAYERS).sort());
});

test("a file imports from its own layer and those below", () => {
  expect(findTrespasses(graph, LAYERS)).toEqual([]);
});

test("the layers have no circle themselves", () => {
  expect(findCircle(new Map(Object.entries(LAYERS)))).toBeNull();
});

test("no files import each other, not even their types", () => {
  expect(graph.size).toBeGreaterThan(60);
  expect(graph.get("session/connection")).toContain("session/connection_state");
  expect(graph.get("play/actions")).toContain("play/context");
  expect(findCircle(graph)).toBeNull();
});

test("a circle and a trespass are found where there are some", () => {
  const bad = new Map([
    ["play/a", ["play/b"]],
    ["play/b", ["world/c", "play/d"]],
    ["play/d", ["play/a"]],
    ["world/c", ["dom/e"]],
  ]);
  expect(findCircle(bad)).toEqual(["play/a", "play/b", "play/d", "play/a"]);
  expect(findTrespasses(bad, LAYERS)).toEqual(["world/c → dom/e"]);
});
