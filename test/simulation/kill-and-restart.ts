/**
 * A sandbox with several worlds under a mixed load, killed with SIGKILL at random moments and started again: after every
 * restart nothing that was answered may be missing, nothing that was sent be unknown, no change of a state may lack its
 * event, no webhook be skipped, the ledger must hold and the history replay to the same journal. In the end every event
 * must have reached a receiver.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { WorldClient } from "../../src/index.ts";
import { type SandboxProcess, startProcess } from "../support/process.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { SigningMerchant } from "../support/signing.ts";
import { Witness, worldsOf } from "./crashes/witness.ts";
import { faultsOf, undelivered } from "./load/invariants.ts";
import { type Acknowledged, MixedLoad } from "./load/mixed-load.ts";
import { generator, pick, type RandomNumbers } from "./load/random.ts";

interface KillReport {
  readonly kills: number;
  /** Resources and snapshots that were answered. */
  readonly acknowledged: number;
  /** Webhooks that came to the receivers, those that came again among them. */
  readonly received: number;
  /** What was wrong, in words; empty when all held. */
  readonly faults: readonly string[];
}

/** The frozen default world, and one whose clock runs. */
const RUNNING = "running";
const WORKERS = ["default", "default", RUNNING] as const;

/** As many things are done at most before a kill, and as long is waited then. */
const MOST_STEPS = 80;
const LONGEST_PAUSE_MS = 12;

/** Calls that come at the same time, on as many connections. */
const TOGETHER = 16;

/** How often one of those at work takes a snapshot, forks the world, or is one of many that call at once. */
const SNAPSHOTS = 0.03;
const FORKS = 0.01;
const RUSHES = 0.05;

/** How often an end in good order is begun, and cut short. */
const ENDS_BEGUN = 0.25;

/** Every so many kills the histories are played again. */
const REPLAY_EVERY = 5;

class Proof {
  readonly #random: RandomNumbers;
  readonly #folder: string;
  readonly #receiver: Receiver;
  readonly #witness: Witness;
  readonly faults: string[] = [];

  constructor(seed: number, folder: string, receiver: Receiver) {
    this.#random = generator(seed);
    this.#folder = folder;
    this.#receiver = receiver;
    this.#witness = new Witness(receiver.received);
  }

  get acknowledged(): number {
    return this.#witness.acknowledged;
  }

