/** Amounts as SQLite holds them: in 64 bits. */
import { DomainError } from "../domain/errors.ts";
import type { MinorUnits } from "../domain/money.ts";

/**
 * A sum that is about to be kept, as it is. To be asked when it is reckoned, since only a commit writes it.
 * @param what it is a sum of, as a sentence begins.
 * @throws {DomainError} `LIMIT_EXCEEDED` where it is more than 64 bits hold (`D26`).
 */
export function holdable(sum: MinorUnits, what: string): MinorUnits {
  if (BigInt.asIntN(64, sum) === sum) return sum;
  throw new DomainError("LIMIT_EXCEEDED", `${what} would come to more than can be held.`);
}
