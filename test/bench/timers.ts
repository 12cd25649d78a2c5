/** What a timer of an advance costs: with few and with many waiting behind it, and in a year of a busy merchant. */
import { connectSandbox } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { median, ratio, table, whole } from "./figures.ts";
import { load, runMeasured, startSandboxServer } from "./programs.ts";

const ROUNDS = 5;
const CHARGES = 100_000;

export async function measureTimers(): Promise<string> {
  return (await besideOthers([1_000, 1_000_000])) + (await year());
}

async function besideOthers(pending: readonly number[]): Promise<string> {
  const rates: number[] = [];
  for (const count of pending) {
    rates.push(median(await runMeasured<number[]>("pending-program.ts", String(count), String(ROUNDS))));
  }
  const [first = Number.NaN] = rates;
  const rows = pending.map((count, index) => [
    `${whole(count)} waiting behind them`,
    whole(rates[index] ?? null),
    ratio((rates[index] ?? Number.NaN) / first),
  ]);
  const title = `Timers of an advance, each a step that writes a note (median of ${ROUNDS} rounds of 10 000)`;
  return table(title, ["", "per second", "ratio"], rows);
}

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

async function year(): Promise<string> {
  const server = await startSandboxServer();
  const sandbox = await connectSandbox(server.url);
  const world = await sandbox.createWorld({ scenarios: [aYear], settings: { protections: "report" } });
  const { token } = await Merchant.of(world);
  await load({ url: world.baseUrl, token, prefix: "year", charges: CHARGES });
  const startedAt = performance.now();
  const { timers, reached } = await world.advance("365d");
  const seconds = (performance.now() - startedAt) / 1000;
  const { ok } = await world.checkLedger();
  await server.end();
  if (!reached || !ok) throw new Error("A year did not come to its end, or its ledger does not hold.");
  const row = [`${whole(CHARGES)} charges paid, expired, some disputed`, whole(timers), ratio(seconds)];
  const head = ["", "timers", "seconds", "timers per second"];
  return table("A year of the world in one call of advance", head, [[...row, whole(timers / seconds)]]);
}
