/** Where a program is played: a sandbox and a receiver, and the worlds of the program, each beside its model. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type SandboxClient, startSandbox, type WorldClient } from "../../../src/index.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { SigningMerchant } from "../../support/signing.ts";
import type { MoneyKind } from "./money-calls.ts";
import { freshState, type ModelSettings, type State } from "./state.ts";

/** What the worlds of programs begin at. */
const START = Date.parse("2026-01-30T22:10:00.000Z");

/** TABLE: the sandboxes that programs are played on: what each keeps its worlds in, and how many webhooks it sends at a time. */
const kinds = {
  memory: { kept: false, webhookConcurrency: 1 },
  folder: { kept: true, webhookConcurrency: 1 },
  several: { kept: true, webhookConcurrency: 2 },
} as const;
type Kind = keyof typeof kinds;

/** Where several webhooks are in the air, the network decides whose turn comes first: nobody is put back for the rate. */
const UNREACHED_RATE = 100_000;

/** What a program's world is made of. */
export interface Setup {
  readonly seed: number;
  readonly settings: Partial<ModelSettings>;
  readonly happy: boolean;
  readonly sandbox: Kind;
}

/** What the settings are unless a program says otherwise. */
const usualSettings: ModelSettings = {
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
interface SentRequest {
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
  readonly #sandboxes = new Map<Kind, SandboxClient>();
  mode: State["receiver"] = "takes";
  /** How many webhooks may be at the receiver at a time; of one destination never more than one. */
  most = 1;
  /** Those that were there together though they may not. */
  readonly crowds: string[] = [];
  #count = 0;

  private constructor(receiver: Receiver, folder: string) {
    this.receiver = receiver;
    this.#folder = folder;
    const open: string[] = [];
    receiver.answerWith(async ({ path }, response, index) => {
      if (open.push(path) > this.most || open.indexOf(path) < open.length - 1) this.crowds.push(open.join(" and "));
      // So that they do not end in the order in which they began.
      if (this.most > 1) await delay((index * 7) % 5);
      open.splice(open.indexOf(path), 1);
      if (this.mode === "hangs up") response.destroy();
      else response.writeHead(this.mode === "takes" ? 200 : 500).end();
    });
  }

  static async start(): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-model-"));
    const rig = new Rig(await startReceiver(), folder);
    for (const kind of Object.keys(kinds) as Kind[]) await rig.#start(kind);
    return rig;
  }

  async #start(kind: Kind): Promise<void> {
    const { kept, webhookConcurrency } = kinds[kind];
    const data = kept ? { data: join(this.#folder, kind) } : {};
    this.#sandboxes.set(kind, await startSandbox({ webhookConcurrency, ...data }));
  }

  sandboxOf({ sandbox }: Setup): SandboxClient {
    const found = this.#sandboxes.get(sandbox);
    if (!found) throw new Error(`The sandbox "${sandbox}" is not there.`);
    return found;
  }

  /** An id that no world of this rig has had. */
  freshId(): string {
    this.#count++;
    return `model-${this.#count}`;
  }

  /** Ends a sandbox in good order and starts another one on its folder. */
  async restart(setup: Setup, meanwhile = () => {}): Promise<void> {
    await this.sandboxOf(setup).stop();
    meanwhile();
    await this.#start(setup.sandbox);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const sandbox of this.#sandboxes.values()) await sandbox.stop();
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
    rig.crowds.length = 0;
    rig.most = stage.sendsOneAtATime ? 1 : kinds[setup.sandbox].webhookConcurrency;
    const rate = stage.sendsOneAtATime ? {} : { webhook_rate: UNREACHED_RATE };
    const settings = { ...usualSettings, ...setup.settings, ...rate };
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

  /** Whether its worlds are kept in a folder, so that the sandbox can be started again. */
  get isKept(): boolean {
    return kinds[this.setup.sandbox].kept;
  }

  get sendsOneAtATime(): boolean {
    return kinds[this.setup.sandbox].webhookConcurrency === 1;
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
