/**
 * What the checks of secrets find. It is kept beside a call, whose secrets are masked, so that a replay, which has no
 * secrets, comes to the same.
 */
import type { Credential } from "../store/accounts.ts";
import type { Proof } from "../store/requests.ts";
import type { Operation } from "../world/operation.ts";
import type { Incoming } from "./messages.ts";

/** A call while its secrets are looked at. */
export interface Proving {
  readonly operation: Operation;
  readonly incoming: Incoming;
  proof: Proof;
}

/** Whose secret the call carries; undefined for a wrong one. */
export function proveCredential(call: Proving, look: () => Credential | undefined): Credential | undefined {
  const known = call.incoming.proof?.credential;
  const credential = known === undefined ? look() : call.operation.world.accounts.credential(known ?? "");
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
const SECRET_HEADERS = ["authorization", "x-signature", "cookie", "proxy-authorization"];

/** Headers as they are kept: of a secret its scheme alone (`Bearer ***`). */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? value.replace(/^(\w+ +)?.*$/s, `$1${MASK}`) : value,
    ]),
  );
}

const SECRET_MEMBERS: readonly (readonly [RegExp, string])[] = [
  [/("client_secret"\s*:\s*")(?:[^"\\]|\\.)*/g, `$1${MASK}`],
  [/((?:^|&)client_secret=)[^&]*/g, `$1${MASK}`],
];

/** A body as it is kept: without the client secret of a call for a token. */
export function maskedBody(body: Buffer): Buffer {
  const text = body.toString("latin1");
  if (!text.includes("client_secret")) return body;
  return Buffer.from(
    SECRET_MEMBERS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text),
    "latin1",
  );
}
