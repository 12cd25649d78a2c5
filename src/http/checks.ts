/** The checks that a call of `/v2` passes, in the order that is part of the contract (`D15`). */
import { DomainError } from "../domain/errors.ts";
import { inMebibytes } from "../domain/words/mebibytes.ts";
import { credentialOfToken } from "../service/tokens.ts";
import type { Credential } from "../store/accounts.ts";
import type { RequestFault } from "../world/interception.ts";
import { countSuccess, refuseBlockedAddress, refuseBlockedCredential } from "./abuse.ts";
import { bearerToken } from "./bearer.ts";
import { largestBodyOf } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import { endpoints, OTHER_PATHS_PER_MINUTE } from "./endpoints.ts";
import { type Proving, proveCredential } from "./proof.ts";
import { countRequest, type RateWindow, refuseExceeded } from "./rate-limit.ts";
import { checkSignature } from "./signature.ts";

/** What becomes known of a call on its way through the checks. */
export interface ServiceCall extends Proving {
  readonly requestId: string;
  endpoint?: Endpoint;
  credential?: Credential;
  /** The fault that struck the call, unless it is a refusal. */
  fault?: RequestFault;
  window?: RateWindow;
  /** Its body or query, parsed. */
  given?: unknown;
}

/**
 * TABLE: path, method and size → address → token → credential → review → rate → signature → fault rules; the body and
 * the rules of the endpoint come afterwards.
 */
export const checks: readonly ((call: ServiceCall) => void)[] = [
  findEndpoint,
  checkSize,
  checkAddress,
  checkToken,
  checkCredential,
  checkReview,
  checkRate,
  checkHmac,
  checkFaults,
];

/** The credential's window, or the address's for a call refused before its credential was known (`D15`). */
export function countInWindow({ operation, incoming, endpoint, credential }: ServiceCall): RateWindow {
  const scope = credential ? `credential:${credential.client_id}` : `ip:${incoming.ip}`;
  return countRequest(operation, scope, endpoint?.path ?? "other", endpoint?.perMinute ?? OTHER_PATHS_PER_MINUTE);
}

function findEndpoint(call: ServiceCall): void {
  const { path, method } = call.incoming;
  const row = endpoints.find((candidate) => candidate.path === path);
  if (!row) throw new DomainError("NOT_FOUND");
  call.endpoint = row;
  if (row.method !== method) throw new DomainError("METHOD_NOT_ALLOWED", undefined, { allow: row.method });
}

function checkSize({ incoming }: ServiceCall): void {
  if (incoming.bodyTooLarge) throw bodyTooLarge(incoming.path);
}

/** The refusal of a body that is larger than {@link largestBodyOf}. */
export function bodyTooLarge(path: string): DomainError {
  return new DomainError(
    "PAYLOAD_TOO_LARGE",
    `The body is too large: it may have ${inMebibytes(largestBodyOf(path))}.`,
  );
}

function checkAddress({ operation, incoming }: ServiceCall): void {
  refuseBlockedAddress(operation, incoming.ip);
}

function checkToken(call: ServiceCall): void {
  if (call.endpoint?.auth === "none") return;
  const token = bearerToken(call.incoming.headers.authorization);
  if (!token) throw new DomainError("UNAUTHORIZED", "The header Authorization: Bearer <access token> is missing.");
  const { world, now } = call.operation;
  const credential = proveCredential(call, () => credentialOfToken(world, token, now));
  if (!credential) throw new DomainError("UNAUTHORIZED", undefined, { authenticationFailure: true });
  call.credential = credential;
}

function checkCredential({ operation, credential }: ServiceCall): void {
  if (credential) refuseBlockedCredential(operation, credential.client_id);
}

/** No call leads there: only the control interface and scenarios put an account under review (`D17`). */
const UNDER_REVIEW = "The account is under review: the control interface or a scenario has put it there.";

function checkReview({ credential, endpoint, operation }: ServiceCall): void {
  if (!credential || endpoint?.openUnderReview) return;
  const account = operation.world.accounts.get(credential.username);
  if (account?.status === "under_review") throw new DomainError("SECURITY_BLOCKED", undefined, { hint: UNDER_REVIEW });
}

function checkRate(call: ServiceCall): void {
  call.window = countInWindow(call);
  refuseExceeded(call.operation, call.window);
}

function checkHmac(call: ServiceCall): void {
  const { operation, credential, endpoint, incoming } = call;
  if (!credential) return;
  if (endpoint?.signed) checkSignature(call, credential);
  countSuccess(operation, incoming.ip);
}

/** A fault strikes after the signature and before the body is looked at (interface, section 5). */
function checkFaults(call: ServiceCall): void {
  const { operation, incoming, credential } = call;
  const { method, path } = incoming;
  const { client_id = null, username = null } = credential ?? {};
  const struck = operation.world.interceptors.request(operation, { method, path, client_id, username });
  if (!struck) return;
  if (struck.fault.kind === "refuse") throw struck.fault.error;
  call.fault = struck.fault;
}
