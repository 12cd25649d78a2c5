/** How much of the service a world's traffic has exercised: endpoints, error codes, events and states, out of all. */
import { cashoutErrorCodes } from "../domain/cashout-errors.ts";
import { errorCodes } from "../domain/errors.ts";
import { eventNames } from "../domain/events.ts";
import { type LifecycleName, lifecycles } from "../domain/lifecycles.ts";
import { statesOf } from "../domain/machine.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import type { Settings } from "../domain/settings.ts";
import type { World } from "../world/world.ts";

/** One thing that could be exercised, and how often it was. */
export interface CoveredItem {
  readonly name: string;
  readonly count: number;
}

/** All that there is of one kind, such as error codes, and how much of it was exercised. */
export interface CoverageSection {
  readonly id: string;
  readonly title: string;
  readonly covered: number;
  readonly total: number;
  readonly items: readonly CoveredItem[];
}

/** What a world's traffic has exercised, in all and by kind. */
export interface Coverage {
  readonly covered: number;
  readonly total: number;
  /** Whole percent, rounded down: 100 means all. */
  readonly percent: number;
  readonly sections: readonly CoverageSection[];
}

/** `cashin.pending` and so on: every state that the tables of the lifecycles know. */
const states = (Object.keys(lifecycles) as LifecycleName[]).flatMap((name) =>
  statesOf(name).map((state) => `${name}.${state}`),
);

/** TABLE: items that exist only under some settings. */
const conditional: Readonly<Record<string, (settings: Settings) => boolean>> = {
  /** D44 */ wallet_deposit: ({ deposit_events }) => deposit_events !== "cashin",
  /** D55 */ refund_confirmed: ({ legacy_refund_events }) => legacy_refund_events,
  /** D55 */ refund_responded: ({ legacy_refund_events }) => legacy_refund_events,
  /** D54 */ "dispute.confirmed": ({ lost_dispute_status }) => lost_dispute_status === "confirmed",
};

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
    all: errorCodes,
    counts: ({ requests }) => requests.countsByErrorCode(),
  },
  { id: "events", title: "Events", all: eventNames, counts: ({ webhooks }) => webhooks.countsByEvent() },
  { id: "states", title: "States", all: states, counts: ({ journal }) => journal.countsByState() },
  {
    id: "cashout_error_codes",
    title: "Error codes of failed cash-outs",
    all: cashoutErrorCodes,
    counts: ({ webhooks }) => webhooks.countsByCashoutError(),
  },
];

/** What a world's traffic has exercised so far, out of all that there is under its settings. */
export function coverageOf(world: World): Coverage {
  const counted = sections.map(({ id, title, all, counts }): CoverageSection => {
    const seen = counts(world);
    const possible = all.filter((name) => conditional[name]?.(world.settings) ?? true);
    const items = possible.map((name) => ({ name, count: seen.get(name) ?? 0 }));
    return { id, title, covered: items.filter(({ count }) => count > 0).length, total: items.length, items };
  });
  const sum = (key: "covered" | "total") => counted.reduce((total, section) => total + section[key], 0);
  const [covered, total] = [sum("covered"), sum("total")];
  return { covered, total, percent: Math.floor((covered * 100) / total), sections: counted };
}
