/** Advances a world with a number of timers waiting behind those that run; ends with what it did per second. */
import { readSettings } from "../../src/host/creation.ts";
import { Sandbox } from "../../src/host/sandbox.ts";
import type { Operation } from "../../src/world/operation.ts";
import { STEP_TIMER } from "../../src/scenarios/steps.ts";

const [pending, rounds] = process.argv.slice(2).map(Number) as [number, number];
/** Timers that run in a round, an hour of the world. */
const RUN = 10_000;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const onFault = (error: unknown) => {
  throw error;
};
const surroundings = { send: null, concurrency: 1, onFault };
const { world, runner } = new Sandbox(surroundings, null).create({
  id: "pending",
  seed: 1,
  clock: { mode: "frozen", speed: 1, start: Date.parse("2026-01-01T12:00:00.000Z") },
  settings: readSettings({}),
  scenarios: [],
  accounts: null,
  postback_url: null,
});

/** Puts steps that do next to nothing on the clock, a millisecond apart, from so much later on. */
function schedule(operation: Operation, count: number, fromMs: number): void {
  const steps = [{ at: "bench:1", step: { note: "due" } }];
  for (let number = 0; number < count; number++) {
    const due = operation.now + fromMs + (number % HOUR_MS);
    const payload = { scenario: "bench", type: "world", steps };
    operation.schedule({ due, kind: STEP_TIMER, subject: `bench/${number}`, payload });
  }
}

world.operate((operation) => schedule(operation, pending, YEAR_MS));
const rates: number[] = [];
for (let round = 0; round <= rounds; round++) {
  world.operate((operation) => schedule(operation, RUN, 1));
  const startedAt = performance.now();
  const { timers } = await runner.advance({ kind: "by", durationMs: HOUR_MS });
  if (timers !== RUN) throw new Error(`An advance ran ${timers} timers instead of ${RUN}.`);
  if (round > 0) rates.push(RUN / ((performance.now() - startedAt) / 1000));
}
process.stdout.write(JSON.stringify(rates));
