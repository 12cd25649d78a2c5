/** A merchant's program: it asks for a token and calls `/v2` over HTTP. Every answer must be in the OpenAPI document. */
import type { WorldClient } from "../../src/index.ts";
import { expectAnswerValid } from "./openapi.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
  readonly body: any;
}

export class Merchant {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  token = "";

  constructor(world: Pick<WorldClient, "baseUrl">, credentials: { clientId: string; clientSecret: string }) {
    this.baseUrl = world.baseUrl;
    this.clientId = credentials.clientId;
    this.clientSecret = credentials.clientSecret;
  }

  /** A merchant of the world's default account, with a token. */
  static async of(world: WorldClient): Promise<Merchant> {
    const merchant = new Merchant(world, world.credentials);
    await merchant.authenticate();
    return merchant;
  }

  /** Fetches a token. @returns the whole answer. */
  async authenticate(): Promise<Answer> {
    const body = { client_id: this.clientId, client_secret: this.clientSecret };
    const answer = await this.call("POST", "/v2/oauth/token", body, { Authorization: undefined });
    this.token = answer.body.data?.access_token ?? "";
    return answer;
  }

  /** A call with the token; `body` as JSON, or as it is where it is a text or bytes. A header of undefined is left out. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    const all: Record<string, string | undefined> = {
      Authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const init = { method, headers: Object.fromEntries(given), redirect: "manual" as const };
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const content = raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const response = await fetch(`${this.baseUrl}${path}`, body === undefined ? init : { ...init, body: content });
    const answer = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const whole: Answer = {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: isJson ? JSON.parse(answer) : undefined,
    };
    expectAnswerValid(method, path, whole);
    return whole;
  }

  cashin(body: object): Promise<Answer> {
    return this.call("POST", "/v2/transactions/cashin", body);
  }

  /** The balance of a currency. */
  async balance(currency: string): Promise<{ balance: string; balance_locked: string }> {
    const answer = await this.call("GET", `/v2/account/balance?currency=${currency}`);
    return answer.body.data.balances[0];
  }
}

/** Makes a call so many times, one after another. @returns the answers, in order. */
export async function times(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) answers.push(await call());
  return answers;
}
