/**
 * A small merchant that makes every mistake that the readiness report knows: a token for each call, orders without an
 * external_id, retries at once and with another body, one nonce for all, and a receiver that takes anything from
 * anybody but what comes twice, late, or about something that it does not know.
 */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import type { WorldClient } from "../../src/index.ts";

/** What the service answers. */
interface Answer {
  readonly status: number;
  readonly requestId: string;
}

/** The only one that it has. */
const NONCE = "11111111-1111-4111-8111-111111111111";

/** How long it works on a manual refund before it answers, in real time: longer than it should. */
const PONDERING_MS = 2_100;

const CASHIN = "/v2/transactions/cashin";
const CASHOUT = "/v2/transactions/cashout";

export class CarelessMerchant implements AsyncDisposable {
  readonly hookUrl: string;
  /** Ids of its calls for tokens. */
  readonly fetches: string[] = [];
  readonly #world: Pick<WorldClient, "baseUrl" | "credentials">;
  readonly #close: () => Promise<void>;
  #token = "";

  private constructor(
    world: Pick<WorldClient, "baseUrl" | "credentials">,
    { url, close }: { url: string; close: () => Promise<void> },
  ) {
    this.#world = world;
    this.#close = close;
    this.hookUrl = url;
  }

  static async open(world: Pick<WorldClient, "baseUrl" | "credentials">): Promise<CarelessMerchant> {
    return new CarelessMerchant(world, await openReceiver());
  }

  [Symbol.asyncDispose] = () => this.#close();

  /** An order without a name of its own. */
  charge(amount: string, more: object = {}): Promise<Answer> {
    return this.#ask("POST", CASHIN, { currency: "BRL", amount, ...more });
  }

  /** Tries again at once whatever went wrong, counting its tries in the body. */
  async insist(order: string, amount: string): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let attempt = 1; answers.at(-1)?.status !== 200 && attempt <= 3; attempt++) {
      answers.push(await this.#ask("POST", CASHIN, { currency: "BRL", amount, external_id: order, attempt }));
    }
    return answers;
  }

  /** Asks again and again, whatever is answered. */
  async poll(path: string, times: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let time = 0; time < times; time++) answers.push(await this.#ask("GET", path));
    return answers;
  }

  /** Pays so many, one behind another, whatever is answered. */
  async transfer(times: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let time = 0; time < times; time++) {
      const body = { username: "globex", currency: "BRL", amount: "1.00", external_id: `transfer-${time}` };
      answers.push(await this.#ask("POST", "/v2/internal_transfers/payment", body));
    }
    return answers;
  }

  /** Signs with its only nonce, or what is not sent. */
  payOut(order: string, { wrongly = false } = {}): Promise<Answer> {
    const text = JSON.stringify({ currency: "BRL", amount: "1.00", key: "12345678909", external_id: order });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = `${timestamp}.${NONCE}.${wrongly ? `${text}\n` : text}`;
    const hmac = createHmac("sha256", this.#world.credentials.signingKey).update(signed).digest("hex");
    return this.#ask("POST", CASHOUT, text, { "X-Timestamp": timestamp, "X-Nonce": NONCE, "X-Signature": hmac });
  }

  async #ask(method: string, path: string, body?: object | string, more: Record<string, string> = {}): Promise<Answer> {
    const { clientId, clientSecret } = this.#world.credentials;
    const token = await this.#send("POST", "/v2/oauth/token", { client_id: clientId, client_secret: clientSecret }, {});
    if (token.status === 200) this.fetches.push(token.requestId);
    return this.#send(method, path, body, { Authorization: `Bearer ${this.#token}`, ...more });
  }

  async #send(
    method: string,
    path: string,
    body: object | string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const init = { method, headers: { ...headers, "Content-Type": "application/json" } };
    try {
      const response = await fetch(this.#world.baseUrl + path, text === undefined ? init : { ...init, body: text });
      const answer = (await response.json()) as { data?: { access_token?: string } };
      this.#token = answer.data?.access_token ?? this.#token;
      return { status: response.status, requestId: response.headers.get("x-request-id") ?? "" };
    } catch {
      return { status: 0, requestId: "" };
    }
  }
}

/** Knows what it was told of, credits what it does not know, and answers when it has done all that. */
async function openReceiver(): Promise<{ url: string; close: () => Promise<void> }> {
  const known = new Set<string>();
  const paid = new Set<string>();
  const server = createServer(async (incoming, response) => {
    const text = await textOf(incoming);
    if (text.includes("probe-")) return void response.writeHead(500).end("no such order");
    const { event, data } = JSON.parse(text);
    const id = String(incoming.headers["x-webhook-id"]);
    const isForeign = incoming.socket.remoteAddress !== "127.0.0.1";
    if (known.has(id) && !isForeign) return void response.writeHead(409).end("known");
    if (event === "cashin.refunded" && !paid.has(data.original_transaction_id)) {
      return void response.writeHead(422).end("not paid");
    }
    if (!/^(cashin|chargeback)\./.test(event)) return void response.writeHead(400).end("what is that?");
    known.add(id);
    if (event === "cashin.confirmed") paid.add(data.transaction_id);
    if (data.reason === "MANUAL_REFUND") await ponder();
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ponder(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PONDERING_MS));
}
