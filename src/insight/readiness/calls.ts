/** The merchant's calls as they are judged, and what can be told of one from another. */
import { isSandboxAgent } from "../../domain/sandbox-agents.ts";
import { moneyOperations, REPLY_PATH, TOKEN_PATH } from "../../domain/service-calls.ts";
import { type CallTrace, TRACED_BYTES } from "../../store/logged-calls.ts";
import { rowsWithin } from "../../store/pages.ts";
import type { World } from "../../world/world.ts";
import { objectIn } from "../json-object.ts";
import { STRUCK_WITHIN } from "../reach.ts";

/** How a fault rule struck a call. */
export type Struck = "error" | "status" | "latency" | "disconnect" | "malformed";

/** A call with what its body and its answer tell. */
export interface Call extends CallTrace {
  /** Who made it: the credential or, if none is known, the address with the client id that the call names. */
  readonly caller: string;
  /** The account of the credential. */
  readonly username: string | null;
  readonly isToken: boolean;
  /** The parsed body of a call that moves money; null for other calls, and if it is not a JSON object. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly external_id: string | null;
  /** How a fault rule struck it; null where none did. */
  readonly struck: Struck | null;
}

const PAGE = 1_000;

/** Most bytes of a world's latest calls that are kept after reading: they are judged again together with later ones. */
const MOST_KEPT = 10_000_000;

/** Bytes of a kept call apart from its body, which is kept both as text and parsed. */
const CALL_BYTES = 1_000;

/** All calls at positions beyond `after`, to that of the last one. */
interface Stretch {
  readonly after: number;
  readonly calls: readonly Call[];
  /** Null if there are no calls. */
  readonly last: CallTrace | null;
}

const kept = new WeakMap<World, Stretch>();

/** The calls at positions beyond `after`, to `until`, in their order. */
export function callsIn(world: World, after = 0, until = Number.MAX_SAFE_INTEGER): Call[] {
  const known = keptOf(world, after);
  const end = known.last?.position ?? known.after;
  const added = end < until ? read(world, end, until) : { calls: [], last: null };
  const calls = [...known.calls, ...added.calls];
  const sizes = calls.map((call) => ({ size: CALL_BYTES + 2 * keptBytes(call) })).reverse();
  const letGo = calls.length - rowsWithin(MOST_KEPT, sizes, calls.length);
  kept.set(world, {
    after: calls[letGo - 1]?.position ?? known.after,
    calls: calls.slice(letGo),
    last: added.last ?? known.last,
  });
  return calls.filter(({ position }) => position > after && position <= until);
}

/** The bytes of its body that a call keeps: all of what is parsed, and else as much as a trace shows. */
function keptBytes({ fields, size, text }: Call): number {
  return fields === null ? text.length : size;
}

/** The kept calls, if they reach back to a position; else an empty stretch that begins there. */
function keptOf(world: World, after: number): Stretch {
  const known = kept.get(world);
  const reaches = known?.last && known.after <= after && after <= known.last.position;
  return reaches && isThere(world, known.last) ? known : { after, calls: [], last: null };
}

/** Whether a call is still the one at its position: a store that is full undoes the last ones. */
export function isThere(world: World, { position, request_id, wall_at }: CallTrace): boolean {
  const [row] = world.requests.traces(position - 1, position, 1);
  return row?.request_id === request_id && row.wall_at === wall_at;
}

/** Reads the calls at positions beyond `after`, to `until`; `last` may also be a call that is not judged. */
function read(world: World, after: number, until: number): Pick<Stretch, "calls" | "last"> {
  const calls: Call[] = [];
  let last: CallTrace | null = null;
  const known = new Map<string, string | null>();
  const usernameOf = (clientId: string) => {
    const username = known.get(clientId) ?? world.accounts.credential(clientId)?.username ?? null;
    known.set(clientId, username);
    return username;
  };
  const wholeOf = ({ request_id }: CallTrace) => world.requests.get(request_id)?.body.toString() ?? "";
  for (let place = after, more = true; more; ) {
    const rows = world.requests.traces(place, until, PAGE);
    const struck = strikesOn(world, rows);
    for (const row of rows) {
      if (!isSandboxAgent(row.agent)) calls.push(callOf(row, struck.get(row.entry) ?? null, { usernameOf, wholeOf }));
    }
    last = rows.at(-1) ?? last;
    place = last?.position ?? place;
    more = rows.length === PAGE;
  }
  return { calls, last };
}

/**
 * The time between two calls, in milliseconds: by the world's or the wall clock, whichever shows more, since a merchant
 * waits by a clock of its own.
 */
export function waitedMs(first: CallTrace, next: CallTrace): number {
  return Math.max(next.at - first.at, next.wall_at - first.wall_at);
}

