/** Mounts the routes of the control interface. */
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type BodyKind, type ControlCall, type ControlRoute, nothing, worldGone } from "../control/call.ts";
import { asControlError, ControlError } from "../control/errors.ts";
import { replayedWorld } from "../control/history-routes.ts";
import { controlRoutes } from "../control/routes.ts";
import { readQuery } from "../control/validation.ts";
import { putWorld, worldInput } from "../control/world-routes.ts";
import { UNKNOWN_WORLD } from "../domain/control-refusals.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import type { AppOptions } from "./app-options.ts";
import { BASES, noSuchCall, pathBelow } from "./control-addresses.ts";
import { answerOf, refusalOf, refuse } from "./control-answers.ts";
import { readControlBody } from "./control-body.ts";
import { forOwnHosts, guard } from "./guard.ts";
import { streamJournal } from "./journal-stream.ts";
import { playersOf } from "./players.ts";
import { publicOrigin } from "./public-origin.ts";
import { jsonAnswer } from "./quick-response.ts";
import { noSuchWorld } from "./refusal.ts";

/** Mounts `/_sandbox` and `/worlds/{world}/_sandbox`; their many routes are built at the first call. */
export function mountControl(app: Hono, sandbox: Sandbox, options: AppOptions): void {
  const health = { status: "ok", version: options.version };
  app.get(
    "/_sandbox/health",
    forOwnHosts(options, () => jsonAnswer(health)),
  );
  app.get(
    "/worlds/:world/_sandbox/health",
    forOwnHosts(options, (context) => {
      worldOf(context, sandbox);
      return jsonAnswer(health);
    }),
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
  const guarded = guardedBy(options);
  for (const base of BASES) mountCalls(app, guarded, { sandbox, options, base });
  app.on(
    "PUT",
    [BASES[1], `${BASES[1]}/`],
    guarded((context) => createAtAddress(context, { sandbox, options })),
  );
  for (const base of BASES) {
    const refused = guarded((context) => noSuchCall(context, base));
    app.all(`${base}/*`, refused).all(base, refused);
  }
  return app;
}

type Handle = (context: Context) => Promise<Response>;

/** A handler for those whom the guard lets in; what it throws is answered as a refusal. */
function guardedBy(options: AppOptions): (handle: Handle) => Handle {
  return (handle) => async (context) => {
    try {
      guard(context, options);
      return await handle(context);
    } catch (error) {
      return refuse(refusalOf(error, options));
    }
  };
}

/** Mounts the calls that exist at one of the {@link BASES}. */
function mountCalls(app: Hono, guarded: ReturnType<typeof guardedBy>, mount: Mount): void {
  const { sandbox, options, base } = mount;
  app.get(
    `${base}/journal/stream`,
    guarded(async (context) => streamJournal(context, worldOf(context, sandbox), options.pulseMs)),
  );
  app.get(
    `${base}/openapi.json`,
    guarded((context) => showDocument(context, mount)),
  );
  for (const route of controlRoutes) {
    if (route.rootOnly && base !== BASES[0]) continue;
    const paths = route.path === "/" ? [base, `${base}/`] : [base + route.path];
    app.on(
      route.method,
      paths,
      guarded((context) => callRoute(context, route, mount)),
    );
  }
}

/** What handlers need: the worlds, and the options of the app. */
interface Dependencies {
  readonly sandbox: Sandbox;
  readonly options: AppOptions;
}

/** The same for the calls at one of the {@link BASES}. */
interface Mount extends Dependencies {
  readonly base: string;
}

async function callRoute(context: Context, route: ControlRoute, mount: Mount): Promise<Response> {
  worldOf(context, mount.sandbox);
  const given = await readCall(context, mount, { path: pathBelow(context, mount.base), body: route.body });
  // Looked up again: while the body was read, the world may have been reset, or deleted and made anew.
  const call = { ...given, live: worldOf(context, mount.sandbox) };
  readQuery(route.query?.() ?? nothing, call.query, route.input?.());
  return answerOf(await handleWhileThere(call, route));
}

/** Answers with the OpenAPI document of the calls at this address, whose modules are imported at the first request. */
async function showDocument(context: Context, { sandbox, options, base }: Mount): Promise<Response> {
  worldOf(context, sandbox);
  const { path, url } = context.req;
  readQuery(nothing, new URL(url).searchParams);
  const { controlDocument } = await import("../control/document/control-document.ts");
  const baseUrl = publicOrigin(context, options) + path.slice(0, path.lastIndexOf("/_sandbox/"));
  return answerOf(controlDocument({ version: options.version, baseUrl, isRoot: base === BASES[0] }));
}

/**
 * Carries out a route. If the world was closed while a long call was under way, the error that follows is told as that.
 */
async function handleWhileThere(call: ControlCall, route: ControlRoute): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (thrown) {
    const error = asControlError(thrown);
    if (error instanceof ControlError || isStorageFault(error) || !call.live.closed) throw error;
    throw worldGone(call);
  }
}

async function createAtAddress(context: Context, dependencies: Dependencies): Promise<Response> {
  const call = await readCall(context, dependencies, { path: "/", body: "bundle" });
  readQuery(nothing, call.query, worldInput());
  return answerOf(await putWorld(call, context.req.param("world") ?? ""));
}

function worldOf(context: Context, sandbox: Sandbox): LiveWorld {
  // The world in the base, not the one that a route such as DELETE /worlds/:world has in its own path.
  const id = context.req.path.startsWith("/worlds/") ? (context.req.param("world") ?? "") : DEFAULT_WORLD;
  const live = sandbox.get(id);
  if (!live) throw new ControlError(404, "NOT_FOUND", noSuchWorld(id), { [UNKNOWN_WORLD]: id });
  // Calls of this turn may not be committed yet: no answer may tell of what is not kept.
  live.world.commit();
  return live;
}

async function readCall(
  context: Context,
  { sandbox, options }: Dependencies,
  { path, body }: { path: string; body: BodyKind | undefined },
): Promise<Omit<ControlCall, "live">> {
  const root = publicOrigin(context, options);
  return {
    sandbox,
    again: null,
    method: context.req.method,
    path,
    params: context.req.param() as Record<string, string>,
    query: new URL(context.req.url).searchParams,
    ...(await readControlBody((context.env as HttpBindings).incoming, body)),
    file: null,
    root,
    replay: (given) => replayedWorld({ sandbox, root }, playersOf(options.onFault), given),
  };
}
