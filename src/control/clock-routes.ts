/** The clock: reading, changing, advancing, canceling and settling it, and the timers that wait on it. */
import { z } from "zod";
import { MAX_SPEED } from "../domain/bounds.ts";
import { clockModes } from "../domain/clock-modes.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { positiveNumberField } from "../service/input.ts";
import { placeOfTimer } from "../store/timers.ts";
import { type AdvanceOptions, type AdvanceResult, type AdvanceTarget, PastInstant } from "../world/advance.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { advanceInput, byTarget, instantField, refuseUnreachable, untilSchema, untilTarget } from "./advance-target.ts";
import {
  type ControlCall,
  type ControlRoute,
  command,
  inputOf,
  nothing,
  pageQuery,
  taking,
  worldGone,
} from "./call.ts";
import { ControlError } from "./errors.ts";
import { readInput, readLimit, refuseCursor } from "./validation.ts";
import { clockView, entryView, timerView } from "./views.ts";

/** Most journal entries in the trace of an advance. */
const TRACE_LIMIT = 1000;

/** The body of `POST /clock`; `speed` is seconds of the world per real second, `now` an instant to advance to. */
export const clockInput = onFirstUse(() =>
  z.strictObject({
    mode: z.enum(clockModes).optional(),
    speed: positiveNumberField(MAX_SPEED).optional(),
    now: instantField.optional(),
  }),
);

/** TABLE: calls of the clock (interface, section 4). */
export const clockRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "/clock", operationId: "getClock", answer: "Clock", handle: ({ live }) => clockView(live) },
  { method: "POST", path: "/clock", operationId: "changeClock", answer: "Clock", ...taking(clockInput, changeClock) },
  {
    method: "POST",
    path: "/clock/advance",
    operationId: "advanceClock",
    answer: "Advance",
    ...taking(advanceInput, advance),
  },
  {
    method: "DELETE",
    path: "/clock/advance",
    operationId: "cancelAdvance",
    answer: "Clock",
    handle: cancelAdvance,
  },
  {
    method: "POST",
    path: "/clock/settle",
    operationId: "settle",
    answer: "Clock",
    handle: async (call) => {
      inputOf(call, nothing);
      call.live.wake();
      if (!(await call.live.runner.settle())) throw worldGone(call);
      return clockView(call.live);
    },
  },
  {
    method: "GET",
    path: "/timers",
    operationId: "listTimers",
    query: pageQuery,
    answer: "TimerPage",
    handle: listTimers,
  },
];

async function changeClock(call: ControlCall, input: z.infer<ReturnType<typeof clockInput>>) {
  const { runner, world } = call.live;
  let isChanged = false;
  const change = () => {
    command(call, null, (operation) => {
      if (input.now !== undefined) refuseUnreachable(operation, input.now);
      world.clock.change(input.mode ?? world.clock.mode, input.speed ?? world.clock.speed);
    });
    isChanged = true;
  };
  if (input.now === undefined) change();
  else {
    refuseUnreachable({ world, now: world.clock.now() }, input.now);
    // The advance waits its turn among others, and may still be refused then: nothing is changed before.
    const { to, reached } = await advanceTo(call.live, { kind: "to", instant: input.now }, { first: change });
    if (!reached && !call.live.closed) {
      refuseUnreachable({ world, now: to }, input.now);
      const [came, meant] = [to, input.now].map(formatInstant);
      const rest = isChanged ? "what else was asked for is done" : "nothing was changed";
      throw new ControlError(409, "ADVANCE_CANCELED", `The advance to ${meant} was called off at ${came}; ${rest}.`);
    }
  }
  runner.drive();
  return clockView(call.live);
}

async function advance(call: ControlCall, input: z.infer<ReturnType<typeof advanceInput>>) {
  const { live } = call;
  const target = command(call, null, (operation) => targetOf(operation, input));
  const result = await advanceTo(live, target, { maxTimers: input.max_timers });
  const { journal, webhooks } = live.world;
  const { before, last } = result.entries;
  const entries = journal.after(before, TRACE_LIMIT + 1).filter(({ sequence }) => sequence <= last);
  const truncated = entries.length > TRACE_LIMIT;
  return {
    from: formatInstant(result.from),
    to: formatInstant(result.to),
    reached: result.reached,
    timers: result.timers,
    webhooks: { ...journal.webhooksEnded(before, last), pending: webhooks.countPending() },
    trace: entries.slice(0, TRACE_LIMIT).map(entryView),
    ...(truncated ? { trace_truncated: true } : {}),
  };
}

/** Advances when its turn comes. @throws {ControlError} 409 if the instant has passed by then. */
async function advanceTo(live: LiveWorld, target: AdvanceTarget, options: AdvanceOptions): Promise<AdvanceResult> {
  live.wake();
  try {
    return await live.runner.advance(target, options);
  } catch (error) {
    if (error instanceof PastInstant) refuseUnreachable({ world: live.world, now: error.now }, error.instant);
    throw error;
  }
}

/** The target, checked at the operation's own instant, so that a replay checks it against the same one. */
function targetOf(operation: Operation, { by, to, until }: z.infer<ReturnType<typeof advanceInput>>): AdvanceTarget {
  const given = [by, to, until].filter((part) => part !== undefined);
  if (given.length !== 1) throw new ControlError(400, "INVALID_REQUEST", "Give exactly one of by, to, until.");
  if (by !== undefined) return byTarget(operation, by);
  if (to === undefined) return untilTarget(operation, readInput(untilSchema(until, operation.world), { until }).until);
  refuseUnreachable(operation, to);
  return { kind: "to", instant: to };
}

function cancelAdvance(call: ControlCall) {
  inputOf(call, nothing);
  if (!call.live.runner.cancelAdvance() && !call.again)
    throw new ControlError(404, "NOT_FOUND", "No advance is under way.");
  command(call, null, () => {});
  return clockView(call.live);
}

function listTimers({ live, query }: ControlCall) {
  const limit = readLimit(query.get("limit"));
  const after = placeOfTimer(query.get("cursor") ?? "0-0") ?? refuseCursor();
  const timers = live.world.timers.after(after, limit + 1);
  const shown = timers.slice(0, limit).map(timerView);
  return { items: shown, next_cursor: timers.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
