/** Serves worlds whose clocks run and has nothing to do for a while; ends with the processor time that this took. */
import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";

const worlds = Number(process.argv[2]);
const TIMERS = 10;
const SETTLING_MS = 1_000;
const IDLE_MS = 2_000;

const sandbox = await startSandbox();
for (let count = 0; count < worlds; count++) {
  const world = await sandbox.createWorld({ scenarios: [], clock: { mode: "running" } });
  const merchant = await Merchant.of(world);
  for (let timer = 0; timer < TIMERS; timer++) await chargeOf(merchant);
}
// What was compiled and collected because of that is not what is measured.
await pause(SETTLING_MS);
const before = process.cpuUsage();
await pause(IDLE_MS);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ worlds, percent: ((user + system) / 1000 / IDLE_MS) * 100 }));
await sandbox.stop();
