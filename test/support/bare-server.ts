/** A server of this process with nothing set, for tests that set one thing. */
import type { WorldSpec } from "../../src/host/creation.ts";
import { readSettings } from "../../src/host/creation.ts";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/server.ts";

/** A frozen world without scenarios. */
export const bareWorld: WorldSpec = {
  id: DEFAULT_WORLD,
  seed: 1,
  clock: { mode: "frozen", speed: 1, start: Date.parse("2026-01-01T12:00:00Z") },
  settings: readSettings({}),
  scenarios: [],
  accounts: null,
  postback_url: null,
};

/** Starts one on a free port, in memory. */
export function startBareServer(
  options: Pick<ServerOptions, "onFault"> & Partial<ServerOptions>,
): Promise<RunningServer> {
  return startServer({
    host: "127.0.0.1",
    port: 0,
    dataFolder: null,
    webhookTimeoutMs: 1_000,
    webhookSources: { ipv4: null, ipv6: null },
    webhookConcurrency: 1,
    controlToken: null,
    allowedHosts: [],
    trustProxy: false,
    defaultWorld: bareWorld,
    ...options,
  });
}
