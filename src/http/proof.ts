/**
 * What the checks of secrets find. It is kept beside a call, whose secrets are masked, so that a replay, which has no
 * secrets, comes to the same.
 */
import { DomainError } from "../domain/errors.ts";
import type { Credential } from "../store/accounts.ts";
import type { Proof } from "../store/requests.ts";
import type { Operation } from "../world/operation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Incoming } from "./messages.ts";

/** A call while its secrets are looked at. */
export interface Proving {
  readonly operation: Operation;
  readonly incoming: Incoming;
  proof: Proof;
}

/**
 * Whose secret the call carries; undefined for a wrong one.
 * @throws {DomainError} INVALID_REQUEST in the replay of a call whose secret was not even looked at: its mask is a text
 * in the place of what may have been none.
 */
export function proveCredential(call: Proving, look: () => Credential | undefined): Credential | undefined {
  const { proof } = call.incoming;
  if (proof && proof.credential === undefined) throw new DomainError("INVALID_REQUEST");
  const credential = proof ? call.operation.world.accounts.credential(proof.credential ?? "") : look();
  call.proof = { ...call.proof, credential: credential?.client_id ?? null };
  return credential;
}

/** Whether the call's signature is right. */
export function proveSignature(call: Proving, look: () => boolean): boolean {
  const signature = call.incoming.proof?.signature ?? look();
  call.proof = { ...call.proof, signature };
  return signature;
}

const MASK = "***";
const SECRET_HEADER = /authorization|cookie|signature|secret|token|password|api-?key/;

/** Headers as they are kept: of a secret its scheme alone (`Bearer ***`), in as many words as there were. */
export function maskedHeaders(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, given]) => {
      const value = String(given);
      if (!SECRET_HEADER.test(name)) return [name, value];
      const [scheme = ""] = /^\w+ +(?=\S)/.exec(value) ?? [];
      return [name, scheme + value.slice(scheme.length).replace(/\S+/g, MASK)];
    }),
  );
}

/** A pattern of a name, its characters as they are or as JSON (`\u0063`) and forms (`%63`) may write them. */
function spelled(name: string): string {
  const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, "0");
  return [...name].map((character) => `(?:${character}|\\\\u00${hex(character)}|%${hex(character)})`).join("");
}

const SECRET_NAME = spelled("client_secret");
const JSON_MEMBER = new RegExp(`("${SECRET_NAME}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "gis");
const FORM_FIELD = new RegExp(`((?:^|&)${SECRET_NAME}=)[^&"\\\\]*`, "gi");
const QUERY_FIELD = /((?:^|&)(?:client_secret|access_token)=)[^&]*/gi;

/**
 * A body as it is kept: without the client secret of a call for a token, be it that the call went to an address that
 * is none. What the other endpoints are sent has no secrets, and is kept as it came.
 */
export function maskedBody(body: Buffer, endpoint: Endpoint | undefined): Buffer {
  if (body.length === 0 || (endpoint && endpoint.auth !== "none")) return body;
  const text = body.toString("latin1");
  return Buffer.from(text.replace(JSON_MEMBER, `$1${MASK}`).replace(FORM_FIELD, `$1${MASK}`), "latin1");
}

const ACCESS_TOKEN = /("access_token":")[^"]*/g;

/** An answer as it is kept: without the token that it gives. */
export function maskedAnswer(body: string, endpoint: Endpoint | undefined): Buffer {
  return Buffer.from(endpoint?.auth === "none" ? body.replace(ACCESS_TOKEN, `$1${MASK}`) : body);
}

/** A query as it is kept. */
export function maskedQuery(query: string): string {
  return query.replace(QUERY_FIELD, `$1${MASK}`);
}
