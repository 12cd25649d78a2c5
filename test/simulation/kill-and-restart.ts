/**
 * A merchant at work while its sandbox is killed at moments that a seed picks, and started again: after every restart
 * nothing that was answered may be missing, and in the end every event must have reached the receiver.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Merchant } from "../support/merchant.ts";
import { type SandboxProcess, startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly delivered: number;
  /** What was wrong, in words; empty when all held. */
  readonly faults: string[];
}

/** Numbers from a seed, the same on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Kills the sandbox `kills` times with SIGKILL in the middle of its work. */
export async function killAndRestart(kills: number, seed: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-kill-"));
  await using receiver = await startReceiver();
  const random = generator(seed);
  const acknowledged = new Map<string, string>();
  const faults: string[] = [];
  const start = () => startProcess("--data", folder, "--clock", "frozen", "--start", "2026-01-01T00:00:00Z");
  try {
    for (let round = 0; round < kills; round++) {
      const process = await start();
      if (round === 0) await process.world.setPostbackUrl("acme", receiver.url);
      faults.push(...(await lookAround(process, acknowledged, round)));
      await workUntilKilled(process, acknowledged, { round, after: 1 + Math.floor(random() * 60) });
    }
    const last = await start();
    faults.push(...(await lookAround(last, acknowledged, kills)));
    await last.world.advance("idle");
    faults.push(
      ...(await compareEvents(
        last,
        receiver.received.map((webhook) => webhook.text),
      )),
    );
    await last.end("SIGTERM");
    return { kills, acknowledged: acknowledged.size, delivered: receiver.received.length, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Three merchants at once; the kill comes right after a number of answers, with others under way. */
async function workUntilKilled(
  process: SandboxProcess,
  acknowledged: Map<string, string>,
  { round, after }: { round: number; after: number },
): Promise<void> {
  const merchant = await Merchant.of(process.world);
  let answers = 0;
  let gone: Promise<unknown> | undefined;
  const answered = () => {
    answers++;
    if (answers >= after) gone ??= process.end("SIGKILL");
  };
  const work = async (worker: number) => {
    for (let count = 0; !gone; count++) {
      const externalId = `r${round}-w${worker}-${count}`;
      const answer = await merchant.cashin({ currency: "BRL", amount: 10 + count, external_id: externalId });
      if (answer.status === 200) acknowledged.set(answer.body.data.transaction_id, externalId);
      answered();
      if (count % 3 === worker) await process.world.advance("3s").then(answered);
    }
  };
  // A call that the kill cut off was never answered: that is no fault.
  await Promise.all([work(0), work(1), work(2)].map((worker) => worker.catch(() => {})));
  await gone;
}

async function lookAround(
  process: SandboxProcess,
  acknowledged: Map<string, string>,
  round: number,
): Promise<string[]> {
  const faults: string[] = [];
  const { world } = process;
  const check = await world.checkLedger();
  if (!check.ok) faults.push(`round ${round}: ${JSON.stringify(check.checks.filter((row) => !row.ok))}`);
  const known = new Set(
    (await world.all<{ transaction_id: string }>("/transactions")).map((row) => row.transaction_id),
  );
  for (const [id, externalId] of acknowledged) {
    if (!known.has(id)) faults.push(`round ${round}: ${externalId} was answered and is gone`);
  }
  return faults;
}

/** Every confirmed charge has its one event, and the event reached the receiver. */
async function compareEvents(process: SandboxProcess, received: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const charges = await process.world.all<{ transaction_id: string; status: string }>("/transactions");
  const webhooks = await process.world.webhooks("?event=cashin.confirmed");
  const bodies = new Set(received);
  for (const { transaction_id, status } of charges) {
    const own = webhooks.filter((webhook) => webhook.transaction_id === transaction_id);
    if (status !== "confirmed") faults.push(`${transaction_id} is ${status} after all time has passed`);
    if (own.length !== 1) faults.push(`${transaction_id} has ${own.length} events instead of one`);
    if (own.some((webhook) => !bodies.has(JSON.stringify(webhook.body))))
      faults.push(`${transaction_id}: never received`);
  }
  return faults;
}
