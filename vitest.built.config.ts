import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The program as it was built, put to the tests that see it from outside: `npm run test:built`, after a build. */
export default defineConfig({
  resolve: {
    alias: [{ find: /^(\.\.\/)+src\/index\.ts$/, replacement: join(import.meta.dirname, "dist", "index.js") }],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    globalSetup: ["test/browser/build.ts", "test/package/built-command.ts"],
  },
});
