/** A sandbox in whose default world so many timers wait a year away, each a step that writes a note. */
import { readSettings } from "../../src/host/creation.ts";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { shipped } from "../../src/host/scenario-library.ts";
import { STEP_TIMER } from "../../src/scenarios/steps.ts";
import { startServer } from "../../src/server.ts";
import type { Operation } from "../../src/world/operation.ts";
import { settings } from "./servers.ts";

const pending = Number(process.argv[2]);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const { baseUrl, sandbox } = await startServer({
  host: "127.0.0.1",
  port: 0,
  dataFolder: null,
  allowedHosts: [],
  webhookTimeoutMs: 10_000,
  webhookSources: { ipv4: null, ipv6: null },
  webhookConcurrency: 1,
  controlToken: null,
  trustProxy: false,
  defaultWorld: {
    id: DEFAULT_WORLD,
    seed: 1,
    clock: { mode: "frozen", speed: 1, start: Date.parse("2026-01-01T12:00:00.000Z") },
    settings: readSettings(settings),
    scenarios: [shipped("happy-path"), shipped("magic-values")],
    accounts: null,
    postback_url: null,
  },
  onFault: (error) => {
    throw error;
  },
});

function schedule(operation: Operation): void {
  const steps = [{ at: "bench:1", step: { note: "due" } }];
  for (let number = 0; number < pending; number++) {
    const due = operation.now + YEAR_MS + (number % HOUR_MS);
    const payload = { scenario: "bench", type: "world", steps };
    operation.schedule({ due, kind: STEP_TIMER, subject: `bench/${number}`, payload });
  }
}

sandbox.get(DEFAULT_WORLD)?.world.operate(schedule);
process.stdout.write(`base URL ${baseUrl}\n`);
