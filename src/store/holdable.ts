/** Amounts that fit into SQLite's integers of 64 bits. */
import { DomainError } from "../domain/errors.ts";
import type { MinorUnits } from "../domain/money.ts";

/**
 * Returns a sum that is to be stored, if it fits. To be called when it is computed, since only a commit writes it.
 * @param what names the sum at the beginning of the message.
 * @throws {DomainError} `LIMIT_EXCEEDED` if the sum does not fit into 64 bits.
 */
export function holdable(sum: MinorUnits, what: string): MinorUnits {
  if (BigInt.asIntN(64, sum) === sum) return sum;
  throw new DomainError("LIMIT_EXCEEDED", `${what} would come to more than can be held.`);
}
