/** Where a sandbox is for those who call it. */
import type { Context } from "hono";
import type { AppOptions } from "./app-options.ts";

/** Scheme, host and port as the caller has them: behind a trusted proxy the scheme is the one that it was called by. */
export function publicOrigin(context: Context, { trustProxy }: Pick<AppOptions, "trustProxy">): string {
  const { protocol, host } = new URL(context.req.url);
  const forwarded = trustProxy ? context.req.header("x-forwarded-proto") : undefined;
  return `${forwarded === "https" ? "https:" : protocol}//${host}`;
}
