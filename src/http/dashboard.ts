/** The dashboard of every world: one page with its script and its style sheet, as `npm run build` made them. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Context, Hono } from "hono";
import { parseAccept } from "hono/utils/accept";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import type { AppOptions } from "./app-options.ts";
import { forOwnHosts } from "./guard.ts";
import { QuickResponse } from "./quick-response.ts";
import { refuseOtherMethods } from "./refusal.ts";
import { startPage } from "./start-page.ts";

/** Loads only our own files, and no inline script or style: a payer's name may contain markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The start page has an inline style, and loads nothing. */
const START_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** TABLE: the files that the page loads from beside itself. */
const assets = [
  { name: "dashboard.js", type: "text/javascript; charset=utf-8" },
  { name: "dashboard.css", type: "text/css; charset=utf-8" },
] as const;

/** TABLE: the compressed forms in which the build leaves an asset, smallest first. */
const encodings = [
  { encoding: "br", ending: ".br" },
  { encoding: "gzip", ending: ".gz" },
] as const;

/** The folder of the built dashboard, seen from `src/http` or, once built, from `dist/http`. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../dist/dashboard/" : "../dashboard/", import.meta.url);

/** A file and its entity tag. */
interface Kept {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

const read = new Map<string, Kept>();

/** Mounts `/` and `/worlds/{world}/`. */
export function mountDashboard(app: Hono, sandbox: Sandbox, options: AppOptions): void {
  const { version } = options;
  const show = (path: string, handle: (context: Context) => Response) =>
    app
      .get(path, forOwnHosts(options, handle))
      .all(path, (context) => (isShown(context, sandbox) ? refuseOtherMethods() : unknown(context)));
  // The page loads its files by relative addresses, whatever prefix a proxy adds: its own address must end with a
  // slash.
  show("/worlds/:world", (context) => (isShown(context, sandbox) ? withSlash(context) : unknown(context)));
  for (const base of ["/", "/worlds/:world/"]) {
    show(base, (context) => page(context, sandbox, version));
    for (const { name, type } of assets) show(base + name, (context) => asset(context, name, type));
  }
}

/**
 * Redirects relative to the present address; `./` is for worlds such as `https:`, which would be an address by itself.
 */
function withSlash(context: Context): Response {
  return context.redirect(`./${encodeURIComponent(context.req.param("world") ?? "")}/`);
}

/**
 * A browser gets the page of an unknown world too, as the page itself says that there is none; other clients do not.
 */
function isShown(context: Context, sandbox: Sandbox): boolean {
  return isThere(context, sandbox) || (context.req.header("accept")?.includes("text/html") ?? false);
}

function isThere(context: Context, sandbox: Sandbox): boolean {
  return sandbox.get(context.req.param("world") ?? DEFAULT_WORLD) !== undefined;
}

function unknown(context: Context): Response {
  return context.notFound() as Response;
}

function page(context: Context, sandbox: Sandbox, version: string): Response {
  if (!isShown(context, sandbox)) return unknown(context);
  const world = context.req.param("world");
  const status = isThere(context, sandbox) ? 200 : 404;
  const file = existsSync(new URL("dashboard.js", folder)) ? kept("index.html") : undefined;
  if (!file) {
    const base = world === undefined ? "" : `/worlds/${encodeURIComponent(world)}`;
    return context.html(startPage(version, base), status, { ...HEADERS, "Content-Security-Policy": START_PAGE_POLICY });
  }
  if (status === 200 && isKnown(context, file.tag)) return unchanged(file.tag);
  return new QuickResponse(file.bytes, {
    status,
    headers: { ...HEADERS, "Content-Type": "text/html; charset=utf-8", ETag: file.tag },
  });
}

function asset(context: Context, name: string, type: string): Response {
  const accepted = acceptedOf(context.req.header("accept-encoding") ?? "");
  const coded = encodings.find(({ encoding }) => accepted.includes(encoding));
  const file = kept(name + (coded?.ending ?? ""));
  if (!file) return unknown(context);
  if (isKnown(context, file.tag)) return unchanged(file.tag);
  const encoded = coded ? { "Content-Encoding": coded.encoding } : {};
  return new QuickResponse(file.bytes, {
    headers: { ...HEADERS, ...encoded, "Content-Type": type, Vary: "Accept-Encoding", ETag: file.tag },
  });
}

/** The codings that a header `Accept-Encoding` names, without those of weight 0. */
function acceptedOf(header: string): string[] {
  return parseAccept(header).flatMap(({ type, q }) => (q === 0 ? [] : [type.toLowerCase()]));
}

/** A file of the build, read once; undefined where nothing was built. */
function kept(name: string): Kept | undefined {
  const known = read.get(name);
  if (known) return known;
  const path = fileURLToPath(new URL(name, folder));
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(readFileSync(path));
  const file = { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
  read.set(name, file);
  return file;
}

function isKnown(context: Context, tag: string): boolean {
  return (context.req.header("if-none-match") ?? "").split(/, */).includes(tag);
}

function unchanged(tag: string): Response {
  return new QuickResponse(null, { status: 304, headers: { ...HEADERS, ETag: tag, Vary: "Accept-Encoding" } });
}
