/** A year of a busy merchant in one call of advance; it has no target, and is measured when it is named. */
import { connectSandbox } from "../../src/index.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { ratio, whole } from "./figures.ts";
import { makeCharges } from "./load.ts";
import type { Measured } from "./results.ts";
import { settings, startSandboxServer } from "./servers.ts";

const CHARGES = 100_000;

/** Some charges are paid, some of those are disputed a month later and lost, the others expire. */
const aYear = scenario(
  "a-year",
  rule(
    "cashin.created",
    [
      { after: "5s", pay: {} },
      { after: "30d", dispute: {} },
    ],
    { chance: "5%" },
  ),
  rule("cashin.created", [{ after: "5s", pay: {} }], { chance: "80%" }),
);

export async function measureYear(): Promise<Measured> {
  const server = await startSandboxServer();
  const sandbox = await connectSandbox(server.url);
  const world = await sandbox.createWorld({ scenarios: [aYear], settings });
  await makeCharges(world.baseUrl, CHARGES);
  const startedAt = performance.now();
  const { timers, reached } = await world.advance("365d");
  const seconds = (performance.now() - startedAt) / 1000;
  const { ok } = await world.checkLedger();
  await server.end();
  if (!reached || !ok) throw new Error("A year did not come to its end, or its ledger does not hold.");
  const row = [`${whole(CHARGES)} charges paid, expired, some disputed`, whole(timers), ratio(seconds)];
  const head = ["", "timers", "seconds", "timers per second"];
  const rows = [[...row, whole(timers / seconds)]];
  return { figures: [], tables: [{ title: "A year of the world in one call of advance", head, rows }] };
}
