import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Longer proofs, and files that replace modules for those beside them, have a run of their own: npm run test:long.
    exclude: ["test/**/*.long.test.ts"],
    // A module is read once a worker, not once a file.
    isolate: false,
    // What a test makes is gone with it: with more room for what is young, less of it is looked through.
    execArgv: ["--max-semi-space-size=64"],
    // They show what never ends; how long the rest takes is the machine's.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than cores: some files wait for processes that they start.
    maxWorkers: 3,
    // Node reads the sources itself, as it does when the command runs in a checkout: a sixth faster than Vite's reading.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ["test/browser/build.ts", "test/package/program.ts"],
  },
});
