/** What an expectation is about: which resources and events it means, and how many of them are as it says. */
import { durationOf } from "../domain/durations.ts";
import { eventNames } from "../domain/events.ts";
import type { Instant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { globOf, matches } from "./conditions.ts";
import {
  type Candidate,
  type Counted,
  countEvents,
  countTransactions,
  eventsIn,
  type Fields,
  resourcesIn,
  type Sought,
} from "./expected.ts";
import { type Expectation, kindOf } from "./script-schema.ts";
import type { Variables } from "./variables.ts";

/** What an expectation is judged by. */
export interface Circumstances {
  readonly world: World;
  /** The answers that the merchant saved. */
  readonly variables: Variables;
  /** The instant from which `within` counts. */
  readonly since: Instant;
  /** The journal's last entry before the events that count. */
  readonly afterEntry: number;
  /** Whether nothing more will happen, so that no verdict is pending. */
  readonly final: boolean;
}

/** The last instant within `within`; null if the expectation has none. */
export function endOf({ within }: Expectation, since: Instant): Instant | null {
  return within === undefined ? null : since + durationOf(within);
}

/** How many findings a detail shows by their ids. */
const MOST_TOLD = 3;

/** What there is of what an expectation means. */
export function findingsOf(expected: Expectation, circumstances: Circumstances): Counted {
  const { world } = circumstances;
  if (isOfResource(expected)) {
    const { kind, id, where } = meantBy(expected);
    const counted = kind === "transaction" && id === null ? countTransactions(world, where, MOST_TOLD) : null;
    return counted ?? thoseThatMeet(where, resourcesIn(world, kind, id, where));
  }
  const sought = soughtBy(expected, circumstances);
  if (Object.keys(sought.where).length === 0) return countEvents(world, sought, MOST_TOLD);
  return thoseThatMeet(sought.where, eventsIn(world, sought));
}

function thoseThatMeet(where: Fields, candidates: Iterable<Candidate>): Counted {
  const first: Candidate[] = [];
  let count = 0;
  for (const candidate of candidates) {
    if (!matches(where, candidate.fields)) continue;
    if (first.length < MOST_TOLD) first.push(candidate);
    count++;
  }
  return { count, first };
}

/** Whether an expectation is about transactions or disputes, not about events and their webhooks. */
export function isOfResource(expected: Expectation): boolean {
  return ["transaction", "dispute"].includes(kindOf(expected));
}

/** The resources that an expectation means: one by its id, or those that conditions describe. */
export function meantBy(expected: Expectation): { kind: string; id: string | null; where: Fields } {
  const kind = kindOf(expected);
  const named: unknown = kind === "dispute" ? expected.dispute : expected.transaction;
  const { where = {} } = expected;
  if (typeof named === "string") return { kind, id: named, where };
  return { kind, id: null, where: { ...(named as Fields | null), ...where } };
}

/** The events that an expectation may be about, or webhooks with their delivery status. */
export function soughtBy(expected: Expectation, { since, afterEntry }: Circumstances): Sought {
  const { where = {} } = expected;
  if (kindOf(expected) !== "webhook") {
    const kinds = [expected.event ?? expected.no_event ?? ""];
    return { afterEntry, kinds, until: endOf(expected, since), status: null, where };
  }
  const pattern = globOf(expected.webhook ?? "*");
  const kinds = eventNames.filter((name) => pattern.test(name));
  return { afterEntry, kinds, until: null, status: expected.status ?? null, where };
}
