/** What an advance gets done per second: timers without receivers, webhooks to one. */
import { connectSandbox, type SandboxClient, type WorldClient } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { median, table, whole } from "./figures.ts";
import { load, startReceiver, startSandboxProgram } from "./programs.ts";

const CHARGES = 10_000;
const WEBHOOKS = 3_000;
/** Each advance is made in so many parts, whose median is told. */
const PARTS = 5;

const settings = { protections: "report", webhook_rate: 1_000_000 };

export async function measureAdvances(): Promise<string> {
  const program = await startSandboxProgram("--clock", "frozen");
  const sandbox = await connectSandbox(program.told.base_url);
  const receiver = await startReceiver();
  const paid = await timersPerSecond(sandbox, ["happy-path"], CHARGES);
  const expired = await timersPerSecond(sandbox, [], CHARGES);
  const delivered = await timersPerSecond(sandbox, ["happy-path"], WEBHOOKS, receiver.told.url);
  await program.end();
  await receiver.end();
  const rows = [
    [`${whole(CHARGES)} charges paid, no receiver`, whole(paid)],
    [`${whole(CHARGES)} charges expired, no receiver`, whole(expired)],
    [`${whole(WEBHOOKS)} webhooks to a receiver, one at a time`, whole(delivered)],
  ];
  return table(`Advance in one call (median of ${PARTS} parts)`, ["", "per second"], rows);
}

/** Timers of one kind that an advance ran per second: payments, expiries, or delivery attempts. */
async function timersPerSecond(
  sandbox: SandboxClient,
  scenarios: readonly string[],
  charges: number,
  postbackUrl?: string,
): Promise<number> {
  const world = await sandbox.createWorld({ scenarios, settings, postback_url: postbackUrl ?? null });
  const { token } = await Merchant.of(world);
  await load({ url: world.baseUrl, token, prefix: "advance", charges });
  if (postbackUrl !== undefined) await advancePart(world, charges);
  const rates: number[] = [];
  for (let part = 0; part < PARTS; part++) rates.push(await advancePart(world, charges / PARTS));
  await world.delete();
  return median(rates);
}

/** Runs so many timers. @returns how many of them per second. */
async function advancePart(world: WorldClient, timers: number): Promise<number> {
  const startedAt = performance.now();
  const result = await world.advance({ until: "idle", max_timers: timers });
  if (result.timers !== timers) throw new Error(`An advance ran ${result.timers} timers instead of ${timers}.`);
  return timers / ((performance.now() - startedAt) / 1000);
}