  start(): Promise<SandboxProcess> {
    const args = ["--data", this.#folder, "--clock", "frozen", "--start", "2026-01-01T00:00:00Z"];
    return startProcess(...args, "--webhook-concurrency", "2");
  }

  /** The worlds as they begin; both accounts of both tell the receiver of everything. */
  async prepare({ sandbox, world }: SandboxProcess): Promise<void> {
    const clock = { mode: "running", speed: 200, start: "2026-01-01T00:00:00Z" } as const;
    const running = await sandbox.createWorld({ id: RUNNING, clock });
    for (const own of [world, running]) {
      for (const username of ["acme", "globex"]) await own.setPostbackUrl(username, this.#receiver.url);
    }
  }

  /** Merchants and QA at work in every world, until the process is killed in the midst of it. */
  async workUntilKilled(process: SandboxProcess, round: number): Promise<void> {
    let [left, gone] = [1 + Math.floor(this.#random() * MOST_STEPS), undefined as Promise<unknown> | undefined];
    const kill = async () => {
      await pause(this.#random() * LONGEST_PAUSE_MS);
      gone ??= this.#end(process);
    };
    const killing = Promise.withResolvers<void>();
    const work = async (id: string, worker: number) => {
      const world = await process.sandbox.openWorld(id);
      const onAcknowledged = (what: Acknowledged) => this.#witness.acknowledge(id, what.list, what.id);
      const load = await MixedLoad.on(world, this.#random, { name: `${round}-${worker}`, onAcknowledged });
      while (!gone) {
        await this.#do(process, world, load);
        if (--left === 0) kill().then(killing.resolve, killing.reject);
      }
    };
    const working = WORKERS.map((id, worker) =>
      // A call that the kill cut off was never answered: that is no fault.
      work(id, worker).catch((error) => void (gone || this.faults.push(`round ${round}: ${error}`))),
    );
    await Promise.all([...working, killing.promise]);
    await gone;
  }

  async lookAround(process: SandboxProcess, round: number): Promise<void> {
    const worlds = await worldsOf(process.sandbox);
    const forks = worlds.filter(({ id }) => id.startsWith("fork-"));
    // What they send from now on would come of worlds that nobody can look into any more.
    for (const fork of forks) await fork.call("POST", "/clock", { mode: "frozen" });
    for (const fork of forks) await fork.settle();
    const found = await this.#witness.strangers(worlds);
    for (const fork of forks) {
      found.push(...(await this.#witness.missing(fork)), ...(await faultsOf(fork)));
      await fork.delete();
    }
    this.faults.push(...found.map((fault) => `round ${round}: ${fault}`));
    for (const id of new Set(WORKERS)) {
      const world = await process.sandbox.openWorld(id);
      const found = [...(await this.#witness.missing(world)), ...(await faultsOf(world))];
      this.faults.push(...found.map((fault) => `round ${round}: ${fault}`));
      if (round % REPLAY_EVERY === 0) await this.#replay(process, world, round);
    }
  }

  /** Lets all time pass, and looks for what never came. */
  async end(process: SandboxProcess): Promise<void> {
    for (const id of new Set(WORKERS)) {
      const world = await process.sandbox.openWorld(id);
      await world.call("POST", "/clock", { mode: "frozen" });
      await world.call("DELETE", "/faults");
      await world.advance("idle");
      const received = this.#receiver.received.map(({ text }) => text);
      this.faults.push(...(await faultsOf(world)), ...(await undelivered(world, received)));
      await this.#replay(process, world, "end");
    }
  }

  /** At once, or while it ends in good order. */
  async #end(process: SandboxProcess): Promise<void> {
    if (this.#random() < ENDS_BEGUN) {
      process.child.kill("SIGTERM");
      await pause(this.#random() * LONGEST_PAUSE_MS);
    }
    await process.end("SIGKILL");
  }

  #do(process: SandboxProcess, world: WorldClient, load: MixedLoad): Promise<void> {
    const draw = this.#random();
    if (draw < SNAPSHOTS) return this.#snapshot(world);
    if (draw < SNAPSHOTS + FORKS) return this.#fork(process, world);
    if (draw < SNAPSHOTS + FORKS + RUSHES) return this.#rush(world);
    return load.run(1);
  }

  async #snapshot(world: WorldClient): Promise<void> {
    const name = `s-${Math.floor(this.#random() * 1e9)}`;
    // While time is advanced there is none.
    const taken = await world.takeSnapshot(name).catch(() => null);
    if (taken) this.#witness.acknowledge(world.id, "snapshots", name);
  }

  /** A fork is gone after the next restart. */
  async #fork({ sandbox }: SandboxProcess, { id: from }: WorldClient): Promise<void> {
    const id = `fork-${Math.floor(this.#random() * 1e9)}`;
    const fork = await sandbox.createWorld({ id, from }).catch(() => null);
    if (fork) await this.#rush(fork);
  }

  /** Many charges at the same time: they may be committed together. An answer that a fault rule has lost is none. */
  async #rush(world: WorldClient): Promise<void> {
    const merchant = await SigningMerchant.ofAccount(world);
    await Promise.all(
      Array.from({ length: TOGETHER }, async () => {
        const answer = await merchant.cashin({ currency: "BRL", amount: "7.00" }).catch(() => null);
        const id = answer?.body?.data?.transaction_id;
        if (id) this.#witness.acknowledge(world.id, "transactions", id);
      }),
    );
  }

  async #replay(process: SandboxProcess, world: WorldClient, round: number | "end"): Promise<void> {
    const { world: again, identical, difference } = await process.sandbox.replay(await world.export());
    await again.delete();
    if (!identical) this.faults.push(`round ${round}: ${world.id} replays otherwise: ${JSON.stringify(difference)}`);
  }
}

/** Kills the sandbox `kills` times in the middle of its work. */
export async function killAndRestart(kills: number, seed: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-kill-"));
  const statuses = generator(seed + 1);
  await using receiver = await startReceiver((_request, response) => {
    response.writeHead(pick(statuses, [200, 200, 200, 500])).end("ok");
  });
  const proof = new Proof(seed, folder, receiver);
  try {
    for (let round = 0; round < kills; round++) {
      const process = await proof.start();
      if (round === 0) await proof.prepare(process);
      await proof.lookAround(process, round);
      await proof.workUntilKilled(process, round);
    }
    const last = await proof.start();
    await proof.lookAround(last, kills);
    await proof.end(last);
    await last.end("SIGTERM");
    const { acknowledged, faults } = proof;
    return { kills, acknowledged, received: receiver.received.length, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
