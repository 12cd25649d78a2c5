/** The build of the dashboard: one page, one script, one style sheet, and both of them compressed beforehand. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const outDir = join(import.meta.dirname, "dist", "dashboard");

/** Writes `.br` and `.gz` beside what a browser fetches, so that no server has to. */
const compressed: Plugin = {
  name: "compressed",
  closeBundle() {
    for (const name of ["dashboard.js", "dashboard.css"]) {
      const bytes = readFileSync(join(outDir, name));
      writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes, { params }));
    }
  },
};

export default defineConfig({
  root: join(import.meta.dirname, "src", "dashboard"),
  base: "./",
  plugins: [compressed],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      output: { entryFileNames: "dashboard.js", assetFileNames: "dashboard.[ext]" },
    },
  },
});
