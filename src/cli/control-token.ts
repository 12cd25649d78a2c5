/** The control token, as options give it. */
import { CONTROL_TOKEN_RULE, isControlToken } from "../domain/access.ts";
import { UsageError } from "./usage-error.ts";

/** @throws {UsageError} if it cannot be sent in a header. */
export function controlTokenOf(token: string | undefined): string | undefined {
  if (token === undefined || isControlToken(token)) return token;
  throw new UsageError(`--control-token ${CONTROL_TOKEN_RULE}.`);
}
