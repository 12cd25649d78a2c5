import { join } from "node:path";
import { defineConfig } from "vitest/config";
import usual from "./vitest.config.ts";

const built = join(import.meta.dirname, "dist", "index.js");

/** What was built, put to the tests that are put to the sources: `npm run test:built`, after a build. */
export default defineConfig({
  resolve: { alias: [{ find: /^(\.\.\/)+src\/index\.ts$/, replacement: built }] },
  test: {
    ...usual.test,
    // It is Vite that puts what was built in the place of the sources.
    experimental: {},
    globalSetup: ["test/package/built-command.ts"],
    // The usual run puts these to a program that is built already.
    exclude: [...(usual.test?.exclude ?? []), "test/cli/**"],
  },
});
