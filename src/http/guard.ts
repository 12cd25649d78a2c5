/** Who may steer a sandbox, and look at its dashboard. */
import type { Context } from "hono";
import { ControlError } from "../control/errors.ts";
import { isLocalHost } from "../domain/destinations.ts";
import { secretMatches } from "../service/tokens.ts";
import type { AppOptions } from "./app.ts";

/**
 * Pages of other origins, names that are made to point here and callers without the token do not steer a sandbox.
 * @throws {ControlError} 403 `FOREIGN_HOST`, `FOREIGN_ORIGIN`; 401 `UNAUTHORIZED`.
 */
export function guard(context: Context, options: AppOptions): void {
  refuseForeignHost(context);
  const origin = context.req.header("origin");
  const host = context.req.header("host") ?? "";
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)) {
    throw new ControlError(
      403,
      "FOREIGN_ORIGIN",
      `Pages of ${JSON.stringify(origin)} may not call the control interface.`,
    );
  }
  refuseWithoutToken(context, options);
}

/** Names that are made to point to this machine get no page of it either. @throws {ControlError} 403 `FOREIGN_HOST`. */
export function refuseForeignHost(context: Context): void {
  const host = context.req.header("host") ?? "";
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  const isAddress = /^\d+\.\d+\.\d+\.\d+$|^\[.*\]$/.test(hostname);
  if (isAddress || isLocalHost(hostname)) return;
  throw new ControlError(403, "FOREIGN_HOST", `The host ${JSON.stringify(host)} is not this machine.`);
}

function refuseWithoutToken(context: Context, { controlToken }: AppOptions): void {
  if (controlToken === null) return;
  const given = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
  if (given && secretMatches(given, controlToken)) return;
  throw new ControlError(
    401,
    "UNAUTHORIZED",
    "The control token is missing or wrong; send Authorization: Bearer TOKEN.",
  );
}
