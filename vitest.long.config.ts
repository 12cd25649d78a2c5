import { defineConfig } from "vitest/config";

/** What takes longer: crashes, full disks, huge files, other languages, the dashboard under adversity. */
export default defineConfig({
  test: {
    include: ["test/**/*.long.test.ts"],
    // They show what never ends; how long the rest takes is the machine's.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than two cores: much of what they do is to wait for a browser or another process.
    maxWorkers: 3,
    globalSetup: ["test/browser/build.ts", "test/package/program.ts"],
  },
});
