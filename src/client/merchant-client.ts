/** A merchant that calls `/v2` of a world as its own program would: with a token, and signed where that is asked for. */
import { createHmac } from "node:crypto";
import { SANDBOX_AGENT } from "../insight/readiness/calls.ts";
import { freshUuid } from "../runtime.ts";
import type { Connection } from "./control-client.ts";

/** What a merchant authenticates with. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingKey: string;
}

/** A refusal of the service. */
export class ServiceCallError extends Error {
  override readonly name = "ServiceCallError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface ServiceBody<Data> {
  readonly success: boolean;
  readonly data?: Data;
  readonly error?: { readonly code: string; readonly message: string };
}

export class MerchantClient {
  readonly #connection: Connection;
  readonly #credentials: Credentials;
  /** The world's clock, by which calls are signed. */
  readonly #now: () => Promise<string>;
  #token: string | undefined;

  constructor(connection: Connection, credentials: Credentials, now: () => Promise<string>) {
    this.#connection = connection;
    this.#credentials = credentials;
    this.#now = now;
  }

  /** Posts JSON. @returns the `data` of the answer. @throws {ServiceCallError} */
  async post<Data>(path: string, body: object, { signed = false }: { signed?: boolean } = {}): Promise<Data> {
    const text = JSON.stringify(body);
    const signature = signed ? await this.#signature(text) : {};
    return this.#send<Data>(path, text, {
      "Content-Type": "application/json",
      ...signature,
      ...(await this.#bearer()),
    });
  }

  /** Posts a form. @returns the `data` of the answer. @throws {ServiceCallError} */
  async postForm<Data>(path: string, fields: Readonly<Record<string, string>>): Promise<Data> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return this.#send<Data>(path, form, await this.#bearer());
  }

  async #bearer(): Promise<Record<string, string>> {
    const { clientId: client_id, clientSecret: client_secret } = this.#credentials;
    const body = JSON.stringify({ client_id, client_secret });
    const headers = { "Content-Type": "application/json" };
    this.#token ??= (await this.#send<{ access_token: string }>("/v2/oauth/token", body, headers)).access_token;
    return { Authorization: `Bearer ${this.#token}` };
  }

  async #signature(text: string): Promise<Record<string, string>> {
    const timestamp = String(Math.floor(Date.parse(await this.#now()) / 1000));
    const nonce = freshUuid();
    const hmac = createHmac("sha256", this.#credentials.signingKey).update(`${timestamp}.${nonce}.${text}`);
    return { "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": hmac.digest("hex") };
  }

  async #send<Data>(path: string, body: string | FormData, own: Record<string, string>): Promise<Data> {
    const headers = { ...own, "User-Agent": SANDBOX_AGENT };
    const response = await this.#connection.fetch(this.#connection.baseUrl + path, { method: "POST", headers, body });
    const answer = (await response.json()) as ServiceBody<Data>;
    if (response.ok && answer.data !== undefined) return answer.data;
    const { code = "UNKNOWN", message = `it answers ${response.status}` } = answer.error ?? {};
    throw new ServiceCallError(response.status, code, `POST ${path}: ${code}: ${message}`);
  }
}
