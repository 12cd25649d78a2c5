/** TABLE: what can be measured, by name, in this order. */
import { measureBalance, measureCharges } from "./charges.ts";
import { measureFilled } from "./filled.ts";
import { measureIdle } from "./idle.ts";
import { measureMemory } from "./memory.ts";
import { measurePackages } from "./packages.ts";
import type { Measured, Scale } from "./results.ts";
import { measureStart } from "./start.ts";
import { measureTimers } from "./timers.ts";
import { measureWebhooks } from "./webhooks.ts";
import { measureWorlds } from "./worlds.ts";
import { measureYear } from "./year.ts";

export const measures: Readonly<Record<string, (scale: Scale) => Promise<Measured>>> = {
  charges: measureCharges,
  balance: measureBalance,
  filled: measureFilled,
  timers: measureTimers,
  webhooks: measureWebhooks,
  start: measureStart,
  memory: measureMemory,
  worlds: measureWorlds,
  idle: measureIdle,
  packages: measurePackages,
  year: measureYear,
};

/** What is left out unless it is named: it has no target. */
export const onlyByName: readonly string[] = ["year"];
