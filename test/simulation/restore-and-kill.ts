/**
 * A world is taken back to a snapshot while its sandbox is killed, at moments spread over the time that this takes:
 * after every restart it is the old world or the restored one, whole, and the snapshot can be restored again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { WorldClient } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { type SandboxProcess, startProcess } from "../support/process.ts";

interface RestoreReport {
  /** What the world was after each kill. */
  readonly outcomes: readonly string[];
  /** What was wrong, in words; empty when all held. */
  readonly faults: readonly string[];
}

/** Calls are kept with their bodies: a few large ones make a world whose restore takes its time. */
const LARGE_CALLS = 8;
const LARGE_BODY = JSON.stringify({ currency: "EUR", amount: 1, description: "x".repeat(1_000_000) });

/** Kills the sandbox so often in the middle of a restore. */
export async function restoreAndKill(kills: number): Promise<RestoreReport> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-restore-"));
  const start = () => startProcess("--data", folder, "--clock", "frozen", "--start", "2026-01-01T00:00:00Z");
  const [outcomes, faults]: [string[], string[]] = [[], []];
  try {
    let process = await start();
    const { restored, old, tookMs } = await prepare(process.world);
    for (let kill = 0; kill < kills; kill++) {
      await process.world.restore("old");
      await killDuringRestore(process, tookMs * ((kill + 0.5) / kills));
      process = await start();
      const state = await stateOf(process.world);
      outcomes.push(state === old ? "old" : state === restored ? "restored" : "neither");
      if (!(await process.world.checkLedger()).ok) faults.push(`kill ${kill}: the ledger does not hold`);
      await process.world.restore("restored");
      if ((await stateOf(process.world)) !== restored) faults.push(`kill ${kill}: the snapshot is not what it was`);
    }
    await process.end("SIGTERM");
    return { outcomes, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two snapshots that differ, what the world shows at each, and how long a restore takes when nothing disturbs it. */
async function prepare(world: WorldClient) {
  const merchant = await Merchant.of(world);
  await merchant.cashin({ currency: "BRL", amount: 10, external_id: "first" });
  for (let count = 0; count < LARGE_CALLS; count++) await merchant.cashin(JSON.parse(LARGE_BODY));
  await world.takeSnapshot("restored");
  const restored = await stateOf(world);
  await world.advance("5s");
  await merchant.cashin({ currency: "BRL", amount: 20, external_id: "second" });
  await world.takeSnapshot("old");
  const old = await stateOf(world);
  await world.restore("restored");
  const startedAt = performance.now();
  await world.restore("old");
  return { restored, old, tookMs: performance.now() - startedAt };
}

async function killDuringRestore(process: SandboxProcess, afterMs: number): Promise<void> {
  // A call that the kill cut off was never answered: that is no fault.
  const restoring = process.world.restore("restored").catch(() => {});
  await pause(afterMs);
  await process.end("SIGKILL");
  await restoring;
}

/** All that a world shows that is not of the process. */
async function stateOf(world: WorldClient): Promise<string> {
  const lists = ["/transactions", "/timers", "/journal", "/webhooks", "/ledger"];
  const { clock, accounts } = await world.info();
  return JSON.stringify([clock, accounts, ...(await Promise.all(lists.map((list) => world.all(list))))]);
}
