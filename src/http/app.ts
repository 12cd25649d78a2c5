/** The address space of the process: the service, its control interface and the start page of every world. */
import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { DomainError } from "../domain/errors.ts";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import { wakeAfter, wallNow } from "../runtime.ts";
import { isStorageFault, storageFaultOf } from "../store/storage-fault.ts";
import type { World } from "../world/world.ts";
import type { AppOptions } from "./app-options.ts";
import { largestBodyOf, readBody } from "./body.ts";
import { mountControl } from "./control-app.ts";
import { mountDashboard } from "./dashboard.ts";
import { foreignPageFault } from "./guard.ts";
import type { Incoming, Outgoing } from "./messages.ts";
import { pathHint } from "./mistakes.ts";
import { mountOpenApi } from "./openapi.ts";
import { QuickResponse } from "./quick-response.ts";
import { noSuchWorld, refusalOutside } from "./refusal.ts";
import { formOf, hasForm } from "./reply-form.ts";
import { serveTogether } from "./service-call.ts";
import type { Precedence } from "./succession.ts";

/** The Hono app over the worlds of a sandbox. */
export function createApp(sandbox: Sandbox, options: AppOptions): Hono {
  const app = new Hono();
  app.use("/worlds/:world/*", async (context, next) => {
    const leave = sandbox.attend(context.req.param("world"));
    (context.env as HttpBindings).outgoing.once("close", leave);
    await next();
  });
  const service = (context: Context, world: string, path: string) =>
    callService(context, sandbox, world, path, options);
  app.all("/v2/*", (context) => service(context, DEFAULT_WORLD, context.req.path));
  app.all("/worlds/:world/v2/*", (context) => {
    const world = context.req.param("world") ?? "";
    return service(context, world, context.req.path.slice(`/worlds/${world}`.length));
  });
  mountControl(app, sandbox, options);
  mountOpenApi(app, sandbox, options);
  mountDashboard(app, sandbox, options);
  app.notFound((context) => answer(unknownAddress(context.req.path)));
  app.onError((error) => {
    if (error instanceof DomainError) return answer(refusalOutside(error));
    options.onFault(error);
    return answer(refusalOutside(new DomainError("INTERNAL_ERROR")));
  });
  return app;
}

async function callService(
  context: Context,
  sandbox: Sandbox,
  id: string,
  path: string,
  options: AppOptions,
): Promise<Response> {
  const { incoming: message } = context.env as HttpBindings;
  const world = sandbox.get(id)?.world;
  const fault = foreignPageFault(message.headers, options);
  if (fault) return answer(refusalOutside(new DomainError("INVALID_REQUEST", fault, { status: 403 }), world));
  // Behind a proxy, connections tell nothing of the callers: they are the proxy's.
  const coming = world && !options.trustProxy ? options.succession.begin(message.socket, world) : null;
  try {
    const incoming = await readCall(context, path, { options, coming });
    const live = sandbox.get(id);
    if (!live) return answer(unknownWorld(id));
    // Begun before a reset or a restore, it was sent after no call of the world that it comes to.
    const known = live.world === world ? incoming : { ...incoming, sentAfter: null };
    const { result: outgoing, kept } = serveTogether(live.world, known, options.onFault);
    coming?.serve();
    await kept;
    if (HELD.includes(outgoing.status)) await coming?.hold();
    return await give(outgoing, message);
  } catch (error) {
    if (error instanceof DomainError) return answer(refusalOutside(error));
    options.onFault(error);
    return answer(notServed(error, sandbox.get(id)?.world));
  } finally {
    coming?.end();
  }
}

/**
 * Statuses that tell the caller to wait. The answer is held until the connections were quiet for a moment, so that a
 * later call is known to have been sent after it.
 */
const HELD: readonly number[] = [403, 423, 429, 502, 503];

async function readCall(
  context: Context,
  path: string,
  { options, coming }: { options: AppOptions; coming: Precedence | null },
): Promise<Incoming> {
  const { incoming: message } = context.env as HttpBindings;
  const { body, tooLarge } = await readBody(message, largestBodyOf(path), coming?.inCompany ?? true);
  const headers = message.headers as Record<string, string>;
  // Nearly no call has one: they need not wait a turn for it.
  const form = hasForm(path) ? formOf({ path, headers, body }) : {};
  return {
    method: context.req.method,
    path,
    query: message.url?.split("?").slice(1).join("?") ?? "",
    headers,
    body,
    bodyTooLarge: tooLarge,
    ...form,
    ip: clientAddress(message, options.trustProxy),
    wallAt: wallNow(),
    sentAfter: coming?.sentAfter ?? null,
    inCompany: coming?.inCompany ?? false,
  };
}

/** The connection's address; behind a trusted proxy the one that the proxy saw, the last of the list. */
function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const list = trustProxy ? String(headers["x-forwarded-for"] ?? "") : "";
  const forwarded = addressIn(list.split(",").at(-1)?.trim() ?? "");
  return canonicalAddress(isIP(forwarded) !== 0 ? forwarded : (socket.remoteAddress ?? "unknown"));
}

/**
 * The address in an item of `X-Forwarded-For`. Some proxies add the port, with brackets around IPv6, or quotes around
 * all.
 */
function addressIn(hop: string): string {
  const [, bracketed, plain] = /^"?(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?"?$/i.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}

/** Sends an answer, unless a fault rule loses it. */
async function give(outgoing: Outgoing, { socket }: IncomingMessage): Promise<Response> {
  const { delayMs } = outgoing;
  if (delayMs !== undefined) await heldBack(delayMs, socket);
  if (!outgoing.lost) return answer(outgoing);
  socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/**
 * Waits for `delayMs` of real time, or until the caller closes the connection: its call is then no longer under way.
 * The connection keeps the process alive; the timer does not.
 */
function heldBack(delayMs: number, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const end = () => {
      stopWaking();
      socket.off("close", end);
      resolve();
    };
    const stopWaking = wakeAfter(delayMs, end);
    socket.once("close", end);
  });
}

function answer({ status, headers, body }: Outgoing): Response {
  return new QuickResponse(body, { status, headers });
}

/** The answer to a call that could not be served. If the store could not write, its hint says so and what to do. */
function notServed(error: unknown, world: World | undefined): Outgoing {
  if (!isStorageFault(error)) return refusalOutside(new DomainError("INTERNAL_ERROR"), world);
  const { what, remedy } = storageFaultOf(error);
  const hint = `This is the sandbox's own: ${what}, and nothing of the call was kept. ${remedy}`;
  return refusalOutside(new DomainError("SERVICE_UNAVAILABLE", undefined, { hint }), world);
}

function unknownWorld(id: string): Outgoing {
  return refusalOutside(new DomainError("NOT_FOUND", noSuchWorld(id)));
}

function unknownAddress(path: string): Outgoing {
  const outgoing = refusalOutside(new DomainError("NOT_FOUND"));
  const hint = pathHint(path.replace(/^\/worlds\/[^/]+(?=\/)/, ""));
  return hint ? { ...outgoing, headers: { ...outgoing.headers, "X-Sandbox-Hint": hint } } : outgoing;
}
