/** Samples of calls and events, taken from worlds of seed 1, so that they are the same on every machine. */
import type { SandboxClient } from "../client/sandbox-client.ts";
import type { WorldClient } from "../client/world-client.ts";
import type { EventKind } from "../domain/events.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { signatureOf } from "../http/signed-text.ts";

/** A call as it was made, and the body that it was answered with. */
export interface CallSample {
  readonly request: Readonly<Record<string, unknown>> | undefined;
  readonly answer: unknown;
}

/** TABLE: the event that must happen before an endpoint has something to show, by its path. */
const before: Readonly<Record<string, string>> = {
  "/v2/account/transactions/list": "cashin.confirmed",
  "/v2/account/infractions": "chargeback.opened",
  "/v2/account/infractions/reply": "chargeback.opened",
};

/** This many items of a list are shown. */
const SHOWN_ITEMS = 2;

const NONCE = "00000000-0000-4000-8000-000000000001";

/** Calls an endpoint with its example. @throws if it refuses. */
export async function sampleCall(sandbox: SandboxClient, endpoint: Endpoint): Promise<CallSample> {
  await using world = await sandbox.createWorld({ scenarios: [] });
  const needed = before[endpoint.path];
  if (needed) await world.trigger(needed);
  const { clientId: client_id, clientSecret: client_secret } = world.credentials;
  const token = { client_id, client_secret, grant_type: "client_credentials" };
  const json = { "Content-Type": "application/json" };
  const given = await send(world, "/v2/oauth/token", { method: "POST", headers: json, body: JSON.stringify(token) });
  if (endpoint.auth === "none") return { request: token, answer: given };
  const bearer = { Authorization: `Bearer ${(given as { access_token: string }).access_token}` };
  const { method, path, example: request } = endpoint;
  if (method === "GET") return { request: undefined, answer: shortened(await send(world, path, { headers: bearer })) };
  if (endpoint.media === "multipart") {
    const body = await replyForm(world);
    return { request: Object.fromEntries(body), answer: await send(world, path, { method, headers: bearer, body }) };
  }
  const body = JSON.stringify(request);
  const signature = endpoint.signed ? await signed(world, body) : {};
  const headers = { ...json, ...bearer, ...signature };
  return { request, answer: shortened(await send(world, path, { method, headers, body })) };
}

/** The body of an event as it is sent. */
export async function sampleEvent(sandbox: SandboxClient, kind: EventKind): Promise<unknown> {
  await using world = await sandbox.createWorld({ scenarios: [], postback_url: "sandbox://inbox" });
  return (await world.trigger(kind)).body;
}

async function send(world: WorldClient, path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(world.baseUrl + path, init);
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Error(`The example of ${path} is refused: ${JSON.stringify(answer)}`);
}

async function signed(world: WorldClient, body: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.parse((await world.clock()).now) / 1000));
  const signature = signatureOf(world.credentials.signingKey, { timestamp, nonce: NONCE, body });
  return { "X-Timestamp": timestamp, "X-Nonce": NONCE, "X-Signature": signature };
}

async function replyForm(world: WorldClient): Promise<FormData> {
  const [dispute] = await world.all<{ infraction_id: string }>("/disputes");
  const form = new FormData();
  form.append("infraction_id", dispute?.infraction_id ?? "");
  form.append("text", "The goods were delivered; the receipt is attached.");
  return form;
}

/** Lists cut to their first items, at any depth. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
