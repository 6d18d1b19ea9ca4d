// Builds the page of `scripts/contact_sheet.py`; the product does not contain it.
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    lib: { entry: "src/sheet/main.ts", formats: ["es"], fileName: "sheet" },
  },
});
