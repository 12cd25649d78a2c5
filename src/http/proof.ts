/**
 * What the checks of secrets find. It is kept beside a call, whose secrets are masked, so that a replay without secrets
 * comes to the same result.
 */
import { DomainError } from "../domain/errors.ts";
import { MASK, maskedHeader, maskedTokenCall, namesSecret } from "../domain/masks.ts";
import type { Credential } from "../store/accounts.ts";
import type { Proof } from "../store/logged-calls.ts";
import type { Sharable } from "../store/shared-texts.ts";
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
 * The credential whose secret the call carries; undefined for a wrong secret.
 * @throws {DomainError} INVALID_REQUEST in the replay of a call whose secret was never looked at: its mask is valid
 * text, while what it replaces may not have been.
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

/** Headers as they are kept: as JSON, secrets masked. */
export function keptHeaders(headers: Readonly<Record<string, string | string[]>>): Sharable {
  const masked = ([name, value]: [string, string | string[]]) => [name, maskedHeader(name, String(value))];
  const text = () => JSON.stringify(Object.fromEntries(Object.entries(headers).map(masked)));
  return { key: JSON.stringify(headers), text };
}

/**
 * A body as it is kept: the secrets of a token request are masked, even if it was sent to an address that does not
 * exist. Bodies for other endpoints contain no secrets, and are kept as they came.
 */
export function maskedBody(body: Buffer, endpoint: Endpoint | undefined): Buffer {
  if (body.length === 0 || (endpoint && endpoint.auth !== "none")) return body;
  const text = body.toString("latin1");
  return endpoint || namesSecret(text) ? Buffer.from(maskedTokenCall(text), "latin1") : body;
}

const ACCESS_TOKEN = /("access_token":")[^"]*/g;

/** An answer as it is kept: an access token in it is masked. */
export function maskedAnswer(body: string, endpoint: Endpoint | undefined): string {
  return endpoint?.auth === "none" ? body.replace(ACCESS_TOKEN, `$1${MASK}`) : body;
}
