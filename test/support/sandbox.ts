/** One sandbox per test file, a world per test. */
import { afterAll, beforeAll } from "vitest";
import {
  type SandboxClient,
  type StartOptions,
  startSandbox,
  type WorldClient,
  type WorldOptions,
} from "../../src/index.ts";

export interface TestSandbox {
  /** The sandbox of this file. */
  readonly sandbox: SandboxClient;
  /** A fresh world: frozen, no scenarios unless asked for. */
  world(options?: WorldOptions): Promise<WorldClient>;
}

/** Starts a sandbox before the tests of a file and stops it after them. */
export function useSandbox(options: StartOptions = {}): TestSandbox {
  let sandbox: SandboxClient | undefined;
  beforeAll(async () => {
    sandbox = await startSandbox(options);
  });
  afterAll(async () => {
    await sandbox?.stop();
  });
  const started = () => {
    if (!sandbox) throw new Error("The sandbox of this file has not been started.");
    return sandbox;
  };
  return {
    get sandbox() {
      return started();
    },
    world: (worldOptions = {}) => started().createWorld({ scenarios: [], ...worldOptions }),
  };
}
