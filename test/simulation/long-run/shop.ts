/** A merchant's program that is quick, and takes answers that a network has lost or garbled as none. */
import { randomUUID } from "node:crypto";
import type { WorldClient } from "../../../src/index.ts";
import { type Credential, hmacOf } from "../../support/signing.ts";

// biome-ignore lint/suspicious/noExplicitAny: a year's business looks into bodies freely.
type Data = any;

export class Shop {
  readonly #baseUrl: string;
  readonly #credential: Credential;
  #token = "";
  /** Answers so far, by status; 0 is none. */
  readonly statuses = new Map<number, number>();

  constructor({ baseUrl }: Pick<WorldClient, "baseUrl">, credential: Credential) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
  }

  static async of(world: WorldClient): Promise<Shop> {
    const { accounts } = await world.info();
    const credential = accounts[0]?.credentials[0];
    if (!credential) throw new Error("The world has no account.");
    return new Shop(world, credential);
  }

  /** Tries until it has a token: the service may be failing. */
  async authenticate(): Promise<void> {
    const { client_id, client_secret } = this.#credential;
    for (let tries = 0; tries < 5; tries++) {
      const data = await this.call("POST", "/v2/oauth/token", { client_id, client_secret });
      if (data?.access_token) {
        this.#token = data.access_token;
        return;
      }
    }
    throw new Error("There was no token in five answers.");
  }

  /** A call with the token. @returns the data of a success; undefined for all else. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Data> {
    const isForm = body instanceof FormData;
    const text = body === undefined || isForm ? undefined : JSON.stringify(body);
    const all = {
      Authorization: `Bearer ${this.#token}`,
      ...(text ? { "Content-Type": "application/json" } : {}),
      ...headers,
    };
    let status = 0;
    try {
      const response = await fetch(this.#baseUrl + path, {
        method,
        headers: all,
        body: isForm ? body : (text ?? null),
      });
      const answer = await response.text();
      status = response.status;
      return status < 300 ? JSON.parse(answer).data : undefined;
    } catch {
      return undefined;
    } finally {
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    }
  }

  /** A call that is signed. */
  signed(path: string, body: object): Promise<Data> {
    const [timestamp, nonce, text] = [String(Math.floor(Date.now() / 1000)), randomUUID(), JSON.stringify(body)];
    return this.call("POST", path, body, {
      "X-Signature": hmacOf(this.#credential.signing_key, `${timestamp}.${nonce}.${text}`),
      "X-Timestamp": timestamp,
      "X-Nonce": nonce,
    });
  }
}
