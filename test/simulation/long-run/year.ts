/**
 * A year of business in one sandbox, with all kinds of faults, a receiver that fails, snapshots and forks made and
 * deleted, and restarts: it is as large in the end as after the first quarter, its file has grown with history alone,
 * and everything is sound.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntryInfo, WorldClient } from "../../../src/index.ts";
import { generator, type RandomNumbers } from "../load/random.ts";
import { live } from "./day.ts";
import { faultsOfQuarters, type Quarter, quarterOf, type Sample } from "./judges.ts";
import { bytesOf, openFiles, type ProbedProcess, startProbed } from "./process.ts";
import { type FailingReceiver, startFailing } from "./receiver.ts";
import { Shop } from "./shop.ts";
import { charges, recurring, wallets } from "./tables.ts";

interface LongRunOptions {
  readonly days: number;
  readonly chargesPerDay: number;
  /** Whether worlds are kept in files. */
  readonly inFile: boolean;
  readonly seed: number;
  readonly onQuarter?: (quarter: Quarter) => void;
}

interface LongRunReport {
  readonly quarters: readonly Quarter[];
  readonly entries: number;
  /** Answers to the merchant by status, and webhooks by theirs. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly webhooks: Readonly<Record<string, number>>;
  readonly requestsToReceiver: number;
  /** What was wrong, in words; empty when all held. */
  readonly faults: readonly string[];
}

const START = "2026-01-01T00:00:00Z";
const QUARTERS = 4;
/** As often is looked at what the process holds, at least; and a world is small of which a snapshot is taken to size it. */
const SAMPLES_A_QUARTER = 12;
const SMALL_BYTES = 64e6;

/** Webhooks are not tried any more: they came, or were given up, or were never to be sent. */
const FINAL = ["delivered", "exhausted", "dropped", "undeliverable"];

