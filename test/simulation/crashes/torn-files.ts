/**
 * A folder of worlds whose files are torn, cut or overwritten: the sandbox starts, and each of them
 * either comes back with all up to its last whole commit, or is refused in one sentence and stays as it is.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntryInfo, SandboxClient, WorldClient } from "../../../src/index.ts";
import { type SandboxProcess, startProcess } from "../../support/process.ts";
import { SigningMerchant } from "../../support/signing.ts";
import { faultsOf } from "../load/invariants.ts";
import { type DataFiles, entriesIn } from "./data-files.ts";

/** What has become of a world's files, and how many entries of its journal must be there if it is served. */
export interface Damage {
  readonly what: string;
  readonly files: DataFiles;
  readonly entries: number;
}

/** What a sandbox made of a damaged world. */
export interface Verdict {
  readonly what: string;
  readonly outcome: "served" | "refused";
  /** What was said of it where it was refused. */
  readonly sentence: string | null;
  /** What was wrong, in words; empty when all held. */
  readonly faults: readonly string[];
}

/** A world's files in the midst of its life, its journal, and its log of an earlier moment. */
export interface Sample {
  readonly files: DataFiles & { readonly wal: Buffer };
  readonly journal: readonly JournalEntryInfo[];
  /** Entries that are in the file itself, not in the log. */
  readonly settledEntries: number;
  /** The log of the same file, before all that was in it went over into the file. */
  readonly olderLog: Buffer;
}

const FROZEN = ["--clock", "frozen", "--start", "2026-01-01T00:00:00Z"];
const ROUNDS = 4;
const TOGETHER = 6;

/** Business in a world: stopped in between, and killed in the end. */
export async function takeSample(): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-sample-"));
  const started: SandboxProcess[] = [];
  try {
    const first = await startProcess("--data", folder, ...FROZEN);
    started.push(first);
    await business(await first.sandbox.createWorld({ id: "sample" }), "early");
    const olderLog = readFileSync(join(folder, "sample.db-wal"));
    await first.end("SIGTERM");
    const second = await startProcess("--data", folder);
    started.push(second);
    await business(await second.sandbox.world("sample"), "late");
    const journal = await (await second.sandbox.world("sample")).journal();
    await second.end("SIGKILL");
    const files = readFiles(folder, "sample");
    const settledEntries = entriesIn({ ...files, wal: null });
    return { files, journal, settledEntries, olderLog };
  } finally {
    for (const running of started) await running.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody is told of anything, so that a start has nothing to do by itself. */
async function business(world: WorldClient, name: string): Promise<void> {
  const merchant = await SigningMerchant.ofAccount(world);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      Array.from({ length: TOGETHER }, (_, index) =>
        merchant.cashin({ currency: "BRL", amount: "25.00", external_id: `${name}-${round}-${index}` }),
      ),
    );
    await merchant.cashout({ currency: "BRL", amount: "10.00", key: "ana@example.com" });
    await merchant.convert({ base_currency: "BRL", destination_currency: "USDT", amount: 20 });
    await world.advance(round % 2 === 0 ? "10s" : "2s");
  }
  const all = await world.all<{ transaction_id: string; type: string; status: string }>("/transactions");
  const paid = all.findLast(({ type, status }) => type === "cashin" && status === "confirmed");
  await world.act(paid?.transaction_id ?? "", "dispute");
}

