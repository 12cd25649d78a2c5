import { defineConfig } from "vitest/config";

/** Files that replace modules for those beside them, which Vite does, and Node's own reading does not. */
const replacing = ["silent-sandbox", "slow-answer", "first-webhook", "source-addresses", "lifetimes", "replaced"];

/** One that weighs what calls leave behind: where Vitest has Node read, a busy machine makes that many times as much. */
const weighing = ["young"];

const readByVite = [...replacing, ...weighing].map((name) => `test/**/${name}.long.test.ts`);

/** They show what never ends; how long the rest takes is the machine's. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } };

/** What takes longer: crashes, full disks, huge files, other languages, the dashboard under adversity. */
export default defineConfig({
  test: {
    // One more than two cores: much of what they do is to wait for a browser or another process.
    maxWorkers: 3,
    globalSetup: ["test/browser/build.ts", "test/package/program.ts"],
    projects: [
      {
        test: {
          ...patience,
          name: "long",
          include: ["test/**/*.long.test.ts"],
          exclude: readByVite,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { test: { ...patience, name: "read by Vite", include: readByVite } },
    ],
  },
});
