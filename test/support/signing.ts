/** A merchant that signs its cash-outs and conversions, and a stage for it: a world with a receiver. */
import { createHmac, randomUUID } from "node:crypto";
import type { WorldClient, WorldOptions } from "../../src/index.ts";
import { type Answer, Merchant } from "./merchant.ts";
import { type ReceivedWebhook, type Receiver, startReceiver } from "./receiver.ts";
import type { TestSandbox } from "./sandbox.ts";

/** What a signed request does otherwise than right; the signature is right for all that is not said here. */
interface SigningOverrides {
  /** Signed and sent; Unix seconds of the machine's clock, as a merchant's own, unless given. */
  readonly timestamp?: string | number;
  /** Signed and sent; a fresh UUID v4 unless given. */
  readonly nonce?: string;
  /** Made of the parts instead of the right one. */
  readonly sign?: (parts: { timestamp: string; nonce: string; body: string; key: string }) => string;
  /** Put over the headers in the end; undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Lower-case hex of HMAC-SHA256. */
export function hmacOf(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Posts a body, JSON unless it is a text, with the three signature headers. */
export function signed(
  merchant: Merchant,
  signingKey: string,
  path: string,
  body: unknown,
  overrides: SigningOverrides = {},
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const timestamp = String(overrides.timestamp ?? Math.floor(Date.now() / 1000));
  const nonce = overrides.nonce ?? randomUUID();
  const sign = overrides.sign ?? ((parts) => hmacOf(parts.key, `${parts.timestamp}.${parts.nonce}.${parts.body}`));
  return merchant.call("POST", path, text, {
    "X-Signature": sign({ timestamp, nonce, body: text, key: signingKey }),
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    ...overrides.headers,
  });
}

/** A credential as the control interface shows it. */
export interface Credential {
  readonly client_id: string;
  readonly client_secret: string;
  readonly signing_key: string;
}

export class SigningMerchant extends Merchant {
  readonly signingKey: string;

  constructor(world: Pick<WorldClient, "baseUrl">, credential: Credential) {
    super(world, { clientId: credential.client_id, clientSecret: credential.client_secret });
    this.signingKey = credential.signing_key;
  }

  /** The first credential of an account, with a token. */
  static async ofAccount(world: WorldClient, username = "acme"): Promise<SigningMerchant> {
    const { accounts } = await world.info();
    const credential = accounts.find((account) => account.username === username)?.credentials[0];
    if (!credential) throw new Error(`There is no account ${username}.`);
    return SigningMerchant.ofCredential(world, credential);
  }

  /** A further credential of an account, with a token. */
  static async second(world: WorldClient, username = "acme"): Promise<SigningMerchant> {
    return SigningMerchant.ofCredential(world, await world.call("POST", `/accounts/${username}/credentials`, {}));
  }

  /** Any credential, with a token. */
  static async ofCredential(world: WorldClient, credential: Credential): Promise<SigningMerchant> {
    const merchant = new SigningMerchant(world, credential);
    await merchant.authenticate();
    return merchant;
  }

  signed(path: string, body: unknown, overrides?: SigningOverrides): Promise<Answer> {
    return signed(this, this.signingKey, path, body, overrides);
  }

  cashout(body: unknown, overrides?: SigningOverrides): Promise<Answer> {
    return this.signed("/v2/transactions/cashout", body, overrides);
  }

  convert(body: unknown, overrides?: SigningOverrides): Promise<Answer> {
    return this.signed("/v2/conversions/new", body, overrides);
  }

  transfer(body: unknown): Promise<Answer> {
    return this.call("POST", "/v2/internal_transfers/payment", body);
  }

  /** The one item of the transaction list with this id. */
  async item(transactionId: string): Promise<Record<string, unknown>> {
    const answer = await this.call("POST", "/v2/account/transactions/list", { transaction_id: transactionId });
    return answer.body.data.items[0];
  }

  /** Balance and balance_locked of a currency. */
  async money(currency: string): Promise<[string, string]> {
    const { balance, balance_locked } = await this.balance(currency);
    return [balance, balance_locked];
  }

  /** The entry of `GET /v2/account/limits` for a currency and operation. */
  async limit(currency: string, operation: string): Promise<Record<string, string>> {
    const answer = await this.call("GET", "/v2/account/limits");
    const entries: Record<string, string>[] = answer.body.data.limits;
    return entries.find((entry) => entry.currency === currency && entry.operation === operation) ?? {};
  }
}

/** A world whose default account tells a receiver of everything. */
export interface Stage extends AsyncDisposable {
  readonly world: WorldClient;
  readonly merchant: SigningMerchant;
  readonly receiver: Receiver;
  /** The webhooks of a kind that have come, in order, once nothing is due any more. */
  events(kind: string): Promise<ReceivedWebhook[]>;
}

/** Sets a stage; without protections, so that a test may be refused as often as it likes, unless settings say so. */
export async function setStage(file: TestSandbox, options: WorldOptions = {}): Promise<Stage> {
  const receiver = await startReceiver();
  const settings = { protections: "off", ...options.settings };
  const world = await file.world({ postback_url: receiver.url, ...options, settings });
  return {
    world,
    merchant: await SigningMerchant.ofAccount(world),
    receiver,
    events: async (kind) => {
      await world.settle();
      return receiver.received.filter((webhook) => webhook.headers["x-webhook-event"] === kind);
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/** Status and error code of an answer. */
export function refusal(answer: Answer): [number, string | undefined] {
  return [answer.status, answer.body?.error?.code];
}
