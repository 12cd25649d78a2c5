/** Puts the table of the control interface on the network: token, origin, body, answer. */
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { ControlCall, ControlRoute } from "../control/call.ts";
import { FileReply, nothing, patternOf, Reply, streamQuery } from "../control/call.ts";
import { asControlError, ControlError } from "../control/errors.ts";
import { type FurtherCall, furtherCalls } from "../control/further-calls.ts";
import { replayedWorld } from "../control/history-routes.ts";
import { controlRoutes } from "../control/routes.ts";
import { readQuery } from "../control/validation.ts";
import { entryView } from "../control/views.ts";
import { putWorld, worldInput } from "../control/world-routes.ts";
import { DomainError } from "../domain/errors.ts";
import { InvalidTransition } from "../domain/machine.ts";
import { asQuestion, nearName } from "../domain/near-name.ts";
import { MAX_BUNDLE_BYTES } from "../history/bundle.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import type { JournalEntry } from "../store/journal.ts";
import { fullStore, isStorageFault } from "../store/storage-fault.ts";
import type { AppOptions } from "./app-options.ts";
import { readBody } from "./body.ts";
import { forOwnHosts, guard, PRIVATE_HEADERS, refusalAnswer } from "./guard.ts";
import { parseBody } from "./json.ts";
import { playersOf } from "./players.ts";
import { publicOrigin } from "./public-origin.ts";
import { jsonAnswer, QuickResponse } from "./quick-response.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Values of any body but a bundle: the longest scenarios have some thousand. */
const MAX_VALUES = 500_000;
const STREAM_PAGE = 500;
/** As much data of entries is read at once: it waits in memory until the listener has taken it. */
const STREAM_BYTES = 4 * 1024 * 1024;

/** The root, and every world's own address. */
const BASES = ["/_sandbox", "/worlds/:world/_sandbox"] as const;

/** Mounts `/_sandbox` and `/worlds/{world}/_sandbox`; their many routes are laid out when the first call comes. */
export function mountControl(app: Hono, sandbox: Sandbox, options: AppOptions): void {
  const health = { status: "ok", version: options.version };
  app.get(
    "/_sandbox/health",
    forOwnHosts(options, () => jsonAnswer(health)),
  );
  let control: Hono | undefined;
  const call = (context: Context) => {
    control ??= controlApp(sandbox, options);
    return control.fetch(context.req.raw, context.env);
  };
  for (const base of BASES) app.all(base, call).all(`${base}/*`, call);
}

function controlApp(sandbox: Sandbox, options: AppOptions): Hono {
  const app = new Hono();
  const guarded = (handle: (context: Context) => Promise<Response>) => async (context: Context) => {
    try {
      guard(context, options);
      return await handle(context);
    } catch (error) {
      return refuse(refusalOf(error, options));
    }
  };
  for (const base of BASES) {
    app.get(
      `${base}/journal/stream`,
      guarded(async (context) => streamJournal(context, worldOf(context, sandbox))),
    );
    app.get(
      `${base}/openapi.json`,
      guarded((context) => showDocument(context, { sandbox, options, base })),
    );
    for (const route of controlRoutes) {
      if (route.rootOnly && base !== BASES[0]) continue;
      const handle = guarded((context) => callRoute(context, route, { sandbox, options, base }));
      const path = route.path === "/" ? base : base + route.path;
      app.on(route.method, route.path === "/" ? [path, `${path}/`] : [path], handle);
    }
  }
  app.on(
    "PUT",
    [BASES[1], `${BASES[1]}/`],
    guarded((context) => createAtAddress(context, { sandbox, options })),
  );
  for (const base of BASES) {
    app.all(
      `${base}/*`,
      guarded((context) => noSuchCall(context, base)),
    );
    app.all(
      base,
      guarded((context) => noSuchCall(context, base)),
    );
  }
  return app;
}

/** Where calls arrive: the worlds, and what the process is told. */
interface Place {
  readonly sandbox: Sandbox;
  readonly options: AppOptions;
}

async function callRoute(context: Context, route: ControlRoute, place: Place & { base: string }): Promise<Response> {
  worldOf(context, place.sandbox);
  const given = await readCall(context, place, pathBelow(context, place.base));
  // A body takes its time: the world may have been reset meanwhile, or be made anew.
  const call = { ...given, live: worldOf(context, place.sandbox) };
  readQuery(route.query?.() ?? nothing, call.query, route.input?.());
  const result = await handleWhileThere(call, route);
  if (result instanceof FileReply) return fileReply(result);
  return result instanceof Reply ? reply(result) : json(result);
}

/** The OpenAPI document of what can be called here; what it is made of is read when it is first asked for. */
async function showDocument(context: Context, { sandbox, options, base }: Place & { base: string }): Promise<Response> {
  worldOf(context, sandbox);
  const { pathname, searchParams } = new URL(context.req.url);
  readQuery(nothing, searchParams);
  const { controlDocument } = await import("../control/document/control-document.ts");
  const baseUrl = publicOrigin(context, options) + pathname.slice(0, pathname.lastIndexOf("/_sandbox/"));
  return json(controlDocument({ version: options.version, baseUrl, isRoot: base === BASES[0] }));
}

