import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.config.ts";

const built = join(import.meta.dirname, "dist", "index.js");

/** What was built, put to the tests that are put to the sources: `npm run test:built`, after a build. */
export default mergeConfig(
  usual,
  defineConfig({
    resolve: { alias: [{ find: /^(\.\.\/)+src\/index\.ts$/, replacement: built }] },
    test: { globalSetup: ["test/package/built-command.ts"] },
  }),
);
