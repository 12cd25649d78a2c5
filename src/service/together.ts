/** Checks a request so that all its faults are reported at once (`D20`). */
import { DomainError } from "../domain/errors.ts";
import { withoutStop } from "../domain/words/near-name.ts";

/** Thrown when a field that is known to be invalid is read: what depends on it cannot be checked. */
export class FieldAtFault extends Error {
  override readonly name = "FieldAtFault";
}

type Results<Checks extends readonly (() => unknown)[]> = { [Index in keyof Checks]: ReturnType<Checks[Index]> };

/**
 * Runs all checks, even if some of them refuse.
 * @returns their results, in order.
 * @throws {DomainError} one `INVALID_REQUEST` with all faults; if there are none, the first refusal of another kind.
 * @throws {FieldAtFault} if that comes first.
 */
export function together<Checks extends readonly (() => unknown)[]>(...checks: Checks): Results<Checks> {
  const faults = new Set<string>();
  const others: unknown[] = [];
  const results: unknown[] = [];
  for (const check of checks) {
    try {
      results.push(check());
    } catch (error) {
      if (isInvalid(error)) faults.add(withoutStop(error.message));
      else if (error instanceof DomainError || error instanceof FieldAtFault) others.push(error);
      else throw error;
    }
  }
  if (faults.size > 0) throw invalidRequest([...faults]);
  if (others.length > 0) throw others[0];
  return results as unknown as Results<Checks>;
}

/** The faults that a check finds, for {@link invalidRequest}; empty if it refuses for another reason, or not at all. */
export function faultsOf(check: () => unknown): string[] {
  try {
    together(check);
  } catch (error) {
    if (isInvalid(error)) return [withoutStop(error.message)];
    if (!(error instanceof DomainError || error instanceof FieldAtFault)) throw error;
  }
  return [];
}

/** @param faults each begins with its field: `amount must be above zero`. */
export function invalidRequest(faults: readonly string[]): DomainError {
  return new DomainError("INVALID_REQUEST", `${faults.join("; ")}.`);
}

function isInvalid(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === "INVALID_REQUEST";
}
