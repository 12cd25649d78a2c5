/** The address of a running sandbox, as options give it. */
import { baseAddress } from "../domain/web-address.ts";
import { UsageError } from "./usage-error.ts";

/** The variable that says it to every command that takes `--url` for it. */
export const URL_VARIABLE = "PAYMENTS_SANDBOX_URL";

/** The address without a slash at its end. @throws {UsageError} for what is none. */
export function addressOf(url: string): string {
  const address = baseAddress(url);
  if (address !== null) return address;
  throw new UsageError(`--url must be an address such as http://127.0.0.1:4400, not ${JSON.stringify(url)}.`);
}
