/** What the readiness report is judged from: the merchant's calls and the deliveries to it, in their order. */
import type { Dispute } from "../../store/disputes.ts";
import type { LoggedRequest } from "../../store/requests.ts";
import type { Attempt, Webhook } from "../../store/webhooks.ts";
import type { World } from "../../world/world.ts";

/** A call with what its answer and its body say. */
export interface Call extends LoggedRequest {
  /** The parsed body, where it is a JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether a fault rule kept its answer from the merchant. */
  readonly lost: boolean;
}

/** A webhook with its attempts, but for those still in the air. */
export interface Delivered extends Webhook {
  readonly attempts: readonly Attempt[];
}

export interface Evidence {
  readonly world: World;
  readonly calls: readonly Call[];
  readonly webhooks: readonly Delivered[];
  readonly disputes: readonly Dispute[];
}

const PAGE = 1_000;

/** Reads all that a report is judged from. */
export function evidenceOf(world: World): Evidence {
  const webhooks = [...pages((after) => world.webhooks.after(after, PAGE))].map((row): Delivered => {
    const attempts = world.webhooks.attemptsOf(row.webhook_id).filter(({ outcome }) => outcome !== null);
    return { ...row, attempts };
  });
  const disputes = [...pages((after) => world.disputes.after(after, PAGE))];
  return { world, calls: callsIn(world, 0, Number.MAX_SAFE_INTEGER), webhooks, disputes };
}

/** The calls at positions beyond `after`, to `until`. */
export function callsIn(world: World, after: number, until: number): Call[] {
  const lost = lostEntries(world);
  const calls: Call[] = [];
  for (const row of pages((position) => world.requests.after(position, PAGE), after)) {
    if (row.position > until) break;
    calls.push({ ...row, fields: fieldsOf(row.body), lost: lost.has(row.entry) });
  }
  return calls;
}

/**
 * How long it was between two calls, in milliseconds: what the world's or the wall's clock shows, whichever is longer,
 * since a merchant waits by its own.
 */
export function waitedMs(first: LoggedRequest, next: LoggedRequest): number {
  return Math.max(next.at - first.at, next.wall_at - first.wall_at);
}

function fieldsOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Calls whose answers fault rules lost. */
function lostEntries(world: World): Set<number | null> {
  const injected = world.journal.ofKind("fault.injected");
  const lost = injected.filter(({ data }) => "disconnect" in (data.inject as object));
  return new Set(lost.map(({ cause }) => cause));
}

function* pages<Row extends { readonly position: number }>(fetch: (after: number) => Row[], after = 0): Generator<Row> {
  for (let rows = fetch(after); rows.length > 0; rows = fetch(rows.at(-1)?.position ?? 0)) yield* rows;
}
