/** `external_id`: the same one with the same body gives the original, with another body a refusal (`D24`). */
import { createHash } from "node:crypto";
import { DomainError } from "../domain/errors.ts";
import { ExactNumber } from "../domain/money.ts";
import type { UsedExternalId } from "../store/external-ids.ts";
import type { Operation } from "../world/operation.ts";

/** A money-moving request with its caller's own identifier. */
export interface IdempotentRequest {
  readonly username: string;
  readonly externalId: string | null;
  readonly operation: "cashin" | "cashout" | "conversion" | "transfer";
  /** The body as parsed. */
  readonly body: unknown;
}

/**
 * The first use of the request's external id, undefined when there is none.
 * @throws {DomainError} `DUPLICATE_EXTERNAL_ID` when it was used for anything else.
 */
export function earlierUse(operation: Operation, request: IdempotentRequest): UsedExternalId | undefined {
  if (request.externalId === null) return undefined;
  const used = operation.world.externalIds.get(request.username, request.externalId);
  if (!used) return undefined;
  if (used.operation === request.operation && used.body_digest === digest(request.body)) return used;
  throw new DomainError("DUPLICATE_EXTERNAL_ID", undefined, { status: operation.world.settings.duplicate_status });
}

/** Remembers the external id of a request that was carried out. */
export function rememberUse(
  operation: Operation,
  request: IdempotentRequest,
  resourceId: string,
  status: number,
): void {
  if (request.externalId === null) return;
  operation.world.externalIds.insert({
    username: request.username,
    external_id: request.externalId,
    operation: request.operation,
    body_digest: digest(request.body),
    resource_id: resourceId,
    status,
  });
}

function digest(body: unknown): string {
  return createHash("sha256").update(canonical(body)).digest("base64url");
}

/** JSON with its keys in order; numbers as plain parsing reads them. */
function canonical(value: unknown): string {
  if (value instanceof ExactNumber) return String(value.valueOf());
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}