/** So many characters of a file's name are given in a header, the last ones: clients take no more than some KiB. */
const MOST_OF_NAME = 200;

/** A file that somebody sent: never a page of ours, whatever its bytes are. */
function fileReply({ name, type, content }: FileReply): Response {
  const end = [...name].slice(-MOST_OF_NAME).join("");
  const headers = {
    ...PRIVATE_HEADERS,
    "Content-Type": type,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(end)}`,
  };
  return new QuickResponse(new Uint8Array(content), { headers });
}

/** A call that takes its time may find at its end that its world has gone. */
async function handleWhileThere(call: ControlCall, route: ControlRoute): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (thrown) {
    const error = asControlError(thrown);
    if (error instanceof ControlError || isStorageFault(error) || !call.live.closed) throw error;
    const { id } = call.live;
    const what = call.sandbox.get(id) ? "was taken back by a reset or a restore" : "went away";
    throw new ControlError(409, "WORLD_GONE", `The world ${id} ${what} while this call was under way.`);
  }
}

async function createAtAddress(context: Context, place: Place): Promise<Response> {
  const call = await readCall(context, place, "/");
  readQuery(nothing, call.query, worldInput());
  return reply(await putWorld(call, context.req.param("world") ?? ""));
}

function reply({ status, body }: Reply): Response {
  return status === 204 ? new QuickResponse(null, { status, headers: PRIVATE_HEADERS }) : json(body, status);
}

function json(body: unknown, status = 200): Response {
  return jsonAnswer(body, status, PRIVATE_HEADERS);
}

async function readCall(
  context: Context,
  { sandbox, options }: Place,
  path: string,
): Promise<Omit<ControlCall, "live">> {
  const limit = path === "/worlds" || path === "/" ? MAX_BUNDLE_BYTES : MAX_BODY_BYTES;
  const { body, tooLarge } = await readBody((context.env as HttpBindings).incoming, limit);
  if (tooLarge) throw new ControlError(413, "PAYLOAD_TOO_LARGE", `The body is over ${limit} bytes.`);
  const root = publicOrigin(context, options);
  const media = (context.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const mayBeYaml = path === "/scenarios";
  const isYaml = /yaml$/.test(media) && mayBeYaml;
  return {
    sandbox,
    again: null,
    method: context.req.method,
    path,
    params: context.req.param() as Record<string, string>,
    query: new URL(context.req.url).searchParams,
    body:
      isYaml || body.length === 0 ? {} : readJson(body, media, { mayBeBundle: limit === MAX_BUNDLE_BYTES, mayBeYaml }),
    text: isYaml ? body.toString() : null,
    file: null,
    root,
    replay: (given) => replayedWorld({ sandbox, root }, playersOf(options.onFault), given),
  };
}

/** What else the body of a call may be. */
interface Bodies {
  readonly mayBeBundle: boolean;
  readonly mayBeYaml: boolean;
}

function readJson(body: Buffer, media: string, { mayBeBundle, mayBeYaml }: Bodies): unknown {
  const isJson = media === "application/json" || (media === "" && !mayBeYaml);
  // `curl -d` calls JSON a form unless told otherwise.
  const isUntold = media === "" || media === "application/x-www-form-urlencoded";
  if (!isJson && !(isUntold && body.toString().trimStart().startsWith("{"))) {
    const orYaml = mayBeYaml ? ", or YAML, with application/yaml" : "";
    const words = `The body must be JSON, with Content-Type: application/json${orYaml}.`;
    throw new ControlError(415, "UNSUPPORTED_MEDIA_TYPE", words);
  }
  try {
    const maxValues = mayBeBundle ? Number.POSITIVE_INFINITY : MAX_VALUES;
    return withoutPrototypes(parseBody(body, maxValues));
  } catch (error) {
    if (error instanceof ControlError) throw error;
    throw new ControlError(400, "INVALID_REQUEST", (error as Error).message);
  }
}

/** A body as it is. @throws {ControlError} 400 for a key that schemas leave out without a word. */
function withoutPrototypes(body: unknown): unknown {
  if (body === null || typeof body !== "object") return body;
  if (Object.hasOwn(body, "__proto__")) {
    throw new ControlError(400, "INVALID_REQUEST", 'The body must have no field "__proto__".');
  }
  for (const member of Object.values(body)) withoutPrototypes(member);
  return body;
}

function worldOf(context: Context, sandbox: Sandbox): LiveWorld {
  // A route such as DELETE /worlds/:world names a world in its own path; the base's comes first.
  const id = context.req.path.startsWith("/worlds/") ? (context.req.param("world") ?? "") : DEFAULT_WORLD;
  const live = sandbox.get(id);
  if (!live) throw new ControlError(404, "NOT_FOUND", `There is no world ${JSON.stringify(id)} here.`);
  // Nobody is told of what calls of this turn have done before it is kept.
  live.world.commit();
  return live;
}

function pathBelow(context: Context, base: string): string {
  // By its segments: those of the request may be written with escapes.
  return (
    context.req.path
      .split("/")
      .slice(base.split("/").length)
      .map((segment) => `/${segment}`)
      .join("") || "/"
  );
}

async function noSuchCall(context: Context, base: string): Promise<Response> {
  const path = pathBelow(context, base);
  const methods = addresses
    .filter((row) => (row.only ?? base) === base && patternOf(row).test(path))
    .map((row) => row.method);
  if (methods.length === 0) {
    throw new ControlError(404, "NOT_FOUND", `There is no ${path}${whereElse(path, base)}`);
  }
  const allow = [...new Set(methods)].join(", ");
  return refuse(new ControlError(405, "METHOD_NOT_ALLOWED", `${path} takes ${allow}.`), { Allow: allow });
}

/** How the sentence about an unknown address ends: with the root, where it is known, or the nearest here. */
function whereElse(path: string, base: string): string {
  const [root] = BASES;
  if (base !== root && addresses.some((row) => row.only === root && patternOf(row).test(path))) {
    return ` of one world in the control interface; it is at the root: ${root}${path}.`;
  }
  const near = nearName(path, pathsLike(path, base));
  return ` in the control interface${asQuestion(near) || "."}`;
}

/** The addresses of as many parts, with the ids of this one in the places of theirs. */
function pathsLike(path: string, base: string): string[] {
  const parts = path.split("/").filter(Boolean);
  return addresses
    .filter((row) => (row.only ?? base) === base)
    .map((row) => row.path.split("/").filter(Boolean))
    .filter(({ length }) => length === parts.length)
    .map((names) => `/${names.map((name, at) => (name.startsWith(":") ? parts[at] : name)).join("/")}`);
}

/** TABLE: what can be called where; `only` at the root or only at a world's own address. */
const addresses: readonly { method: string; path: string; only?: (typeof BASES)[number] }[] = [
  ...controlRoutes,
  ...furtherCalls,
].map(({ method, path, rootOnly, worldOnly }: FurtherCall) => {
  return { method, path, ...(rootOnly ? { only: BASES[0] } : worldOnly ? { only: BASES[1] } : {}) };
});

function refuse(error: ControlError, more: Readonly<Record<string, string>> = {}): Response {
  return refusalAnswer(error, { ...PRIVATE_HEADERS, ...more });
}

/** What was thrown as a refusal; of a fault of ours the process is told. */
function refusalOf(thrown: unknown, { onFault }: AppOptions): ControlError {
  const error = asControlError(thrown);
  if (error instanceof ControlError) return error;
  if (error instanceof InvalidTransition) {
    return new ControlError(409, "INVALID_TRANSITION", error.message, { state: error.state, allowed: error.allowed });
  }
  if (error instanceof DomainError) return new ControlError(422, error.code, error.message);
  if (isStorageFault(error)) {
    const { code, what, remedy } = fullStore(error);
    const message = `${what[0]?.toUpperCase()}${what.slice(1)}: nothing half done was kept. ${remedy}`;
    return new ControlError(503, code, message);
  }
  onFault(error);
  return new ControlError(500, "INTERNAL_ERROR", "A fault of the sandbox; its log tells more, please report it.");
}

/** The journal live, from the entry after `Last-Event-ID` or `?after`, or from now on. @throws {ControlError} 400. */
function streamJournal(context: Context, live: LiveWorld): Response {
  let sent = sequenceBefore(context, live);
  // A stream that nobody reads would wait for ever.
  if (context.req.method === "HEAD") {
    return new QuickResponse(null, { headers: { ...PRIVATE_HEADERS, "Content-Type": "text/event-stream" } });
  }
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) context.header(name, value);
  return streamSSE(context, async (stream) => {
    let wake: () => void = () => {};
    const listener = (_entries: readonly JournalEntry[]) => wake();
    live.world.commitListeners.add(listener);
    stream.onAbort(() => {
      live.world.commitListeners.delete(listener);
      wake();
    });
    while (!stream.aborted && !live.closed) {
      // What is not kept yet may come to nothing, and others take its sequences.
      live.world.commit();
      const { journal } = live.world;
      const entries = journal.after(sent, journal.countWithin(STREAM_BYTES, sent, STREAM_PAGE));
      for (const entry of entries) {
        await stream.writeSSE({
          id: String(entry.sequence),
          event: entry.kind,
          data: JSON.stringify(entryView(entry)),
        });
        sent = entry.sequence;
      }
      if (entries.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  });
}

/**
 * The sequence of the entry that a stream goes on after. One beyond the journal is of a history that a reset or a
 * restore has ended: the one there is now begins at its beginning.
 */
function sequenceBefore(context: Context, { world }: LiveWorld): number {
  const { after } = readQuery(streamQuery(), new URL(context.req.url).searchParams);
  const header = context.req.header("last-event-id");
  const given = header ?? after;
  const last = world.journal.last().sequence;
  if (given === undefined) return last;
  if (/^\d{1,15}$/.test(given)) return Number(given) > last ? 0 : Number(given);
  const name = header === undefined ? "after" : "Last-Event-ID";
  throw new ControlError(400, "INVALID_REQUEST", `${name} must be the sequence of a journal entry, or 0 for all.`);
}