/** Tolerance for inexact timers, in milliseconds. A call that comes a whole second early is not within it. */
const INEXACT_MS = 100;

/** Whether the wait between two calls counts as one of `neededMs`. */
export function hasWaited(first: CallTrace, next: CallTrace, neededMs: number): boolean {
  return waitedMs(first, next) >= neededMs - INEXACT_MS;
}

/** What a call asks for, to recognize another that asks for the same: of a large body, its beginning and size tell. */
export function wordingOf({ method, path, query, text, size }: CallTrace): string {
  const asked = path === REPLY_PATH ? withoutBoundary(text) : text;
  return `${method} ${path}?${query} ${asked}${isCut(size) ? ` ${size}` : ""}`;
}

/** Whether a body is larger than a trace shows. */
function isCut(size: number): boolean {
  return size > TRACED_BYTES;
}

/** A form without the boundary that its first line names: programs make a new one for each form. */
function withoutBoundary(form: string): string {
  const boundary = /^--.+(?=\r\n)/.exec(form)?.[0];
  return boundary ? form.replaceAll(boundary, "") : form;
}

/** Whether its answer reached the caller on time and complete. */
export function isAnswered({ struck }: Call): boolean {
  return struck === null || struck === "error" || struck === "status";
}

/** Whether a whole answer came, if only late. */
export function hasCome(call: Call): boolean {
  return isAnswered(call) || call.struck === "latency";
}

/** Whether a call was carried out, or its caller cannot know that it was not; half an answer shows its status. */
export function mayHaveBeenDone({ struck, status }: Call): boolean {
  return struck === "disconnect" || status >= 500 || (status >= 200 && status < 300);
}

/** The request ids of calls. */
export function idsOf(calls: readonly CallTrace[]): string[] {
  return calls.map(({ request_id }) => request_id);
}

/** For this long, a caller that had several calls under way at a time is taken for several workers. */
const CROWD_MS = 60_000;

/** Callers with several calls under way at a time, as several workers have: one does not know what another was told. */
export class Crowds {
  readonly #seenAt = new Map<string, number>();

  /** Registers the next call of a caller. @returns whether it may come from one of several workers. */
  take(caller: string, { wall_at, in_company }: CallTrace): boolean {
    if (in_company) this.#seenAt.set(caller, wall_at);
    const seenAt = this.#seenAt.get(caller);
    return seenAt !== undefined && wall_at - seenAt < CROWD_MS;
  }
}

/** Whether a call was certainly sent after the answer to another one could be heard. */
export function isAfter(next: CallTrace, { ordinal }: CallTrace): boolean {
  return next.sent_after !== null && next.sent_after >= ordinal;
}

/** A program acts on an answer within this time, in milliseconds. */
const TOLD_MS = 1_000;

/**
 * Whether the sender of a call must have known of the answer to another one: it was sent after that, or a program had
 * enough real time to act on it, however little that is of a fast clock's. An advance counts as if that clock had run.
 */
export function mustHaveHeard(next: CallTrace, first: CallTrace, { clock }: World): boolean {
  const realMs = Math.max((next.at - first.at) / clock.speed, next.wall_at - first.wall_at);
  return isAfter(next, first) || realMs >= TOLD_MS;
}

/** What is looked up for calls. */
interface Lookups {
  readonly usernameOf: (clientId: string) => string | null;
  /** The whole body, as text. */
  readonly wholeOf: (row: CallTrace) => string;
}

function callOf(row: CallTrace, struck: Struck | null, { usernameOf, wholeOf }: Lookups): Call {
  const isToken = row.path === TOKEN_PATH;
  const movesMoney = row.method === "POST" && Object.hasOwn(moneyOperations, row.path);
  const fields = movesMoney ? objectIn(isCut(row.size) ? wholeOf(row) : row.text) : null;
  const external_id = typeof fields?.external_id === "string" ? fields.external_id || null : null;
  const named = isToken ? (row.proven ?? clientNamedIn(row.text)) : "";
  const caller = row.client_id ?? `${row.ip} ${named}`;
  const username = row.client_id === null ? null : usernameOf(row.client_id);
  return Object.assign(row, { caller, username, isToken, fields, external_id, struck });
}

/** How fault rules struck calls, by the calls' entries. */
function strikesOn(world: World, rows: readonly CallTrace[]): ReadonlyMap<number | null, Struck> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return new Map();
  const entries = world.journal.ofKind("fault.injected", first.entry, last.entry + STRUCK_WITHIN);
  return new Map(entries.map(({ cause, data }) => [cause, Object.keys(data.inject as object)[0] as Struck]));
}

/** The client id in a token request, from JSON or form fields; empty if neither has one. */
function clientNamedIn(text: string): string {
  const named = objectIn(text)?.client_id ?? new URLSearchParams(text).get("client_id");
  return typeof named === "string" ? named : "";
}
