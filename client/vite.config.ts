import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { defineConfig, type Plugin } from "vite";

const ENTRIES = [
  "src/presence/main.ts",
  "src/play/main.ts",
  "src/lobby/main.ts",
  "src/site/main.ts",
  "src/watch/main.ts",
  "src/replay/main.ts",
  "src/operator/main.ts",
  "src/visit/main.ts",
];
const PLAY_BUDGET_KB = 300;

/** Prints what each entry costs to download (gzipped, with the chunks it imports at once), and
    fails the build when play costs too much. */
function printSizes(): Plugin {
  return {
    name: "print-sizes",
    // Whoever watches wants to see what is wrong, not twenty sizes after every save.
    apply: (config, { command }) => command === "build" && !config.build?.watch,
    writeBundle(_options, bundle) {
      const weigh = (name: string, seen: Set<string>): number => {
        const chunk = bundle[name];
        if (chunk?.type !== "chunk" || seen.has(name)) return 0;
        seen.add(name);
        const own = gzipSync(chunk.code).length;
        return chunk.imports.reduce((sum, imported) => sum + weigh(imported, seen), own);
      };
      for (const [name, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk" || !chunk.isEntry) continue;
        const kb = weigh(name, new Set()) / 1000;
        // eslint-disable-next-line no-console
        console.log(`script of ${chunk.name}: ${kb.toFixed(1)} kB gzipped`);
        if (chunk.name === "play" && kb > PLAY_BUDGET_KB) {
          this.error(`play needs ${kb.toFixed(1)} kB of script, more than ${PLAY_BUDGET_KB} kB`);
        }
      }
    },
  };
}

/** Writes a packed copy beside each script and style sheet, which the server sends to browsers that take it:
    packing at each request would cost those who play their frames. */
function packFiles(): Plugin {
  return {
    name: "pack-files",
    apply: (config, { command }) => command === "build" && !config.build?.watch,
    writeBundle({ dir = "." }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const content = file.type === "chunk" ? file.code : file.source;
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: "/static/client/",
  publicDir: false,
  plugins: [printSizes(), packFiles()],
  build: {
    outDir: "../server/web/static/client",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    // Everything is a file of its own: the pages' policy allows nothing inline.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: Object.fromEntries(ENTRIES.map((path) => [path.split("/")[1] ?? path, path])),
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
  },
} as Parameters<typeof defineConfig>[0]);
