/**
 * One piece of business, killed at every point where it makes something lasting: before and after each commit, and
 * before, within and after each change of a file. After the restart nothing that was answered may be missing, nothing
 * that was sent unknown, nothing half done; what was not answered is asked again and done once.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxClient, WorldClient } from "../../../src/index.ts";
import { type NodeStart, type SandboxProcess, startProcessWith } from "../../support/process.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { SigningMerchant } from "../../support/signing.ts";
import { faultsOf, undelivered } from "../load/invariants.ts";
import { pick, type RandomNumbers } from "../load/random.ts";
import { Witness, worldsOf } from "./witness.ts";

/** How a point may be deadly; what is not written has no midst. */
const hows = ["before", "half", "after"] as const;

interface CrashPoint {
  /** From 1. */
  readonly number: number;
  readonly what: string;
  readonly how: (typeof hows)[number];
}

/** What Node reads before the program, so that its points are noted or deadly. */
export const preload = fileURLToPath(new URL("deadly-points.ts", import.meta.url));

const FROZEN = ["--clock", "frozen", "--start", "2026-01-01T00:00:00Z", "--seed", "7", "--webhook-concurrency", "2"];

/** Calls that are made at the same time, and so come to be committed together. */
const TOGETHER = 12;

/** A crash in the start after the crash: the first of its points. */
const RECOVERY_STARTS = 3;

/** Every point of the business, in each way; what comes of it without a crash is checked too. */
export async function crashPoints(): Promise<CrashPoint[]> {
  const stage = await Stage.set();
  try {
    const noted = join(stage.folder, "points");
    const process = await stage.start({ env: { CRASH_POINTS: noted } });
    await stage.business(process);
    await process.end("SIGTERM");
    const faults = [...stage.faults, ...(await stage.aftermath())];
    if (faults.length > 0) throw new Error(`The business fails without a crash: ${faults.join("; ")}`);
    const points = readFileSync(noted, "utf8").trimEnd().split("\n");
    return points.flatMap((what, index) =>
      hows.filter((how) => how !== "half" || what === "write").map((how) => ({ number: index + 1, what, how })),
    );
  } finally {
    await stage.clear();
  }
}

/** Kills the business at a point, and looks at what comes of it. @returns what was wrong; empty when all held. */
export async function crashAt({ number, what, how }: CrashPoint): Promise<string[]> {
  const stage = await Stage.set();
  try {
    const deadly = { env: { CRASH_AT: String(number), CRASH_HOW: how } };
    const process = await stage.start(deadly).catch(() => null);
    if (process) await stage.business(process).finally(() => process.end("SIGKILL"));
    // The start that repairs is killed too.
    const again = 1 + (number % RECOVERY_STARTS);
    const recovery = await stage.start({ env: { CRASH_AT: String(again), CRASH_HOW: how } }).catch(() => null);
    await recovery?.end("SIGKILL");
    return [...stage.faults, ...(await stage.aftermath())].map((fault) => `${how} ${what} ${number}: ${fault}`);
  } finally {
    await stage.clear();
  }
}

/** Some of the points, spread by chance. */
export function somePoints(points: readonly CrashPoint[], count: number, random: RandomNumbers): CrashPoint[] {
  return Array.from({ length: count }, () => pick(random, points));
}

/** A charge that was asked for; its answer, once there is one. */
interface Asked {
  readonly world: string;
  readonly external_id: string;
  id?: string;
}

