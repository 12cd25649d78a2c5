/**
 * A small merchant that does all that the specification advises: one token for as long as it is good, an external_id
 * for every order, retries of the very same body with a fresh nonce, waits where it is told to, and a receiver that
 * takes what comes from the service alone, once each, in any order.
 */
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import type { WorldClient } from "../../src/index.ts";

interface CarefulOptions {
  /** How it waits: by the world's clock, in these tests. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** A key and certificate, for a receiver that is reached by https; a path from this file. */
  readonly certificate?: string;
  /** Whether its receiver is one of production, which refuses what a sandbox sends. */
  readonly isProduction?: boolean;
}

/** What the service answers. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
  readonly body: any;
}

interface Asked {
  readonly signed?: boolean;
  readonly form?: FormData;
}

/** Where webhooks come from in these tests. */
const SERVICE_ADDRESSES = ["127.0.0.1", "::1"];

/** Seconds before the retries of what failed on the way or at the provider. */
const BACKOFF_S = [1, 2, 4, 8] as const;

/** A token is fetched anew so long before its end. */
const RENEWAL_MS = 60_000;

export class CarefulMerchant implements AsyncDisposable {
  readonly hookUrl: string;
  /** Orders that were credited, by external id; each as often as it was. */
  readonly credited: string[] = [];
  readonly #world: Pick<WorldClient, "baseUrl" | "credentials">;
  readonly #options: CarefulOptions;
  readonly #receiver: Receiver;
  readonly #known = new Set<string>();
  readonly #orders = new Set<string>();
  readonly #disputes: string[] = [];
  #token: { text: string; waitedMs: number; lifetimeMs: number } | null = null;

  private constructor(
    world: Pick<WorldClient, "baseUrl" | "credentials">,
    options: CarefulOptions,
    receiver: Receiver,
  ) {
    this.#world = world;
    this.#options = options;
    this.#receiver = receiver;
    this.hookUrl = receiver.url;
    receiver.onWebhook = (incoming, response) => this.#receive(incoming, response);
  }

  static async open(
    world: Pick<WorldClient, "baseUrl" | "credentials">,
    options: CarefulOptions,
  ): Promise<CarefulMerchant> {
    return new CarefulMerchant(world, options, await openReceiver(options.certificate));
  }

  charge(order: string, amount: string): Promise<Answer> {
    this.#orders.add(order);
    return this.#ask("POST", "/v2/transactions/cashin", { currency: "BRL", amount, external_id: order });
  }

  payOut(order: string, amount: string, key: string): Promise<Answer> {
    const body = { currency: "BRL", amount, key, external_id: order };
    return this.#ask("POST", "/v2/transactions/cashout", body, { signed: true });
  }

