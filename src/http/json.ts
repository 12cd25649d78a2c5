/** JSON bodies, with numbers kept as they were written (`D09`). */
import { DomainError } from "../domain/errors.ts";
import { ExactNumber } from "../domain/money.ts";

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body.
 * @throws {DomainError} `INVALID_REQUEST` when it is not JSON in UTF-8 (`D20`).
 */
export function parseBody(body: Uint8Array): unknown {
  try {
    return parse(utf8.decode(body), (_key, value, { source }) =>
      typeof value === "number" ? new ExactNumber(source ?? String(value)) : value,
    );
  } catch (error) {
    const reason = error instanceof RangeError ? "it is nested too deeply" : "it cannot be parsed";
    throw new DomainError("INVALID_REQUEST", `The body must be JSON in UTF-8; ${reason}.`);
  }
}

/** Writes JSON; exact numbers as the literals that they are (`D29`). */
export function writeJson(value: unknown): string {
  return JSON.stringify(value);
}