/** Lives so many days. */
export async function longRun(options: LongRunOptions): Promise<LongRunReport> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-year-"));
  const random = generator(options.seed);
  const receiver = await startFailing(random);
  const year = new Year(options, folder, random, receiver);
  try {
    return await year.live();
  } finally {
    await year.end();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Year {
  readonly #options: LongRunOptions;
  readonly #folder: string;
  readonly #random: RandomNumbers;
  readonly #receiver: FailingReceiver;
  readonly #faults: string[] = [];
  readonly #statuses: Record<string, number> = {};
  #process: ProbedProcess | null = null;
  #shop: Shop | null = null;
  /** The last entry of the journal that has been looked at, and how large all was then. */
  #entries = 0;
  #bytes = 0;
  #anyCharge = "";

  constructor(options: LongRunOptions, folder: string, random: RandomNumbers, receiver: FailingReceiver) {
    this.#options = options;
    this.#folder = folder;
    this.#random = random;
    this.#receiver = receiver;
  }

  async live(): Promise<LongRunReport> {
    const { days, chargesPerDay, inFile, onQuarter } = this.#options;
    await this.#start();
    await this.#prepare();
    await this.#grown();
    const quarters: Quarter[] = [];
    let samples: Sample[] = [];
    const between = Math.max(1, Math.floor(days / QUARTERS / SAMPLES_A_QUARTER));
    for (let day = 0; day < days; day++) {
      const { sandbox, world, shop, side } = await this.#parts();
      const [receiver, random] = [this.#receiver, this.#random];
      await live({ sandbox, world, side, shop, receiver, random, chargesPerDay }, day);
      const quarter = Math.floor((day * QUARTERS) / days);
      if (day % between === 0) samples.push(await this.#sample(quarter));
      if (Math.floor(((day + 1) * QUARTERS) / days) > quarter) {
        quarters.push(quarterOf(samples, await this.#grown()));
        samples = [];
        onQuarter?.(quarters.at(-1) as Quarter);
        if (!(await world.checkLedger()).ok) this.#faults.push(`quarter ${quarter + 1}: the ledger does not hold`);
      }
      await this.#restart(day);
    }
    const webhooks = await this.#close();
    const faults = [...this.#faults, ...faultsOfQuarters(quarters, inFile)];
    const [statuses, entries, requestsToReceiver] = [this.#statuses, this.#entries, this.#receiver.count];
    return { quarters, entries, statuses, webhooks, requestsToReceiver, faults };
  }

  async end(): Promise<void> {
    await this.#process?.end("SIGKILL");
  }

  async #start(): Promise<void> {
    const settings = join(this.#folder, "settings.yaml");
    writeFileSync(settings, "protections: report\n");
    const args = ["--clock", "frozen", "--start", START, "--settings", settings];
    this.#process = await startProbed(
      this.#folder,
      this.#options.inFile,
      ...args,
      "--postback-url",
      this.#receiver.url,
    );
    this.#shop = await Shop.of(this.#process.world);
  }

  get #running(): ProbedProcess {
    if (!this.#process) throw new Error("Nothing runs.");
    return this.#process;
  }

  async #parts() {
    const { sandbox, world } = this.#running;
    const shop = this.#shop ?? (await Shop.of(world));
    return { sandbox, world, shop, side: await sandbox.openWorld("side") };
  }

  /** Wallets for what is deposited into them, and a world to be forked. */
  async #prepare(): Promise<void> {
    const { world, shop, side } = await this.#parts();
    await world.call("POST", "/scenarios", recurring);
    await shop.authenticate();
    for (const wallet of wallets) await shop.call("POST", "/v2/transactions/wallet", wallet);
    const { transaction_id } = await shop.call("POST", "/v2/transactions/cashin", charges[0]);
    this.#anyCharge = transaction_id;
    const other = await Shop.of(side);
    await other.authenticate();
    for (const body of charges) await other.call("POST", "/v2/transactions/cashin", body);
  }

  /** Stopped and started twice in the first quarter, and killed near the end. */
  async #restart(day: number): Promise<void> {
    const { days, inFile } = this.#options;
    const stops = [Math.floor(days / 16), Math.floor(days / 8)];
    const kill = Math.floor(days * 0.97);
    if (!inFile || !(stops.includes(day) || day === kill)) return;
    this.#note();
    await this.#running.end(day === kill ? "SIGKILL" : "SIGTERM");
    await this.#start();
  }

  async #sample(quarter: number): Promise<Sample> {
    const [held, logBytes] = [await this.#running.held(), bytesOf(this.#folder, "default.db-wal")];
    return { ...held, quarter, logBytes, files: openFiles(this.#running) };
  }

  /** What was added since the last time; entries must follow one another. */
  async #grown(): Promise<Pick<Quarter, "entries" | "fileBytes">> {
    const [entries, bytes] = [this.#entries, this.#bytes];
    await this.#readOn(this.#running.world);
    this.#bytes = await this.#size();
    return { entries: this.#entries - entries, fileBytes: this.#bytes - bytes };
  }

  async #readOn(world: WorldClient): Promise<void> {
    for (;;) {
      const path = `/journal?limit=1000&cursor=${this.#entries}`;
      const { items, next_cursor } = await world.call<{ items: JournalEntryInfo[]; next_cursor: string | null }>(
        "GET",
        path,
      );
      for (const { sequence } of items) {
        if (sequence !== this.#entries + 1) this.#faults.push(`entry ${sequence} follows ${this.#entries}`);
        this.#entries = sequence;
      }
      if (next_cursor === null) return;
    }
  }

  /** Bytes of the world's file, with what is still in its log while it is small; of the process where there is none. */
  async #size(): Promise<number> {
    const { world } = this.#running;
    if (!this.#options.inFile) return (await this.#running.held()).residentBytes;
    const bytes = bytesOf(this.#folder, "default.db");
    if (bytes > SMALL_BYTES) return bytes;
    await world.takeSnapshot("size");
    const { size } = statSync(join(this.#folder, "data", "snapshots", "default", "size.db"));
    await world.deleteSnapshot("size");
    return size;
  }

  /** All that is under way comes to its end. @returns webhooks by status. */
  async #close(): Promise<Record<string, number>> {
    const { world } = this.#running;
    await world.call("DELETE", "/faults");
    await world.advance("10d");
    await this.#readOn(world);
    this.#note();
    const webhooks: Record<string, number> = {};
    for (const { status } of await world.webhooks()) webhooks[status] = (webhooks[status] ?? 0) + 1;
    const unfinished = Object.keys(webhooks).filter((status) => !FINAL.includes(status));
    if (unfinished.length > 0)
      this.#faults.push(`webhooks are ${unfinished.join(" and ")}: ${JSON.stringify(webhooks)}`);
    if (!(await world.checkLedger()).ok) this.#faults.push("in the end the ledger does not hold");
    const { chain } = await world.explain(this.#anyCharge);
    if (chain.length === 0) this.#faults.push(`nothing explains ${this.#anyCharge}`);
    const report = await world.call<{ checks: unknown[] }>("GET", "/report");
    if (report.checks.length === 0) this.#faults.push("the readiness report is empty");
    if (this.#running.complaints() !== "")
      this.#faults.push(`it complained: ${this.#running.complaints().slice(0, 500)}`);
    if ((await this.#running.end("SIGTERM")) !== 0) this.#faults.push("it did not end with 0");
    return webhooks;
  }

  /** Keeps what the merchant was answered before its program is started anew. */
  #note(): void {
    for (const [status, count] of this.#shop?.statuses ?? []) {
      this.#statuses[status] = (this.#statuses[status] ?? 0) + count;
    }
    this.#shop?.statuses.clear();
  }
}
