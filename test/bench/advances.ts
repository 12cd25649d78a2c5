/** What an advance gets done per second: timers without receivers, webhooks to one. */
import { connectSandbox, type AdvanceInfo, type SandboxClient, type WorldOptions } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { median, table, whole } from "./figures.ts";
import { load, startReceiver, startSandboxServer } from "./programs.ts";

const CHARGES = 10_000;
const WEBHOOKS = 2_000;
const ROUNDS = 3;

export async function measureAdvances(): Promise<string> {
  const server = await startSandboxServer();
  const receiver = await startReceiver();
  const sandbox = await connectSandbox(server.url);
  const timers = (result: AdvanceInfo) => result.timers;
  const delivered = (result: AdvanceInfo) => result.webhooks.delivered;
  const paid = await perSecond(sandbox, { scenarios: ["happy-path"] }, CHARGES, timers);
  const expired = await perSecond(sandbox, { scenarios: [] }, CHARGES, timers);
  const toReceiver = { scenarios: ["happy-path"], postback_url: receiver.url };
  const sent = await perSecond(sandbox, toReceiver, WEBHOOKS, delivered);
  await server.end();
  await receiver.end();
  const rows = [
    [`${whole(CHARGES)} charges paid, no receiver`, whole(paid)],
    [`${whole(CHARGES)} charges expired, no receiver`, whole(expired)],
    [`${whole(WEBHOOKS)} charges paid, each with its webhook to one receiver`, whole(sent)],
  ];
  return table(`One call of advance (median of ${ROUNDS} rounds)`, ["", "per second"], rows);
}

/** How many of so many an advance does per second, each round on a fork of the same world. */
async function perSecond(
  sandbox: SandboxClient,
  options: WorldOptions,
  charges: number,
  countOf: (result: AdvanceInfo) => number,
): Promise<number> {
  const settings = { protections: "report", webhook_rate: 1_000_000 };
  const origin = await sandbox.createWorld({ ...options, settings });
  const { token } = await Merchant.of(origin);
  await load({ url: origin.baseUrl, token, prefix: "advance", charges });
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using fork = await sandbox.createWorld({ from: origin.id });
    const startedAt = performance.now();
    const count = countOf(await fork.advance("idle"));
    rates.push(count / ((performance.now() - startedAt) / 1000));
    if (count !== charges) throw new Error(`An advance did ${count} instead of ${charges}.`);
  }
  await origin.delete();
  return median(rates);
}
