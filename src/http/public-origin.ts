/** The address of a sandbox, as its callers see it. */
import type { Context } from "hono";
import type { AppOptions } from "./app-options.ts";

/** Scheme, host and port as the caller sees them: behind a trusted proxy, the scheme by which the proxy was called. */
export function publicOrigin(context: Context, { trustProxy }: Pick<AppOptions, "trustProxy">): string {
  const { protocol, host } = new URL(context.req.url);
  const forwarded = trustProxy ? context.req.header("x-forwarded-proto") : undefined;
  return `${forwarded === "https" ? "https:" : protocol}//${host}`;
}
