/** Who may control a sandbox and see its dashboard, and which web pages may call its service. */
import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "hono";
import { ControlError } from "../control/errors.ts";
import { isLocalHost } from "../domain/destinations.ts";
import { secretMatches } from "../service/tokens.ts";
import { bearerToken } from "./bearer.ts";
import { jsonAnswer } from "./quick-response.ts";

/** The control token, and the names under which a sandbox may be called. */
export interface Gate {
  readonly controlToken: string | null;
  /** Host names beside those of this machine and its networks (`--allow-host`), in lower case. */
  readonly allowedHosts: readonly string[];
}

/** Keeps an answer out of caches, from content sniffing, and from being embedded by pages of other sites. */
export const PRIVATE_HEADERS = {
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

/**
 * Refuses host names that are made to point here (DNS rebinding), pages of other origins, and callers without the
 * token.
 * @throws {ControlError} 403 `FOREIGN_HOST`, `FOREIGN_ORIGIN`; 401 `UNAUTHORIZED`.
 */
export function guard(context: Context, gate: Gate): void {
  refuseForeignHost(context, gate);
  refuseForeignPage(context, gate);
  refuseWithoutToken(context, gate);
}

/**
 * Refuses host names that are made to point to this machine (DNS rebinding).
 * @throws {ControlError} 403 `FOREIGN_HOST`.
 */
function refuseForeignHost(context: Context, gate: Gate): void {
  const host = context.req.header("host") ?? "";
  if (isOwnHost(host, gate)) return;
  const what = `The host ${JSON.stringify(host)} is not this machine; --allow-host lets a name in.`;
  throw new ControlError(403, "FOREIGN_HOST", what);
}

/**
 * Refuses calls by pages of other origins, told by `Origin` or, without it, by `Sec-Fetch-Site`. A link that somebody
 * follows is let in: the page with the link sees nothing of the answer.
 * @throws {ControlError} 403 `FOREIGN_ORIGIN`.
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
 * Why a browser's call of the service is refused: a page of another site makes it, or the host name was made to point
 * here. Anyone can know the credentials of a seed, and refusals that such a page brings about would block its visitor.
 * A program sends no `Origin`, and is served under any name.
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
  // A page of a local development server that proxies its calls: to the browser that server is the page's own.
  const isPassedOn = url && isLocalHost(url.hostname) && site !== "cross-site";
  if (isPassedOn || (url && isOf(url, host, gate.allowedHosts))) return null;
  return `Pages of ${JSON.stringify(origin)} may not call the service.`;
}

/** An origin as a URL; null for what is no web page, such as a browser extension. */
function pageOf(origin: string): URL | null {
  return /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin) : null;
}

/** Whether a page comes from the host that is called, or from an allowed one. */
function isOf(page: URL, host: string, allowedHosts: readonly string[]): boolean {
  return page.host === host.toLowerCase() || allowedHosts.includes(page.hostname);
}

/** Whether a `Host` header names an IP address, this machine, its networks or an allowed host. */
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

/** Wraps a page that is shown without a token, but under no foreign host name. */
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

/** The name in a `Host` header; empty if the header is not valid. */
function hostnameOf(host: string): string {
  // Browsers send nothing else; in other text, URL would find user info before an @ and a path after a slash.
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
