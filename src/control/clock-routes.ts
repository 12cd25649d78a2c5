/** The clock: look, change, advance, cancel, settle, and what waits on it. */
import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { positiveNumberField, wholeNumberField } from "../service/input.ts";
import { formatInstant, type Instant, LAST_INSTANT, parseInstant } from "../world/instants.ts";
import type { AdvanceTarget } from "../world/runner.ts";
import { command, type ControlCall, type ControlRoute, inputOf, nothing } from "./call.ts";
import { ControlError } from "./errors.ts";
import { readLimit } from "./validation.ts";
import { clockView, entryView, timerView } from "./views.ts";

/** As many journal entries as an advance shows. */
const TRACE_LIMIT = 1000;

const instant = z
  .string()
  .refine((text) => parseInstant(text) !== null, { error: "must be an ISO 8601 instant with a zone, to the year 9999" })
  .transform((text) => parseInstant(text) ?? 0);

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== null, { error: `must be a duration such as ${DURATION_EXAMPLES}` })
  .transform((text) => parseDuration(text) ?? 0);

const advanceInput = z.strictObject({
  by: duration.optional(),
  to: instant.optional(),
  until: z.enum(["next", "idle"]).optional(),
  max_timers: wholeNumberField(1, Number.MAX_SAFE_INTEGER).optional(),
});

const clockInput = z.strictObject({
  mode: z.enum(["running", "frozen"]).optional(),
  speed: positiveNumberField(1_000_000).optional(),
  now: instant.optional(),
});

export const clockRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "/clock", handle: ({ live }) => clockView(live) },
  { method: "POST", path: "/clock", handle: (call) => changeClock(call, inputOf(call, clockInput)) },
  { method: "POST", path: "/clock/advance", handle: (call) => advance(call, inputOf(call, advanceInput)) },
  { method: "DELETE", path: "/clock/advance", handle: cancelAdvance },
  {
    method: "POST",
    path: "/clock/settle",
    handle: async (call) => {
      inputOf(call, nothing);
      await call.live.runner.settle();
      return clockView(call.live);
    },
  },
  { method: "GET", path: "/timers", handle: listTimers },
];

async function changeClock(call: ControlCall, input: z.infer<typeof clockInput>) {
  const { clock } = call.live.world;
  if (input.now !== undefined) refusePast(call.live, input.now);
  command(call, null, () => clock.change(input.mode ?? clock.mode, input.speed ?? clock.speed));
  if (input.now !== undefined) await call.live.runner.advance({ kind: "to", instant: input.now });
  call.live.runner.drive();
  return clockView(call.live);
}

async function advance(call: ControlCall, input: z.infer<typeof advanceInput>) {
  const { live } = call;
  const target = targetOf(live, input);
  command(call, null, () => {});
  const result = await live.runner.advance(target, input.max_timers);
  const entries = live.world.journal.after(result.lastEntry, TRACE_LIMIT + 1);
  const truncated = entries.length > TRACE_LIMIT;
  return {
    from: formatInstant(result.from),
    to: formatInstant(result.to),
    reached: result.reached,
    timers: result.timers,
    webhooks: webhookCounts(live, result.lastEntry),
    trace: entries.slice(0, TRACE_LIMIT).map(entryView),
    ...(truncated ? { trace_truncated: true } : {}),
  };
}

function targetOf(live: LiveWorld, input: z.infer<typeof advanceInput>): AdvanceTarget {
  const { by, to, until } = input;
  const given = [by, to, until].filter((part) => part !== undefined);
  if (given.length !== 1) throw new ControlError(400, "INVALID_REQUEST", "Give exactly one of by, to, until.");
  if (until !== undefined) return { kind: until };
  if (to !== undefined) {
    refusePast(live, to);
    return { kind: "to", instant: to };
  }
  const durationMs = by ?? 0;
  if (live.world.clock.now() + durationMs > LAST_INSTANT) {
    throw new ControlError(400, "INVALID_REQUEST", "The clock ends with the year 9999.");
  }
  return { kind: "by", durationMs };
}

function refusePast(live: LiveWorld, goal: Instant): void {
  const now = live.world.clock.now();
  if (goal >= now) return;
  const message = `The clock shows ${formatInstant(now)} and never goes back; restore a snapshot for that.`;
  throw new ControlError(409, "CLOCK_BACKWARDS", message, { now: formatInstant(now) });
}

function webhookCounts({ world }: LiveWorld, after: number) {
  const count = (sql: string, ...values: number[]) => world.database.get<{ n: number }>(sql, ...values)?.n ?? 0;
  const since = (kind: string) =>
    count(`SELECT count(*) AS n FROM journal WHERE sequence > ? AND kind = 'webhook.${kind}'`, after);
  const pending = count("SELECT count(*) AS n FROM webhooks WHERE status IN ('pending', 'throttled')");
  return { delivered: since("delivered"), failed: since("exhausted"), pending };
}

function cancelAdvance(call: ControlCall) {
  inputOf(call, nothing);
  if (!call.live.runner.cancelAdvance()) throw new ControlError(404, "NOT_FOUND", "No advance is under way.");
  command(call, null, () => {});
  return clockView(call.live);
}

function listTimers({ live, query }: ControlCall) {
  const limit = readLimit(query.get("limit"));
  const cursor = query.get("cursor") ?? "0-0";
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(cursor);
  if (!match) throw new ControlError(400, "INVALID_REQUEST", "cursor must be a next_cursor of an earlier answer.");
  const timers = live.world.timers.after(Number(match[1]), Number(match[2]), limit + 1);
  const shown = timers.slice(0, limit).map(timerView);
  return { items: shown, next_cursor: timers.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
