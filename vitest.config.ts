import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Longer proofs, and files that replace modules for those beside them, have a run of their own: npm run test:long.
    exclude: ["test/**/*.long.test.ts"],
    // A module is read once a worker, not once a file.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    globalSetup: ["test/browser/build.ts"],
  },
});
