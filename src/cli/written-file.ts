/** Files that commands write where the user says. */
import { UsageError } from "./usage-error.ts";

/**
 * Does what writing a file needs.
 * @param named how the message names the file.
 * @throws {UsageError} if the file system refuses it.
 */
export function forWriting<Result>(named: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${named} cannot be written: ${(error as Error).message}.`);
  }
}