/** Lays each damaged world into a folder with a sound one, starts a sandbox there, and looks at all of them. */
export async function judge(sample: Sample, damages: readonly Damage[]): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-torn-"));
  const idOf = (index: number) => `torn-${index}`;
  let running: SandboxProcess | null = null;
  try {
    damages.forEach(({ files }, index) => {
      lay(folder, idOf(index), files);
    });
    const process = await startProcess("--data", folder, ...FROZEN);
    running = process;
    const refusals = complaintsOf(process);
    const served = new Set((await process.sandbox.worlds()).map(({ world }) => world));
    const verdicts: Verdict[] = [];
    for (const [index, damage] of damages.entries()) {
      const id = idOf(index);
      if (!served.has(id)) verdicts.push(refusal(folder, id, damage, refusals));
      else verdicts.push(await service(process, id, damage, sample));
    }
    await expectSound(process.world);
    const code = await process.end("SIGTERM");
    if (code !== 0) throw new Error(`The sandbox ended with ${code}: ${complaintsOf(process).join("\n")}`);
    // What was written over a scenario may be asked about: did you mean ...?
    const strange = refusals.filter((line) => !/^payments-sandbox: .*\/torn-\d+\.db .*[.?]$/.test(line));
    if (strange.length > 0) throw new Error(`The start complained: ${strange.join("\n")}`);
    return verdicts;
  } finally {
    await running?.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

function complaintsOf({ complaints }: SandboxProcess): string[] {
  return complaints()
    .split("\n")
    .filter((line) => line !== "");
}

function lay(folder: string, id: string, { db, wal, shm }: DataFiles): void {
  writeFileSync(join(folder, `${id}.db`), db);
  if (wal) writeFileSync(join(folder, `${id}.db-wal`), wal);
  if (shm) writeFileSync(join(folder, `${id}.db-shm`), shm);
}

function readFiles(folder: string, id: string): DataFiles & { readonly wal: Buffer } {
  return { db: readFileSync(join(folder, `${id}.db`)), wal: readFileSync(join(folder, `${id}.db-wal`)) };
}

/** It must have been named in one line, and be as it was. */
function refusal(folder: string, id: string, { what, files }: Damage, complaints: readonly string[]): Verdict {
  const said = complaints.filter((line) => line.includes(`/${id}.db `));
  const faults = said.length === 1 ? [] : [`was refused in ${said.length} lines`];
  const laid: readonly (readonly [string, Buffer | null | undefined])[] = [
    ["", files.db],
    ["-wal", files.wal],
    ["-shm", files.shm],
  ];
  for (const [suffix, bytes] of laid) {
    const path = join(folder, `${id}.db${suffix}`);
    const now = existsSync(path) ? readFileSync(path) : null;
    if (!(now?.equals(bytes ?? Buffer.of()) ?? !bytes))
      faults.push(`its file .db${suffix} was changed: ${now?.length}`);
  }
  return { what, outcome: "refused", sentence: said[0] ?? null, faults };
}

/** It must be right, and nothing may be said of it. */
async function service(process: SandboxProcess, id: string, damage: Damage, sample: Sample): Promise<Verdict> {
  const before = complaintsOf(process).length;
  const faults = await faultsServed(process.sandbox, id, damage, sample);
  const said = complaintsOf(process).slice(before);
  if (said.length > 0) faults.push(`a fault was told of: ${said.slice(0, 3).join(" ")}`);
  return { what: damage.what, outcome: "served", sentence: null, faults };
}

/** Everything up to the last whole commit, in order, and fit for more. */
async function faultsServed(sandbox: SandboxClient, id: string, damage: Damage, sample: Sample): Promise<string[]> {
  try {
    const world = await sandbox.world(id);
    const journal = await world.journal();
    const expected = sample.journal.slice(0, damage.entries);
    const differs = expected.findIndex((entry, index) => JSON.stringify(entry) !== JSON.stringify(journal[index]));
    const faults = differs === -1 ? [] : [`entry ${differs + 1} is ${JSON.stringify(journal[differs])}`];
    if (journal.length !== expected.length) faults.push(`${journal.length} entries instead of ${expected.length}`);
    faults.push(...(await faultsOf(world)), ...(await pendingWithoutTimer(world)));
    await expectSound(world);
    return [...faults, ...(await faultsOf(world))];
  } catch (error) {
    return [`cannot be worked with: ${error}`];
  }
}

/** Business goes on in it. */
async function expectSound(world: WorldClient): Promise<void> {
  const merchant = await SigningMerchant.ofAccount(world);
  const { status, body } = await merchant.cashin({ currency: "BRL", amount: "10.00", external_id: "after" });
  if (status !== 200) throw new Error(`a charge is answered ${status} ${JSON.stringify(body)}`);
  await world.advance("1h");
  const { status: paid } = await world.transaction(body.data.transaction_id);
  if (paid !== "confirmed") throw new Error(`the charge is ${paid} after an hour`);
}

async function pendingWithoutTimer(world: WorldClient): Promise<string[]> {
  const all = await world.all<{ transaction_id: string; type: string; status: string }>("/transactions");
  const onClock = new Set((await world.timers()).map(({ subject }) => subject));
  return all
    .filter(({ transaction_id, status }) => status === "pending" && !onClock.has(transaction_id))
    .map(({ type, transaction_id }) => `${type} ${transaction_id} is pending, and nothing waits for it`);
}
