import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Longer proofs have a run of their own: npm run test:long.
    exclude: ["test/**/*.long.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    globalSetup: ["test/browser/build.ts"],
  },
});
