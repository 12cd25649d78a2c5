/**
 * A mixed load on a world: merchants, payers, the authority and QA do in turn what a seed picks, right and wrong things
 * alike. With the same seed and the same answers it makes the same calls.
 */
import { ControlCallError, type WorldClient } from "../../../src/index.ts";
import { jpeg, pdf, png, reply } from "../../support/disputes.ts";
import type { Answer } from "../../support/merchant.ts";
import { SigningMerchant } from "../../support/signing.ts";
import { pick, type RandomNumbers } from "./random.ts";
import {
  cashouts,
  charges,
  conversions,
  externalIds,
  faults,
  PATHS,
  scenarios,
  tokenCalls,
  wallets,
  wrongCalls,
} from "./tables.ts";

/** What an answer told a merchant is there. */
export interface Acknowledged {
  /** The list of the control interface that it stands in. */
  readonly list: "transactions" | "transfers" | "conversions" | "wallets";
  readonly id: string;
}

interface MixedLoadOptions {
  /** Begins the external ids of this load. */
  readonly name?: string;
  readonly onAcknowledged?: (what: Acknowledged) => void;
  /** Steps that are left out. */
  readonly without?: readonly StepName[];
  /** What time is advanced by. */
  readonly advances?: readonly unknown[];
}

const ADVANCES = ["1s", "7s", "90s", "11m", "next", { by: "1h", max_timers: 3 }, { until: "cashin.confirmed" }];

/** TABLE: what is done, and how often. */
const steps = {
  charge: { weight: 20, perform: (load: MixedLoad) => load.charge() },
  cashout: { weight: 10, perform: (load: MixedLoad) => load.cashout() },
  transfer: { weight: 5, perform: (load: MixedLoad) => load.transfer() },
  convert: { weight: 6, perform: (load: MixedLoad) => load.convert() },
  wallet: { weight: 3, perform: (load: MixedLoad) => load.provide() },
  look: { weight: 5, perform: (load: MixedLoad) => load.look() },
  wrong: { weight: 6, perform: (load: MixedLoad) => load.merchantDoes(pick(load.random, wrongCalls)) },
  token: { weight: 3, perform: (load: MixedLoad) => load.merchantDoes(pick(load.random, tokenCalls)) },
  reply: { weight: 4, perform: (load: MixedLoad) => load.replyToDispute() },
  act: { weight: 14, perform: (load: MixedLoad) => load.act() },
  decide: { weight: 4, perform: (load: MixedLoad) => load.decide() },
  deposit: { weight: 5, perform: (load: MixedLoad) => load.deposit() },
  redeliver: { weight: 4, perform: (load: MixedLoad) => load.redeliver() },
  settings: { weight: 6, perform: (load: MixedLoad) => load.changeWorld() },
  faults: { weight: 4, perform: (load: MixedLoad) => load.changeFaults() },
  scenarios: { weight: 4, perform: (load: MixedLoad) => load.changeScenarios() },
  refused: { weight: 3, perform: (load: MixedLoad) => load.callWrongly() },
  advance: { weight: 10, perform: (load: MixedLoad) => load.advance() },
} as const;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as StepName[];

