/** Fault rules that may strike now, and how they strike calls and deliveries. */
import {
  type DeliveryFault,
  type RequestFault,
  STRUCK_HINT,
  type StrikableRequest,
  type StrikableWebhook,
  type Struck,
} from "../world/interception.ts";
import type { Operation } from "../world/operation.ts";
import { globOf, matches } from "./conditions.ts";
import { type CountedRule, countMatch, type Filters } from "./filters.ts";
import { deliveryFault, type Injection, requestFault } from "./injections.ts";

/** A rule that may strike now, whether set by hand or written in a scenario file. */
export interface StandingFault extends CountedRule {
  readonly pattern: string;
  readonly where: Readonly<Record<string, unknown>>;
  readonly filters: Filters;
  readonly inject: Injection;
  /** `file:line` of the rule, or of the step that set it; null if a control call did. */
  readonly at: string | null;
  /** For the journal: its name, and its scenario or, for one by hand, its id and the journal entry that set it. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** A rule's name as a field of journal entries; no field if it has none. */
export function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

/** The fault that the first matching rule injects into a call; null if none matches. */
export function strikeRequest(
  operation: Operation,
  request: StrikableRequest,
  faults: readonly StandingFault[],
): Struck<RequestFault> | null {
  if (faults.length === 0) return null;
  const name = `${request.method} ${request.path}`;
  const striking = findStriking(operation, name, { ...request }, faults);
  if (!striking) return null;
  const entry = recordInjection(operation, striking, null, { request: name });
  const hint = hintOf(striking);
  const strike = requestFault(striking.inject, { method: request.method, settings: operation.world.settings, hint });
  return { fault: { ...strike, hint }, entry };
}

/** The `X-Sandbox-Hint`: the fault, and the rule by its name and its place in a file. */
function hintOf({ inject, origin, at }: StandingFault): string {
  const [[kind, value] = []] = Object.entries(inject);
  const rule = [origin.name === undefined ? [] : `"${origin.name}"`, at ?? []].flat().join(", ");
  return `${STRUCK_HINT}: ${kind} ${value}${rule && ` (${rule})`}.`;
}

/** The fault that the first matching rule injects into a webhook; null if none matches. */
export function strikeDelivery(
  operation: Operation,
  { data, ...webhook }: StrikableWebhook,
  faults: readonly StandingFault[],
): Struck<DeliveryFault> | null {
  if (faults.length === 0) return null;
  const striking = findStriking(operation, webhook.event, { ...data, ...webhook }, faults);
  if (!striking) return null;
  const entry = recordInjection(operation, striking, webhook.webhook_id, { event: webhook.event });
  return { fault: deliveryFault(striking.inject, striking.key), entry };
}

function findStriking(
  operation: Operation,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  faults: readonly StandingFault[],
): StandingFault | undefined {
  return faults.find((fault) => {
    const { pattern, where, filters } = fault;
    return globOf(pattern).test(name) && matches(where, fields) && countMatch(operation, filters, fault);
  });
}

function recordInjection(
  operation: Operation,
  { at, inject, origin }: StandingFault,
  subject: string | null,
  data: object,
): number {
  return operation.because(operation.cause, at).record("fault.injected", subject, { ...data, inject, ...origin });
}
