/** Where a program is played: a sandbox and a receiver, and the worlds of the program, each beside its model. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SandboxClient, startSandbox, type WorldClient } from "../../../src/index.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { SigningMerchant } from "../../support/signing.ts";
import type { MoneyKind } from "./money-calls.ts";
import { freshState, type ModelSettings, type State } from "./state.ts";

/** What the worlds of programs begin at. */
export const START = Date.parse("2026-01-30T22:10:00.000Z");

/** What a program's world is made of. */
export interface Setup {
  readonly seed: number;
  readonly settings: Partial<ModelSettings>;
  readonly happy: boolean;
  /** Whether it is kept in a folder, so that the sandbox can be started again. */
  readonly kept: boolean;
}

/** What the settings are unless a program says otherwise. */
export const usualSettings: ModelSettings = {
  cashout_fee: "deducted",
  deposit_events: "both",
  duplicate_status: 409,
  expired_event: "pix",
  legacy_refund_events: false,
  lost_dispute_status: "lost",
  quotes: "implicit",
  retry_base: "previous",
  status_words: "lifecycle",
  transfer_sent_direction: "sent",
  unanswered_dispute: "lost",
  webhook_rate: 100,
  protected: false,
};

/** A request that may be sent once more. */
export interface SentRequest {
  readonly kind: MoneyKind;
  readonly client: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A merchant's program with its credential, and when its token ends. */
export interface MerchantApp {
  readonly merchant: SigningMerchant;
  readonly username: string;
  tokenEndsAt: number;
}

/** A moment of a world that it can be taken back to. */
export interface Moment {
  readonly state: State;
  readonly entries: number;
}

/** One world, its model, and those who use it. */
export interface Branch {
  world: WorldClient;
  state: State;
  apps: MerchantApp[];
  readonly snapshots: Map<string, Moment>;
  /** What a reset leads to. */
  readonly origin: Moment;
  /** Entries of the journal that have been looked at. */
  entries: number;
  readonly sent: SentRequest[];
}

/** Sandboxes and a receiver for any number of programs. */
export class Rig implements AsyncDisposable {
  readonly receiver: Receiver;
  readonly #folder: string;
  readonly #sandboxes: Record<"memory" | "folder", SandboxClient>;
  mode: State["receiver"] = "takes";
  #count = 0;

  private constructor(receiver: Receiver, folder: string, sandboxes: Record<"memory" | "folder", SandboxClient>) {
    this.receiver = receiver;
    this.#folder = folder;
    this.#sandboxes = sandboxes;
    receiver.answerWith((_request, response) => {
      if (this.mode === "hangs up") response.destroy();
      else response.writeHead(this.mode === "takes" ? 200 : 500).end();
    });
  }

  static async start(): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-model-"));
    const sandboxes = { memory: await startSandbox(), folder: await startSandbox({ data: folder }) };
    return new Rig(await startReceiver(), folder, sandboxes);
  }

  /** The one that keeps worlds in a folder, or the one that keeps them in memory. */
  sandboxOf({ kept }: Setup): SandboxClient {
    return this.#sandboxes[kept ? "folder" : "memory"];
  }

  /** An id that no world of this rig has had. */
  freshId(): string {
    this.#count++;
    return `model-${this.#count}`;
  }

  /** Ends the sandbox with the folder in good order and starts another one on it. */
  async restart(): Promise<void> {
    await this.#sandboxes.folder.stop();
    this.#sandboxes.folder = await startSandbox({ data: this.#folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandboxes.memory.stop();
    await this.#sandboxes.folder.stop();
    await this.receiver.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The worlds of one program. */
export class Stage implements AsyncDisposable {
  readonly rig: Rig;
  readonly setup: Setup;
  readonly branches: Branch[] = [];

  constructor(rig: Rig, setup: Setup) {
    this.rig = rig;
    this.setup = setup;
  }

  /** A stage with its first world. @param fixtures what the world has otherwise than the model knows. */
  static async set(rig: Rig, setup: Setup, fixtures: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
    const stage = new Stage(rig, setup);
    rig.mode = "takes";
    rig.receiver.received.length = 0;
    const settings = { ...usualSettings, ...setup.settings };
    const { protected: isProtected, ...others } = settings;
    const world = await stage.sandbox.createWorld({
      id: rig.freshId(),
      seed: setup.seed,
      clock: { start: new Date(START).toISOString() },
      settings: { ...others, protections: isProtected ? "enforce" : "off", fixtures },
      scenarios: setup.happy ? ["happy-path"] : [],
      postback_url: rig.receiver.url,
    });
    const { accounts } = await world.info();
    const told = accounts.map(({ username, postback_url: postback, credentials: [credential] }) => {
      return { username, postback, client: credential?.client_id ?? "" };
    });
    const state = freshState({ now: START, settings, isHappy: setup.happy, accounts: told });
    await stage.add(world, state);
    return stage;
  }

  get sandbox(): SandboxClient {
    return this.rig.sandboxOf(this.setup);
  }

  /** Puts a world with its model on the stage. */
  async add(world: WorldClient, state: State, sent: readonly SentRequest[] = []): Promise<Branch> {
    const entries = (await world.journal()).length;
    const origin = { state: structuredClone(state), entries };
    const branch = { world, state, apps: [], snapshots: new Map(), origin, entries, sent: [...sent] };
    this.branches.push(branch);
    await this.equip(branch);
    return branch;
  }

  /** Gives every credential of a world a program with a fresh token; that costs a call each, which the journal has. */
  async equip(branch: Branch): Promise<void> {
    const { accounts } = await branch.world.info();
    const credentials = accounts.flatMap(({ credentials: own, username }) =>
      own.map((each) => ({ ...each, username })),
    );
    branch.apps = [];
    for (const { username, ...credential } of credentials) {
      const merchant = new SigningMerchant(branch.world, credential);
      branch.apps.push({ merchant, username, tokenEndsAt: 0 });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { world } of this.branches) await world.delete();
  }
}
