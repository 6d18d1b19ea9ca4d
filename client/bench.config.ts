// Builds the page of `tests/benchmarks/team_pictures.py`; the product does not contain it.
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    lib: { entry: "src/bench/main.ts", formats: ["es"], fileName: "bench" },
  },
});
