/** A merchant that calls `/v2` of a world as its own program would: with a token, and signed where that is required. */

import type { ErrorCode } from "../domain/errors.ts";
import { sandboxAgents } from "../domain/sandbox-agents.ts";
import { serviceCalls, TOKEN_PATH } from "../domain/service-calls.ts";
import { jsonIn } from "../domain/written-json.ts";
import { endpointOf } from "../http/endpoints.ts";
import { signatureOf } from "../http/signed-text.ts";
import { freshUuid, wallNow } from "../runtime.ts";
import { type Connection, readBody, send } from "./control-client.ts";
import type { AccountInfo, WorldInfo } from "./control-types.ts";
import { type FormBody, formBody } from "./form-body.ts";
import { bodyAsJson, isRecord, notSuch, refuseUnknown, textOf } from "./refusals.ts";
import type { ServiceAnswers, ServiceCall, ServiceRequests } from "./service-types.ts";
import { type Token, Tokens } from "./tokens.ts";
import { pathWith } from "./world-calls.ts";

/** What a merchant authenticates with. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingKey: string;
}

/** The first credential of an account, with empty texts if there is none. */
export function credentialsOf(account: AccountInfo | undefined): Credentials {
  const [credential] = account?.credentials ?? [];
  return {
    clientId: credential?.client_id ?? "",
    clientSecret: credential?.client_secret ?? "",
    signingKey: credential?.signing_key ?? "",
  };
}

/**
 * The instant to sign a call at, in milliseconds (`D13`): that of the world's clock, or that of the wall clock if the
 * settings demand it. If they accept either and the clock runs, it is the wall clock's too: a fast clock may run beyond
 * the tolerance before the call arrives.
 */
export function signingInstant({ settings, clock }: WorldInfo): number {
  const { signature_clock: taken } = settings;
  const isByWall = taken === "wall" || (taken === "either" && clock.mode === "running");
  return isByWall ? wallNow() : Date.parse(clock.now);
}

/** A refusal of the service. */
export class ServiceCallError extends Error {
  override readonly name = "ServiceCallError";
  /** The HTTP status of the answer. */
  readonly status: number;
  /** An error code of the service; `UNKNOWN` if the answer is not JSON, which a fault rule can cause. */
  readonly code: ErrorCode | "UNKNOWN";
  /** The sandbox's own explanation, from `X-Sandbox-Hint`; empty if there is none. */
  readonly hint: string;

