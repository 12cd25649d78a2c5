/**
 * `npm run bench`: how fast it is on this machine, in one run, each figure beside what it can be compared with. No
 * test looks at these figures; they are for people who change the path of a charge.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { measureAdvances } from "./advances.ts";
import { measureCharges, measureMemory } from "./charges.ts";
import { describePlaces } from "./cores.ts";
import { measureIdle } from "./idle.ts";
import { measureStart } from "./start.ts";
import { measureTimers } from "./timers.ts";
import { measureWorlds } from "./worlds.ts";

const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-bench-"));
const settings = join(folder, "settings.yaml");
// Windows are counted and written as ever, but a load that is over them is let through.
writeFileSync(settings, "protections: report\n");

/** TABLE: what is measured, in this order; name one or more on the command line to have only those. */
const measures: Readonly<Record<string, () => Promise<string>>> = {
  charges: () => measureCharges(settings, join(folder, "data")),
  start: measureStart,
  memory: () => measureMemory(settings, 10_000),
  idle: measureIdle,
  advances: measureAdvances,
  timers: measureTimers,
  worlds: measureWorlds,
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in measures));
if (unknown) throw new Error(`There is no measure "${unknown}"; there are ${Object.keys(measures).join(", ")}.`);

const startedAt = performance.now();
try {
  process.stdout.write(`Node ${process.versions.node}, ${cpus()[0]?.model.trim()}: ${describePlaces()}.\n`);
  for (const [name, measure] of Object.entries(measures)) {
    if (asked.length === 0 || asked.includes(name)) process.stdout.write(await measure());
  }
  process.stdout.write(`\nThe whole run took ${Math.round((performance.now() - startedAt) / 1000)} s.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