  transfer(order: string, amount: string, username: string): Promise<Answer> {
    return this.#ask("POST", "/v2/internal_transfers/payment", {
      username,
      currency: "BRL",
      amount,
      external_id: order,
    });
  }

  balance(): Promise<Answer> {
    return this.#ask("GET", "/v2/account/balance");
  }

  /** Credits what the list knows and no webhook told of. */
  async reconcile(): Promise<void> {
    const answer = await this.#ask("POST", "/v2/account/transactions/list", { status: "confirmed", page_size: 100 });
    for (const { external_id } of answer.body.data.items) this.#credit(external_id);
  }

  /** Answers the disputes that it was told of. */
  async answerDisputes(): Promise<void> {
    for (const infraction of this.#disputes.splice(0)) {
      const form = new FormData();
      form.append("infraction_id", infraction);
      form.append("text", "The goods were delivered; the receipt is signed.");
      await this.#ask("POST", "/v2/account/infractions/reply", undefined, { form });
    }
  }

  [Symbol.asyncDispose] = () => this.#receiver.close();

  /** Asks until there is an answer that is one. @throws {Error} where there is nothing to wait for. */
  async #ask(method: string, path: string, body?: object, { signed = false, form }: Asked = {}): Promise<Answer> {
    const text = body === undefined ? "" : JSON.stringify(body);
    for (let tries = 0; ; tries++) {
      const headers = { ...(await this.#bearer()), ...(signed ? this.#signature(text) : {}) };
      const answer = await this.#send(method, path, form ?? text, headers);
      if (answer !== null && answer.status < 400) return answer;
      const waitMs = this.#waitAfter(answer, tries);
      if (waitMs === null) throw new Error(`${path} was answered ${answer?.status}.`);
      await this.#wait(waitMs);
    }
  }

  /** How long to wait before the next try; null where there is none. */
  #waitAfter(answer: Answer | null, tries: number): number | null {
    const backoffMs = (BACKOFF_S[tries] ?? 8) * 1000;
    if (tries >= 6) return null;
    if (answer === null || answer.status === 502 || answer.status === 503) return backoffMs;
    const { code } = answer.body.error;
    if (answer.status === 429) return Number(answer.headers.get("retry-after")) * 1000;
    if (code === "IP_BLOCKED_TEMPORARILY") return 300_000;
    if (code !== "UNAUTHORIZED") return null;
    this.#token = null;
    return 0;
  }

  async #bearer(): Promise<Record<string, string>> {
    if (this.#token && this.#token.waitedMs < this.#token.lifetimeMs - RENEWAL_MS) {
      return { Authorization: `Bearer ${this.#token.text}` };
    }
    const { clientId, clientSecret } = this.#world.credentials;
    const text = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
    const answer = await this.#send("POST", "/v2/oauth/token", text, {});
    const { access_token, expires_in } = answer?.body.data ?? {};
    if (!access_token) throw new Error("No token was given.");
    this.#token = { text: access_token, waitedMs: 0, lifetimeMs: expires_in * 1000 };
    return { Authorization: `Bearer ${access_token}` };
  }

  #signature(text: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const hmac = createHmac("sha256", this.#world.credentials.signingKey).update(`${timestamp}.${nonce}.${text}`);
    return { "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": hmac.digest("hex") };
  }

  /** @returns null where no answer came, or none that can be read. */
  async #send(
    method: string,
    path: string,
    body: string | FormData,
    headers: Record<string, string>,
  ): Promise<Answer | null> {
    const json: Record<string, string> =
      typeof body === "string" && body !== "" ? { "Content-Type": "application/json" } : {};
    const init = { method, headers: { ...json, ...headers }, ...(body === "" ? {} : { body }) };
    try {
      const response = await fetch(this.#world.baseUrl + path, init);
      return { status: response.status, headers: response.headers, body: await response.json() };
    } catch {
      return null;
    }
  }

  async #wait(ms: number): Promise<void> {
    if (this.#token) this.#token.waitedMs += ms;
    await this.#options.wait(ms);
  }

  /** Answers first; what it does then is done once. */
  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(incoming);
    const isForeign = !SERVICE_ADDRESSES.includes(incoming.socket.remoteAddress?.replace("::ffff:", "") ?? "");
    const isSandbox = incoming.headers["x-sandbox"] === "1";
    if (isForeign || (isSandbox && this.#options.isProduction)) {
      response.writeHead(403).end();
      return;
    }
    response.writeHead(200).end();
    const id = String(incoming.headers["x-webhook-id"]);
    if (this.#known.has(id)) return;
    this.#known.add(id);
    const { event, data } = JSON.parse(text);
    if (event === "cashin.confirmed") this.#credit(data.external_id);
    if (event === "chargeback.opened") this.#disputes.push(data.infraction_id);
  }

  #credit(order: string | null): void {
    if (order !== null && this.#orders.has(order) && !this.credited.includes(order)) this.credited.push(order);
  }
}

interface Receiver {
  readonly url: string;
  onWebhook: (incoming: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

async function openReceiver(certificate: string | undefined): Promise<Receiver> {
  const listener: RequestListener = (incoming, response) => receiver.onWebhook(incoming, response);
  const pem = certificate === undefined ? undefined : readFileSync(new URL(certificate, import.meta.url));
  const server = pem ? createSecureServer({ key: pem, cert: pem }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${pem ? "https" : "http"}://127.0.0.1:${port}/hook`,
    onWebhook: () => {},
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