export class MixedLoad {
  readonly world: WorldClient;
  readonly random: RandomNumbers;
  readonly #merchants: readonly SigningMerchant[];
  readonly #options: MixedLoadOptions;
  readonly #names: readonly StepName[];
  /** Ids of cash-ins, cash-outs and conversions that were answered, and of wallets. */
  readonly #ids = {
    cashin: [] as string[],
    cashout: [] as string[],
    conversion: [] as string[],
    wallet: [] as number[],
  };
  #count = 0;

  private constructor(
    world: WorldClient,
    merchants: readonly SigningMerchant[],
    random: RandomNumbers,
    options: MixedLoadOptions,
  ) {
    this.world = world;
    this.random = random;
    this.#merchants = merchants;
    this.#options = options;
    const names = stepNames.filter((name) => !options.without?.includes(name));
    this.#names = names.flatMap((name) => Array.from({ length: steps[name].weight }, () => name));
  }

  static async on(world: WorldClient, random: RandomNumbers, options: MixedLoadOptions = {}): Promise<MixedLoad> {
    const merchants = [await SigningMerchant.ofAccount(world), await SigningMerchant.ofAccount(world, "globex")];
    return new MixedLoad(world, merchants, random, options);
  }

  /** Does so many things one after another. */
  async run(count: number): Promise<void> {
    for (let done = 0; done < count; done++) await this.perform(pick(this.random, this.#names));
  }

  perform(name: StepName): Promise<void> {
    return steps[name].perform(this);
  }

  async charge(): Promise<void> {
    const external_id = this.#externalId();
    await this.#create("cashin", { ...pick(this.random, charges), external_id }, (merchant, body) =>
      merchant.cashin(body),
    );
  }

  async cashout(): Promise<void> {
    const body = { ...pick(this.random, cashouts), external_id: this.#externalId() };
    await this.#create("cashout", body, (merchant, given) => merchant.cashout(given));
  }

  async transfer(): Promise<void> {
    const body = { currency: "BRL", amount: "5.00", external_id: this.#externalId() };
    await this.merchantDoes(async (merchant) => {
      const other = this.#merchants.find((candidate) => candidate !== merchant)?.clientId.split("-")[0];
      const answer = await merchant.transfer({ ...body, username: other });
      if (answer.status === 200) this.#acknowledge("transfers", answer.body.data.transaction_id);
      return answer;
    });
  }

  async convert(): Promise<void> {
    const body = pick(this.random, conversions);
    const simulates = this.random() < 0.5;
    await this.merchantDoes(async (merchant) => {
      if (simulates) await merchant.call("POST", PATHS.simulate, body);
      const answer = await merchant.convert({ ...body, external_id: this.#externalId() });
      if (answer.status !== 200) return answer;
      this.#ids.conversion.push(answer.body.data.conversion_id);
      this.#acknowledge("conversions", answer.body.data.conversion_id);
      return answer;
    });
  }

  async provide(): Promise<void> {
    await this.merchantDoes(async (merchant) => {
      const answer = await merchant.call("POST", PATHS.wallet, pick(this.random, wallets));
      if (answer.status !== 200) return answer;
      this.#ids.wallet.push(answer.body.data.wallet_id);
      this.#acknowledge("wallets", String(answer.body.data.wallet_id));
      return answer;
    });
  }

  async look(): Promise<void> {
    const paths = ["/v2/account/balance", "/v2/account/limits", "/v2/account/info/profile", PATHS.infractions];
    const path = pick(this.random, [...paths, PATHS.list, PATHS.rate]);
    const body = path === PATHS.rate ? conversions[0] : { page: 1 };
    const isPost = path === PATHS.list || path === PATHS.rate;
    await this.merchantDoes((merchant) => (isPost ? merchant.call("POST", path, body) : merchant.call("GET", path)));
  }

  async replyToDispute(): Promise<void> {
    const { items } = await this.world.call<{ items: { infraction_id: string }[] }>("GET", "/disputes?limit=1000");
    const infraction_id = pick(this.random, items)?.infraction_id ?? "none";
    const files = [pdf, png, jpeg, Buffer.from("no file of ours")].map((content, at) => ({
      name: `proof-${at}`,
      content,
    }));
    const chosen = files.slice(0, Math.floor(this.random() * 5));
    await this.merchantDoes((merchant) =>
      reply(merchant, { infraction_id, text: "It was delivered: ção ✓", files: chosen }),
    );
  }

  /** Something happens to a transaction or a conversion, whether its state allows it or not. */
  async act(): Promise<void> {
    const kind = pick(this.random, ["cashin", "cashin", "cashin", "cashout", "conversion"] as const);
    const id = pick(this.random, this.#ids[kind]);
    if (id === undefined) return;
    const actions = {
      cashin: ["pay", "pay", "expire", "cancel", "fail", "refund", "dispute", "dispute"],
      cashout: ["confirm", "refund"],
      conversion: ["refund"],
    };
    const path = kind === "conversion" ? "conversions" : "transactions";
    await this.#control("POST", `/${path}/${id}/${pick(this.random, actions[kind])}`, {});
  }

  async decide(): Promise<void> {
    const { items } = await this.world.call<{ items: { infraction_id: string }[] }>("GET", "/disputes?limit=1000");
    const dispute = pick(this.random, items);
    const decision = pick(this.random, ["win", "lose", "cancel"]);
    if (dispute) await this.#control("POST", `/disputes/${dispute.infraction_id}/${decision}`, {});
  }

  async deposit(): Promise<void> {
    const wallet = pick(this.random, this.#ids.wallet);
    const input = { amount: "42.00", ...(this.random() < 0.5 ? { instant: true } : {}) };
    if (wallet !== undefined) await this.#control("POST", `/wallets/${wallet}/deposit`, input);
  }

  async redeliver(): Promise<void> {
    const { items } = await this.world.call<{ items: { webhook_id: string }[] }>("GET", "/webhooks?limit=1000");
    const webhook = pick(this.random, items);
    if (webhook) await this.#control("POST", `/webhooks/${webhook.webhook_id}/redeliver`, {});
  }

  async changeWorld(): Promise<void> {
    const [acme] = this.#merchants;
    const limits = [{ currency: "BRL", operation: "cashin", per_operation_max: "1000.00" }];
    const change = pick<[string, string, object]>(this.random, [
      ["POST", "/accounts/globex/fund", { currency: "BRL", amount: 100.5 }],
      ["PUT", "/rates", { rates: { BRL: "0.19", BTC: 101_000.25 } }],
      ["PUT", "/blocked-ips", { ips: ["203.0.113.9", "2001:DB8::1"] }],
      ["PATCH", "/accounts/globex", { status: "under_review", name: "Globex S/A" }],
      ["PATCH", "/accounts/globex", { status: "active" }],
      ["PATCH", `/credentials/${acme?.clientId}`, { limits }],
      ["PATCH", `/credentials/${acme?.clientId}`, { limits: [] }],
      ["POST", "/accounts/globex/credentials", {}],
    ]);
    await this.#control(...change);
  }

  async changeFaults(): Promise<void> {
    if (this.random() < 0.4) await this.#control("DELETE", "/faults");
    else await this.#control("PUT", "/faults", { rules: [pick(this.random, faults), pick(this.random, faults)] });
  }

  async changeScenarios(): Promise<void> {
    const scenario = pick(this.random, scenarios);
    if (this.random() < 0.7) await this.#control("POST", "/scenarios", scenario);
    else await this.#control("DELETE", `/scenarios/${scenario.scenario}`);
  }

  /** Control calls that are refused, before and within their operation. */
  async callWrongly(): Promise<void> {
    const call = pick<[string, string, object?]>(this.random, [
      ["POST", "/accounts/globex/fund", { currency: "XXX", amount: 1 }],
      ["POST", "/accounts/globex/fund", { currency: "BRL", amount: "1.234" }],
      ["POST", "/accounts", { username: "globex" }],
      ["POST", "/clock/advance", { to: "2020-01-01T00:00:00Z" }],
      ["POST", "/clock/advance", { until: { expiry: "none" } }],
      ["DELETE", "/clock/advance"],
      ["DELETE", "/scenarios/none"],
      ["PUT", "/faults", { rules: [{ inject: {} }] }],
    ]);
    await this.#control(...call);
  }

  async advance(): Promise<void> {
    const what = pick(this.random, this.#options.advances ?? ADVANCES);
    await this.world.advance(what as string).catch(unlessRefused);
  }

  /** A merchant does something; an answer that a fault rule has lost or garbled is none. */
  async merchantDoes(call: (merchant: SigningMerchant) => Promise<Answer>): Promise<void> {
    const merchant = pick(this.random, [0, 0, 1]) === 0 ? this.#merchants[0] : this.#merchants[1];
    if (!merchant) return;
    const answer = await call(merchant).catch(unlessLost);
    // Its token has expired.
    if (answer?.status === 401) await merchant.authenticate().catch(unlessLost);
  }

  async #create(
    kind: "cashin" | "cashout",
    body: object,
    call: (merchant: SigningMerchant, body: object) => Promise<Answer>,
  ): Promise<void> {
    await this.merchantDoes(async (merchant) => {
      const answer = await call(merchant, body);
      const id = answer.body?.data?.transaction_id;
      if (!id) return answer;
      this.#ids[kind].push(id);
      this.#acknowledge("transactions", id);
      return answer;
    });
  }

  #acknowledge(list: Acknowledged["list"], id: string): void {
    this.#options.onAcknowledged?.({ list, id });
  }

  #externalId(): string {
    // Now and then the one before comes again, with the same body or another one.
    if (this.random() > 0.1) this.#count++;
    return `${pick(this.random, externalIds)}-${this.#options.name ?? "load"}-${this.#count}`;
  }

  async #control(method: string, path: string, body?: unknown): Promise<void> {
    await this.world.call(method, path, body).catch(unlessRefused);
  }
}

/** A state does not allow everything, and a disk may be full; but nothing is a fault of the sandbox's own. */
function unlessRefused(error: unknown): void {
  const isRefusal = error instanceof ControlCallError && (error.status < 500 || error.code === "STORAGE_FULL");
  if (!isRefusal) throw error;
}

/** A fault rule closes connections and cuts answers in half. */
function unlessLost(error: unknown): undefined {
  if (error instanceof SyntaxError || (error instanceof TypeError && error.cause !== undefined)) return undefined;
  throw error;
}
