/** Faults of the service that a test asks for by hand: `PUT /faults` (interface, sections 4 and 5). */
import { z } from "zod";
import { parseDuration } from "../domain/durations.ts";
import { DomainError, type ErrorCode, errorCatalogue } from "../domain/errors.ts";
import { wholeNumberField } from "../service/input.ts";
import { formatInstant, type Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];
const MAX_COUNT = 1_000_000_000;
const KEY = "faults";

const inject = z
  .strictObject({
    error: z.enum(errorCodes, { error: `must be one of ${errorCodes.join(", ")}` }).optional(),
    status: wholeNumberField(400, 599).optional(),
  })
  .refine((given) => (given.error === undefined) !== (given.status === undefined), {
    error: "must have exactly one of error, status",
  });

/** A rule: which calls it strikes, and with what. */
export const faultRule = z.strictObject({
  request: z.string().regex(/^(GET|POST) \/v2\/[a-z0-9_/*]+$/, {
    error: "must be a method and path such as POST /v2/transactions/wallet",
  }),
  inject,
  skip: wholeNumberField(0, MAX_COUNT).optional(),
  times: wholeNumberField(1, MAX_COUNT).optional(),
  chance: z
    .string()
    .regex(/^(\d{1,2}(\.\d+)?|100)%$/, { error: "must be a percentage such as 10%" })
    .optional(),
  for: z
    .string()
    .refine((text) => parseDuration(text) !== null, { error: "must be a duration such as 30s" })
    .optional(),
});
export type FaultRule = z.infer<typeof faultRule>;

export const faultsInput = z.strictObject({ rules: z.array(faultRule).max(10_000) });

/** A rule as it is kept: when it ends, and how often it matched and struck. */
interface ActiveFault {
  readonly rule: FaultRule;
  readonly until: Instant | null;
  matched: number;
  fired: number;
}

/** Replaces all rules; their time begins now. */
export function setFaults(operation: Operation, rules: readonly FaultRule[]): void {
  const { world, now } = operation;
  const faults = rules.map((rule): ActiveFault => {
    const durationMs = rule.for === undefined ? null : parseDuration(rule.for);
    return { rule, until: durationMs === null ? null : now + durationMs, matched: 0, fired: 0 };
  });
  world.meta.set(KEY, faults);
}

/** The rules with their counters. */
export function describeFaults(world: World) {
  const rules = faultsOf(world).map(({ rule, until, matched, fired }) => {
    return { ...rule, until: until === null ? null : formatInstant(until), matched, fired };
  });
  return { rules };
}

/**
 * Strikes a call that a rule is meant for.
 * @param request method and path.
 * @throws {DomainError} what the rule injects.
 */
export function strikeRequest(operation: Operation, request: string): void {
  const { world, now } = operation;
  const faults = faultsOf(world);
  const matching = faults.filter(({ rule, until }) => (until === null || now < until) && glob(rule.request, request));
  const struck = matching.find((fault) => fires(world, fault, faults.indexOf(fault)));
  if (matching.length > 0) world.meta.set(KEY, faults);
  if (!struck) return;
  operation.record("fault.injected", null, { request, inject: struck.rule.inject });
  throw injected(struck.rule.inject);
}

function fires(world: World, fault: ActiveFault, index: number): boolean {
  const { rule } = fault;
  fault.matched++;
  const within = fault.matched > (rule.skip ?? 0) && fault.fired < (rule.times ?? Number.POSITIVE_INFINITY);
  const chance = rule.chance === undefined ? 1 : Number(rule.chance.slice(0, -1)) / 100;
  const strikes = within && (chance >= 1 || world.random.fraction(`fault ${index}`, fault.matched) < chance);
  if (strikes) fault.fired++;
  return strikes;
}

function injected({ error, status }: FaultRule["inject"]): DomainError {
  const hint = "A fault rule of this world struck this call.";
  if (error !== undefined) {
    const retryAfter = errorCatalogue[error].status === 429 ? { retryAfterSeconds: 1 } : {};
    return new DomainError(error, undefined, { hint, ...retryAfter });
  }
  const code = errorCodes.find((candidate) => errorCatalogue[candidate].status === status) ?? "INTERNAL_ERROR";
  return new DomainError(code, undefined, { hint, ...(status === undefined ? {} : { status }) });
}

function faultsOf(world: World): ActiveFault[] {
  return world.meta.get<ActiveFault[]>(KEY) ?? [];
}

function glob(pattern: string, text: string): boolean {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`).test(text);
}
