/** How much of the service a world's traffic has exercised: endpoints, error codes, events and states, out of all. */
import { cashoutErrorCodes } from "../domain/cashout-errors.ts";
import { errorCatalogue } from "../domain/errors.ts";
import { eventKinds } from "../domain/events.ts";
import { lifecycles } from "../domain/lifecycles.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import type { World } from "../world/world.ts";

/** One thing that could be exercised, and how often it was. */
export interface CoveredItem {
  readonly name: string;
  readonly count: number;
}

export interface CoverageSection {
  readonly id: string;
  readonly title: string;
  readonly covered: number;
  readonly total: number;
  readonly items: readonly CoveredItem[];
}

export interface Coverage {
  readonly covered: number;
  readonly total: number;
  /** Whole percent, rounded down: 100 means all. */
  readonly percent: number;
  readonly sections: readonly CoverageSection[];
}

/** `cashin.pending` and so on: every state that the tables of the lifecycles know. */
const states = Object.entries(lifecycles).flatMap(([name, { transitions }]) => [
  ...new Set(transitions.map(({ to }) => `${name}.${to}`)),
]);

/** TABLE: what is counted, all that there is of it, and how often each was seen. */
const sections: readonly {
  readonly id: string;
  readonly title: string;
  readonly all: readonly string[];
  readonly counts: (world: World) => ReadonlyMap<string, number>;
}[] = [
  { id: "endpoints", title: "Endpoints", all: serviceCalls, counts: ({ requests }) => requests.countsByCall() },
  {
    id: "error_codes",
    title: "Error codes",
    all: Object.keys(errorCatalogue),
    counts: ({ requests }) => requests.countsByErrorCode(),
  },
  { id: "events", title: "Events", all: eventKinds, counts: ({ webhooks }) => webhooks.countsByEvent() },
  { id: "states", title: "States", all: states, counts: ({ journal }) => journal.countsByState() },
  {
    id: "cashout_error_codes",
    title: "Error codes of failed cash-outs",
    all: cashoutErrorCodes,
    counts: ({ webhooks }) => webhooks.countsByCashoutError(),
  },
];

/** What a world's traffic has exercised so far. */
export function coverageOf(world: World): Coverage {
  const counted = sections.map(({ id, title, all, counts }): CoverageSection => {
    const seen = counts(world);
    const items = all.map((name) => ({ name, count: seen.get(name) ?? 0 }));
    return { id, title, covered: items.filter(({ count }) => count > 0).length, total: items.length, items };
  });
  const sum = (key: "covered" | "total") => counted.reduce((total, section) => total + section[key], 0);
  const [covered, total] = [sum("covered"), sum("total")];
  return { covered, total, percent: Math.floor((covered * 100) / total), sections: counted };
}
