import { defineConfig } from "vitest/config";

/** What takes longer: crashes, full disks, huge files, other languages, the dashboard under adversity. */
export default defineConfig({
  test: {
    include: ["test/**/*.long.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ["test/browser/build.ts"],
  },
});
