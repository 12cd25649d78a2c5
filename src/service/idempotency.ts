/** `external_id`: repeated with the same body it gives the original resource, with another body a refusal (`D24`). */
import { hash } from "node:crypto";
import { DomainError } from "../domain/errors.ts";
import { ExactNumber, isReadExactly } from "../domain/money.ts";
import { required } from "../domain/required.ts";
import type { UsedExternalId } from "../store/external-ids.ts";
import type { Operation } from "../world/operation.ts";
import { type Resources, resourceBy } from "../world/resources.ts";
import { faultsOf, invalidRequest } from "./together.ts";

/** The operations that move money, each named as what it makes. */
type MovingOperation = "cashin" | "cashout" | "conversion" | "transfer";

/** A money-moving request; a repeated one is recognized by its parsed `body`. */
interface IdempotentRequest<Name extends MovingOperation> {
  readonly operation: Name;
  readonly username: string;
  readonly externalId: string | null | undefined;
  readonly body: unknown;
}

/** How the resource of a request is checked, made and identified. */
interface Once<Resource> {
  /** Checks the fields as `make` does: an invalid body is refused before a used external id is (`D15`). */
  readonly check: () => unknown;
  readonly make: () => Resource;
  readonly idOf: (resource: Resource) => string;
}

/**
 * Carries out a request, or gives the resource that its external id stands for.
 * @throws {DomainError} `DUPLICATE_EXTERNAL_ID` when the external id was used for anything else; `INVALID_REQUEST` when
 * that other body is itself invalid.
 */
export function once<Name extends MovingOperation>(
  operation: Operation,
  request: IdempotentRequest<Name>,
  of: Once<Resources[Name]>,
): Resources[Name] {
  const { externalIds } = operation.world;
  const { username, externalId } = request;
  if (!externalId) return of.make();
  const used = externalIds.get(username, externalId);
  if (used) return original(operation, request, used, of);
  const resource = of.make();
  externalIds.insert({
    username,
    external_id: externalId,
    operation: request.operation,
    body_digest: digestOf(request.body),
    resource_id: of.idOf(resource),
  });
  return resource;
}

function original<Name extends MovingOperation>(
  { world }: Operation,
  request: IdempotentRequest<Name>,
  used: UsedExternalId,
  { check }: Pick<Once<Resources[Name]>, "check">,
): Resources[Name] {
  if (used.operation !== request.operation || used.body_digest !== digestOf(request.body)) {
    const faults = faultsOf(check);
    if (faults.length > 0) throw invalidRequest(faults);
    const message =
      used.operation === request.operation
        ? undefined
        : `The external_id was used for another operation, a ${used.operation}.`;
    throw new DomainError("DUPLICATE_EXTERNAL_ID", message, { status: world.settings.duplicate_status });
  }
  const { operation, resource_id: id } = used;
  return required(resourceBy[request.operation](world, id), `The ${operation} ${id} of an external id`);
}

/** Bodies up to this many characters are stored instead of a digest: hashing costs more than everything else here. */
const LONGEST_OWN_DIGEST = 128;

function digestOf(body: unknown): string {
  const canonical = canonicalJson(body);
  return canonical.length > LONGEST_OWN_DIGEST ? hash("sha256", canonical, "base64url") : canonical;
}

/**
 * JSON with sorted keys, because their order makes no difference (`D24`). Numbers are written as plain parsing reads
 * them, or as they came if that would round them (`D09`).
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof ExactNumber) return isReadExactly(value) ? String(value.valueOf()) : value.source;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const written = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(members[key])}`);
  return `{${written.join(",")}}`;
}