  constructor(status: number, code: ErrorCode | "UNKNOWN", message: string, hint = "") {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

interface ServiceBody<Data> {
  readonly data?: Data;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** The request of a call: optional if none of its members is required. */
type RequestOf<Call extends ServiceCall> =
  Record<never, never> extends ServiceRequests[Call]
    ? [request?: ServiceRequests[Call]]
    : [request: ServiceRequests[Call]];

/** In which ways a merchant differs from a program that stands for the one under test. */
interface MerchantManners {
  /** The `User-Agent` of its calls. */
  readonly agent?: string;
  /** Gives its token at an instant of the world's clock, instead of requesting one from the service. */
  readonly tokenAt?: (now: number) => string;
  /** The instant that its signatures carry, in milliseconds; that of the world's clock unless given. */
  readonly signsAt?: () => Promise<number>;
  /** The tokens that it shares with other clients of its world; its own unless given. */
  readonly tokens?: Tokens;
}

/** A merchant's program: calls `/v2` with the credentials of an account. */
export class MerchantClient {
  readonly #connection: Connection;
  readonly #manners: MerchantManners;
  readonly #credentials: () => Promise<Credentials>;
  /** The instant of the world's clock, which decides when a token expires. */
  readonly #now: () => Promise<string>;
  readonly #tokens: Tokens;

  constructor(
    connection: Connection,
    credentials: () => Promise<Credentials>,
    now: () => Promise<string>,
    manners: MerchantManners = {},
  ) {
    this.#connection = connection;
    this.#manners = manners;
    this.#credentials = credentials;
    this.#now = now;
    this.#tokens = manners.tokens ?? new Tokens();
  }

  /**
   * Calls an endpoint with its request: a JSON body, a query or a form.
   * @returns the `data` of the answer. @throws {ServiceCallError} @throws {UnreachableError}
   * @throws {Error} if `call` is not a method and a path, and for a request that is not an object or not JSON.
   * @example
   * ```ts
   * const merchant = world.merchant();
   * const charge = await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
   * const { balances } = await merchant.call("GET /v2/account/balance");
   * ```
   */
  async call<Call extends ServiceCall>(call: Call, ...[request]: RequestOf<Call>): Promise<ServiceAnswers[Call]> {
    // A program without types may give a path alone; with a method in front, anything is sent to the service.
    if (!/^[A-Z]+ \//.test(call)) refuseUnknown("call of the service", call, serviceCalls);
    // What it is made of would else be left out, and the call made without it.
    if (request != null && !isRecord(request))
      throw new Error(`${call}: the request must be an object, ${notSuch(request)}.`);
    const [method = "", path = ""] = call.split(" ");
    const given = { ...request } as Readonly<Record<string, unknown>>;
    if (method === "GET") return this.#get(pathWith(path, textsOf(call, given)));
    const endpoint = endpointOf(call);
    if (endpoint?.media === "multipart") return this.postForm(path, given);
    return this.post(path, given, { signed: endpoint?.signed ?? false });
  }

  /** Posts JSON. @returns the `data` of the answer. @throws {ServiceCallError} @throws {UnreachableError} */
  async post<Data>(path: string, body: object, { signed = false }: { signed?: boolean } = {}): Promise<Data> {
    const text = bodyAsJson(`POST ${path}`, body);
    const signature = signed ? await this.#signature(text) : {};
    const headers = { "Content-Type": "application/json", ...signature, ...(await this.#bearer()) };
    return this.#send<Data>("POST", path, headers, text);
  }

  /**
   * Posts a form with its files; fields that are undefined or null are left out.
   * @returns the `data` of the answer. @throws {ServiceCallError} @throws {UnreachableError}
   */
  async postForm<Data>(path: string, fields: Readonly<Record<string, unknown>>): Promise<Data> {
    const { type, content } = await formBody(`POST ${path}`, fields);
    return this.#send<Data>("POST", path, { "Content-Type": type, ...(await this.#bearer()) }, content);
  }

  async #get<Data>(path: string): Promise<Data> {
    return this.#send<Data>("GET", path, await this.#bearer());
  }

  /**
   * Uses one token until it expires on the world's clock (where that runs, until shortly before), shared by all clients
   * of the same credential. Neither is kept here: a reset may have taken both away.
   */
  async #bearer(): Promise<Record<string, string>> {
    const [at, credentials] = await Promise.all([this.#now(), this.#credentials()]);
    const now = Date.parse(at);
    const { tokenAt } = this.#manners;
    if (tokenAt) return { Authorization: `Bearer ${tokenAt(now)}` };
    const token = await this.#tokens.of(credentials.clientId, now, () => this.#fetchToken(credentials, now));
    return { Authorization: `Bearer ${token.text}` };
  }

  async #fetchToken({ clientId: client_id, clientSecret: client_secret }: Credentials, now: number): Promise<Token> {
    const body = JSON.stringify({ client_id, client_secret });
    const headers = { "Content-Type": "application/json" };
    const answer = await this.#send<ServiceAnswers["POST /v2/oauth/token"]>("POST", TOKEN_PATH, headers, body);
    return { text: answer.access_token, from: now, until: now + answer.expires_in * 1000 };
  }

  async #signature(text: string): Promise<Record<string, string>> {
    const { signingKey } = await this.#credentials();
    const { signsAt = async () => Date.parse(await this.#now()) } = this.#manners;
    const timestamp = String(Math.floor((await signsAt()) / 1000));
    const nonce = freshUuid();
    const signature = signatureOf(signingKey, { timestamp, nonce, body: text });
    return { "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
  }

  async #send<Data>(
    method: string,
    path: string,
    own: Record<string, string>,
    body?: string | FormBody["content"],
  ): Promise<Data> {
    const headers = { ...own, "User-Agent": this.#manners.agent ?? sandboxAgents.merchant };
    const init = { method, headers, once: true, ...(body === undefined ? {} : { body }) };
    const response = await send(this.#connection, this.#connection.baseUrl + path, init);
    const text = await readBody(this.#connection, response, (whole) => whole.text());
    const answer = (jsonIn(text) ?? {}) as ServiceBody<Data>;
    if (response.ok && answer.data !== undefined) return answer.data;
    const { code = "UNKNOWN", message = `it answers ${response.status} with what is no answer of the service.` } =
      answer.error ?? {};
    const hint = response.headers.get("x-sandbox-hint") ?? "";
    throw new ServiceCallError(response.status, code, `${method} ${path}: ${code}: ${message}`, hint);
  }
}

/** The members of a query as texts; null for an optional one means the same as leaving it out (`D20`). */
function textsOf(call: string, given: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  const texts = Object.entries(given).map(([name, value]) => [
    name,
    value == null ? undefined : textOf(`${call}: ${name} must be a text`, value),
  ]);
  return Object.fromEntries(texts);
}
