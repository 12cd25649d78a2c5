/** The merchant of a scenario: authenticates, signs and calls `/v2` as the script says, on the world's clock. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { uuidOf } from "../domain/identifiers/uuid.ts";
import { TOKEN_PATH } from "../domain/service-calls.ts";
import { jsonIn } from "../domain/written-json.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { largestBodyOf } from "../http/body.ts";
import { endpointOf } from "../http/endpoints.ts";
import type { Incoming } from "../http/messages.ts";
import { formOf } from "../http/reply-form.ts";
import { serve } from "../http/service-call.ts";
import { signatureOf } from "../http/signed-text.ts";
import { nearest } from "../scenarios/schema-words.ts";
import { TOKEN_LIFETIME_S } from "../service/tokens.ts";
import type { Credential } from "../store/accounts.ts";
import type { Instant } from "../world/instants.ts";
import { type FormFile, madeUpBytes, madeUpFile, multipart } from "./form.ts";

/** A call cannot be made, because of an account or a file that it names; the message says why. */
export class ImpossibleCall extends Error {
  override readonly name = "ImpossibleCall";
}

/** The answer to a call; `lost` if none came, `malformed` if it is not JSON. */
export interface CallAnswer {
  readonly status: number | "lost" | "malformed";
  /** The parsed body; undefined if there is none. */
  readonly body:
    | { readonly data?: unknown; readonly error?: { readonly code: string; readonly message?: string } }
    | undefined;
  /** The header `X-Sandbox-Hint`. */
  readonly hint?: string | undefined;
  /** Present only if the call was not made, because this is the answer to the call for its token. */
  readonly isOfToken?: true;
  /** Whether a fault rule struck the call. */
  readonly isStruck: boolean;
}

/** A call of a script, with its variables filled in. */
export interface ScriptedCall {
  readonly call: string;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, unknown>> | undefined;
  readonly as?: string | undefined;
}

interface Token {
  readonly text: string;
  readonly expiresAt: Instant;
}

/**
 * Makes the calls of a script, and reuses its tokens while they are valid. Calls go through all of `/v2` without a
 * socket, and end when nothing due is left in the world.
 */
export class ScriptedMerchant {
  readonly #live: LiveWorld;
  readonly #folder: string;
  readonly #onFault: (error: unknown) => void;
  readonly #tokens = new Map<string, Token>();
  #calls = 0;

  /** @param folder the folder of the scenario, in which files of forms are looked up. */
  constructor(live: LiveWorld, folder: string, onFault: (error: unknown) => void) {
    this.#live = live;
    this.#folder = folder;
    this.#onFault = onFault;
  }

  /** Makes a call, after fetching a token if needed. @throws {ImpossibleCall} */
  async call(step: ScriptedCall): Promise<CallAnswer> {
    const [, method = "", path = "", query = ""] = /^(\S*) ([^?]*)\??(.*)$/s.exec(step.call) ?? [];
    const credential = this.#credentialOf(step.as);
    const refused = path === TOKEN_PATH ? null : await this.#authenticate(credential);
    if (refused) return refused;
    // Files larger than any body are not even made up.
    const isTooLarge = madeUpBytes(step.form ?? {}) > largestBodyOf(path);
    const { body, type } = this.#bodyOf(isTooLarge ? { ...step, form: {} } : step);
    const headers = { ...(type ? { "content-type": type } : {}), ...this.#headersOf(credential, method, path, body) };
    return this.#send({ method, path, query, headers, body }, isTooLarge);
  }

  #credentialOf(username: string | undefined): Credential {
    const { accounts } = this.#live.world;
    const [credential] = accounts.credentialsOf(username ?? accounts.all()[0]?.username ?? "");
    const names = accounts.all().map((account) => account.username);
    if (!credential) throw new ImpossibleCall(`there is no account "${username}"${nearest(String(username), names)}`);
    return credential;
  }

  /** Fetches a token unless there is a valid one. @returns the answer if it had no token; else null. */
  async #authenticate({ client_id, client_secret }: Credential): Promise<CallAnswer | null> {
    const now = this.#live.world.clock.now();
    const token = this.#tokens.get(client_id);
    if (token && now < token.expiresAt) return null;
    const body = Buffer.from(JSON.stringify({ client_id, client_secret }));
    const headers = { "content-type": "application/json" };
    const answer = await this.#send({ method: "POST", path: TOKEN_PATH, query: "", headers, body });
    const text = (answer.body?.data as { access_token?: string } | undefined)?.access_token;
    if (text === undefined) return { ...answer, isOfToken: true };
    this.#tokens.set(client_id, { text, expiresAt: now + TOKEN_LIFETIME_S * 1000 });
    return null;
  }

  #headersOf(credential: Credential, method: string, path: string, body: Buffer): Record<string, string> {
    const token = this.#tokens.get(credential.client_id)?.text;
    const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (!endpointOf(`${method} ${path}`)?.signed) return bearer;
    const timestamp = String(Math.floor(this.#live.world.clock.now() / 1000));
    const nonce = nonceOf(this.#live.world.identity.seed, ++this.#calls);
    const signature = signatureOf(credential.signing_key, { timestamp, nonce, body });
    return { ...bearer, "x-signature": signature, "x-timestamp": timestamp, "x-nonce": nonce };
  }

  #bodyOf({ body, form }: ScriptedCall): { body: Buffer; type: string | null } {
    if (form !== undefined) return multipart(form, (file) => this.#fileOf(file));
    if (body === undefined) return { body: Buffer.alloc(0), type: null };
    return { body: Buffer.from(JSON.stringify(body)), type: "application/json" };
  }

  /** A file beside the scenario, sent under its base name, or a made-up one. */
  #fileOf(file: unknown): FormFile {
    if (typeof file !== "string") return madeUpFile(file as { name: string; type: string; size: unknown });
    return { name: basename(file), type: "application/octet-stream", content: this.#contentOf(file) };
  }

  #contentOf(file: string): Buffer {
    try {
      return readFileSync(join(this.#folder, file));
    } catch (error) {
      throw new ImpossibleCall(`the file "${file}" beside the scenario cannot be read: ${(error as Error).message}`);
    }
  }

  /** @param isTooLarge whether the body that was meant is too large, and so was not even made. */
  async #send(
    call: Pick<Incoming, "method" | "path" | "query" | "headers" | "body">,
    isTooLarge = false,
  ): Promise<CallAnswer> {
    const { world, runner } = this.#live;
    const bodyTooLarge = isTooLarge || call.body.length > largestBodyOf(call.path);
    const body = bodyTooLarge ? Buffer.alloc(0) : call.body;
    const form = formOf({ ...call, body });
    const about = { body, bodyTooLarge, ip: "127.0.0.1", wallAt: world.clock.now() };
    const next = world.journal.last().sequence + 1;
    const outgoing = serve(world, { ...call, ...about, ...form }, this.#onFault);
    const isStruck = world.journal.ofKind("fault.injected", next, world.journal.last().sequence).length > 0;
    await runner.settle();
    if (outgoing.lost) return { status: "lost", body: undefined, isStruck };
    const answer = jsonIn(outgoing.body) as CallAnswer["body"];
    const hint = outgoing.headers["X-Sandbox-Hint"];
    return { status: answer === undefined ? "malformed" : outgoing.status, body: answer, hint, isStruck };
  }
}

/** A UUID v4 derived from the seed, so that runs are reproducible. */
function nonceOf(seed: number, count: number): string {
  return uuidOf(createHash("sha256").update(`${seed}/nonce/${count}`).digest());
}