class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "payments-sandbox-crash-"));
  readonly faults: string[] = [];
  readonly #receiver: Receiver;
  readonly #witness: Witness;
  readonly #asked: Asked[] = [];
  #snapshot = false;

  private constructor(receiver: Receiver) {
    this.#receiver = receiver;
    this.#witness = new Witness(receiver.received);
  }

  static async set(): Promise<Stage> {
    // Every fourth attempt fails, so that there is something to try again.
    return new Stage(
      await startReceiver((_request, response, index) => {
        response.writeHead(index % 4 === 3 ? 500 : 200).end("ok");
      }),
    );
  }

  async clear(): Promise<void> {
    await this.#receiver.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  start({ env = {} }: NodeStart): Promise<SandboxProcess> {
    const start = { nodeOptions: ["--import", preload], env };
    const args = ["--data", join(this.folder, "data"), "--postback-url", this.#receiver.url, ...FROZEN];
    return startProcessWith(start, ...args);
  }

  /** What is done; what is not answered any more is no fault. */
  async business({ sandbox, world, child }: SandboxProcess): Promise<void> {
    try {
      const merchant = await SigningMerchant.ofAccount(world);
      await this.#charge(merchant, world, "first");
      await Promise.all([world.advance("6s"), this.#charge(merchant, world, "meanwhile")]);
      await world.call("PUT", "/faults", { rules: [{ delivery: "*", inject: { shuffle: 3 }, times: 6 }] });
      await Promise.all([this.#otherCalls(merchant), this.#charge(merchant, world, "late")]);
      await world.takeSnapshot("kept");
      this.#snapshot = true;
      this.#witness.acknowledge(world.id, "snapshots", "kept");
      await this.#act(world);
      const fork = await sandbox.createWorld({ id: "fork", from: world.id });
      const other = await SigningMerchant.ofAccount(fork);
      await Promise.all([fork.advance("10s"), this.#charge(other, fork, "forked"), world.advance("next")]);
      await world.advance("2m");
      await (await sandbox.createWorld({ id: "short" })).delete();
      await world.advance("1d");
    } catch (error) {
      const isGone = child.exitCode !== null || child.signalCode !== null || error instanceof TypeError;
      if (!isGone && !/reach|fetch|connect/i.test(String(error))) this.faults.push(`the business: ${error}`);
    }
  }

  /** After a start without a crash: what is wrong now, and once all has been done. */
  async aftermath(): Promise<string[]> {
    const process = await this.start({});
    try {
      return await this.#lookAround(process.sandbox);
    } finally {
      await process.end("SIGTERM");
    }
  }

  async #lookAround(sandbox: SandboxClient): Promise<string[]> {
    const worlds = await worldsOf(sandbox);
    const faults = await this.#witness.strangers(worlds);
    for (const world of worlds) faults.push(...(await this.#witness.missing(world)), ...(await faultsOf(world)));
    for (const world of worlds) faults.push(...(await this.#askAgain(world)));
    for (const world of worlds) {
      await world.call("DELETE", "/faults");
      await world.advance("idle");
      faults.push(...(await faultsOf(world)));
      if (world.id === "default") {
        const texts = this.#receiver.received.map(({ text }) => text);
        faults.push(...(await undelivered(world, texts)));
      }
      const { identical, difference, world: replayed } = await sandbox.replay(await world.export());
      await replayed.delete();
      if (!identical) faults.push(`${world.id} replays otherwise: ${JSON.stringify(difference)}`);
    }
    if (this.#snapshot) faults.push(...(await this.#openSnapshot(sandbox)));
    return [...faults, ...(await this.#witness.strangers(await worldsOf(sandbox)))];
  }

  /** What was answered is answered so again; what was not is done now, and there is one charge of each external id. */
  async #askAgain(world: WorldClient): Promise<string[]> {
    const faults: string[] = [];
    const merchant = await SigningMerchant.ofAccount(world);
    const asked = this.#asked.filter((charge) => charge.world === world.id);
    for (const { external_id, id } of asked) {
      const { status, body } = await merchant.cashin({ currency: "BRL", amount: "150.00", external_id });
      const again = body.data?.transaction_id;
      if (status !== 200 || (id !== undefined && again !== id)) faults.push(`${external_id}: ${status} ${id} ${again}`);
    }
    const charges = await world.all<{ external_id: string | null }>("/transactions");
    for (const { external_id } of asked) {
      const count = charges.filter((charge) => charge.external_id === external_id).length;
      if (count !== 1) faults.push(`${world.id} has ${count} charges of ${external_id}`);
    }
    return faults;
  }

  async #openSnapshot(sandbox: SandboxClient): Promise<string[]> {
    const world = await sandbox.createWorld({ id: "from-snapshot", from: { world: "default", snapshot: "kept" } });
    return faultsOf(world);
  }

  async #charge(merchant: SigningMerchant, { id: world }: WorldClient, name: string): Promise<void> {
    const asked: Asked[] = Array.from({ length: TOGETHER }, (_, index) => ({ world, external_id: `${name}-${index}` }));
    this.#asked.push(...asked);
    await together(asked, async (charge) => {
      const { external_id } = charge;
      const { body } = await merchant.cashin({ currency: "BRL", amount: "150.00", external_id });
      charge.id = body.data.transaction_id as string;
      this.#witness.acknowledge(world, "transactions", charge.id);
    });
  }

  async #otherCalls(merchant: SigningMerchant): Promise<void> {
    const calls: (readonly [list: string, call: () => Promise<{ body: { data: Record<string, string> } }>])[] = [
      ["transactions", () => merchant.cashout({ currency: "BRL", amount: "10.00", key: "ana@example.com" })],
      ["transactions", () => merchant.cashout({ currency: "BRL", amount: "11.00", key: "nobody@example.com" })],
      ["transfers", () => merchant.transfer({ currency: "BRL", amount: "5.00", username: "globex" })],
      ["conversions", () => merchant.convert({ base_currency: "BRL", destination_currency: "USDT", amount: 20 })],
      ["wallets", () => merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" })],
    ];
    await together(calls, async ([list, call]) => {
      const { transaction_id, conversion_id, wallet_id } = (await call()).body.data;
      this.#witness.acknowledge("default", list, String(conversion_id ?? wallet_id ?? transaction_id));
    });
  }

  /** The payer, the authority and QA do something at the same time. */
  async #act(world: WorldClient): Promise<void> {
    const all = await world.all<{ transaction_id: string; status: string }>("/transactions");
    const [first, second, third] = all
      .filter(({ status }) => status === "confirmed")
      .map(({ transaction_id }) => transaction_id);
    const [webhook] = await world.webhooks();
    const calls = [
      () => world.act(first ?? "", "refund", { amount: "10.00" }),
      () => world.act(second ?? "", "dispute"),
      () => world.act(third ?? "", "dispute"),
      () => world.call("POST", `/webhooks/${webhook?.webhook_id}/redeliver`, {}),
      () => world.call("POST", "/accounts/globex/fund", { currency: "BRL", amount: "100.50" }),
    ];
    await together(calls, (call) => call());
  }
}

/** All at once; waits for each before it tells of the first that failed. */
async function together<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
