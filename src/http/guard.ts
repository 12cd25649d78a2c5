/** Who may steer a sandbox, and look at its dashboard. */
import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "hono";
import { ControlError } from "../control/errors.ts";
import { isLocalHost } from "../domain/destinations.ts";
import { secretMatches } from "../service/tokens.ts";
import { bearerToken } from "./bearer.ts";
import { jsonAnswer } from "./quick-response.ts";

/** By whom and under which names a sandbox may be steered. */
export interface Gate {
  readonly controlToken: string | null;
  /** Host names beside those of this machine and its networks (`--allow-host`), in lower case. */
  readonly allowedHosts: readonly string[];
}

/** What keeps an answer from being kept, guessed at or embedded by pages of others. */
export const PRIVATE_HEADERS = {
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

/**
 * Pages of other origins, names that are made to point here and callers without the token do not steer a sandbox.
 * @throws {ControlError} 403 `FOREIGN_HOST`, `FOREIGN_ORIGIN`; 401 `UNAUTHORIZED`.
 */
export function guard(context: Context, gate: Gate): void {
  refuseForeignHost(context, gate);
  refuseForeignPage(context, gate);
  refuseWithoutToken(context, gate);
}

/** Names that are made to point to this machine get no page of it either. @throws {ControlError} 403 `FOREIGN_HOST`. */
function refuseForeignHost(context: Context, gate: Gate): void {
  const host = context.req.header("host") ?? "";
  if (isOwnHost(host, gate)) return;
  const what = `The host ${JSON.stringify(host)} is not this machine; --allow-host lets a name in.`;
  throw new ControlError(403, "FOREIGN_HOST", what);
}

/**
 * What a browser says of the page that calls: its origin or, where it names none, whether that is another one. A link
 * that somebody follows leads here all the same, for the page that has it gets nothing of what is shown.
 */
function refuseForeignPage(context: Context, { allowedHosts }: Gate): void {
  const header = (name: string) => context.req.header(name);
  const origin = header("origin");
  if (origin === undefined) {
    const isForeign = ["cross-site", "same-site"].includes(header("sec-fetch-site") ?? "");
    const isFollowed = header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document";
    if (!isForeign || (isFollowed && context.req.method === "GET")) return;
    throw new ControlError(403, "FOREIGN_ORIGIN", "Pages of other origins may not call the control interface.");
  }
  const url = pageOf(origin);
  if (url && isOf(url, header("host") ?? "", allowedHosts)) return;
  const who = JSON.stringify(origin);
  throw new ControlError(403, "FOREIGN_ORIGIN", `Pages of ${who} may not call the control interface.`);
}

/**
 * Why a call of the service is refused that a browser makes: for a page of another site, or under a name that was made
 * to point here. Anyone can know the credentials of a seed, and what a page has refused would block its visitor. A
 * program names no origin, and is served under any name.
 * @returns one sentence, or null where nothing speaks against it.
 */
export function foreignPageFault({ origin, host = "", ...headers }: IncomingHttpHeaders, gate: Gate): string | null {
  const site = headers["sec-fetch-site"];
  if (origin === undefined && site === undefined) return null;
  if (!isOwnHost(host, gate)) {
    return `Pages may not call the service at the host ${JSON.stringify(host)}; --allow-host lets a name in.`;
  }
  if (origin === undefined) {
    return site === "same-origin" || site === "none" ? null : "Pages of other sites may not call the service.";
  }
  const url = pageOf(origin);
  // A page of the developer's own, whose server passes its calls on: to a browser that server is the page's own.
  const isPassedOn = url && isLocalHost(url.hostname) && site !== "cross-site";
  if (isPassedOn || (url && isOf(url, host, gate.allowedHosts))) return null;
  return `Pages of ${JSON.stringify(origin)} may not call the service.`;
}

/** Where the pages of an origin come from; null for what is no page of the web, such as an extension. */
function pageOf(origin: string): URL | null {
  return /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin) : null;
}

/** Whether a page is one of the host that is called, or of a name that was let in. */
function isOf(page: URL, host: string, allowedHosts: readonly string[]): boolean {
  return page.host === host.toLowerCase() || allowedHosts.includes(page.hostname);
}

/** Whether a host header names an address, this machine and its networks, or what was let in. */
function isOwnHost(host: string, { allowedHosts }: Gate): boolean {
  const hostname = hostnameOf(host);
  const isAddress = /^\d+\.\d+\.\d+\.\d+$|^\[.*\]$/.test(hostname);
  return isAddress || isLocalHost(hostname) || allowedHosts.includes(hostname);
}

/** A refusal as the control interface answers it. */
export function refusalAnswer(
  { status, code, message, details }: ControlError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer({ error: { code, message, details } }, status, headers);
}

/** A page of a sandbox that is shown without a token, though to none but the names of this machine. */
export function forOwnHosts(gate: Gate, show: (context: Context) => Response | Promise<Response>) {
  return (context: Context): Response | Promise<Response> => {
    try {
      refuseForeignHost(context, gate);
      return show(context);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      return refusalAnswer(error);
    }
  };
}

/** The name of a `Host` header; empty for what is none. */
function hostnameOf(host: string): string {
  // A browser sends nothing else; a URL would take what stands before @ and after / for other parts of itself.
  const isPlain = /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
  return isPlain ? new URL(`http://${host}`).hostname : "";
}

function refuseWithoutToken(context: Context, { controlToken }: Gate): void {
  if (controlToken === null) return;
  const given = bearerToken(context.req.header("authorization"));
  if (given && secretMatches(given, controlToken)) return;
  throw new ControlError(
    401,
    "UNAUTHORIZED",
    "The control token is missing or wrong; send Authorization: Bearer TOKEN.",
  );
}
