/** The inputs of the control interface, taken from the schemas that validate them where these are precise enough. */
import type {
  accountChanges,
  accountInput,
  blockedInput,
  credentialChanges,
  fundInput,
  ratesInput,
} from "../control/account-routes.ts";
import type { clockInput } from "../control/clock-routes.ts";
import type { probeInput } from "../control/insight-routes.ts";
import type { requestQuery, webhookQuery } from "../control/record-routes.ts";
import type { transactionQuery } from "../control/resource-kinds.ts";
import type { ClockMode } from "../domain/clock-modes.ts";
import type { EventKind, LegacyEventName } from "../domain/events.ts";
import type { Settings } from "../domain/settings.ts";
import type { faultsInput } from "../scenarios/fault-rule-schema.ts";
import type { scenarioSchema } from "../scenarios/schema.ts";
import type { AccountSpec } from "../service/accounts.ts";
import type { cashinActions } from "../service/cashin-actions.ts";
import type { cashoutActions } from "../service/cashout-actions.ts";
import type { depositInput } from "../service/deposits.ts";
import type { Input } from "./wire.ts";

export type { AccountSpec } from "../service/accounts.ts";

type Scenario = Input<ReturnType<typeof scenarioSchema>>;

/** A step of a scenario's rule: its time (`after` or `at`), and one action by its name. */
export interface ScenarioStep {
  readonly after?: string | undefined;
  readonly at?: string | undefined;
  readonly [action: string]: unknown;
}

/** A rule of a scenario: its trigger, its filters and its steps. */
export type ScenarioRule = Omit<NonNullable<Scenario["rules"]>[number], "then"> & {
  then?: readonly ScenarioStep[] | undefined;
};

/** A scenario as an object: what a YAML file of it contains. */
export type ScenarioDocument = Omit<Scenario, "rules"> & { rules?: readonly ScenarioRule[] | undefined };

/** A scenario document, or an object of unknown shape, such as one read from JSON. */
export type ScenarioInput = ScenarioDocument | Readonly<Record<string, unknown>>;

/** The body of `POST /worlds`. */
export interface WorldOptions {
  readonly id?: string | undefined;
  readonly seed?: number | undefined;
  readonly clock?:
    | {
        readonly mode?: ClockMode | undefined;
        readonly speed?: number | undefined;
        readonly start?: string | undefined;
      }
    | undefined;
  /** Settings that differ from the defaults; an unknown one is refused, with the nearest known name. */
  readonly settings?: Readonly<Partial<Settings>> | Readonly<Record<string, unknown>> | undefined;
  /** Names of shipped scenarios, and scenario documents. */
  readonly scenarios?: readonly (string | ScenarioInput)[] | undefined;
  readonly accounts?: readonly AccountSpec[] | undefined;
  readonly postback_url?: string | null | undefined;
  /** Forks a world by its id, or a snapshot of one. */
  readonly from?: string | { readonly world: string; readonly snapshot: string } | undefined;
  /** Deletes the world after this duration of real time without a call, such as `"1h"`. */
  readonly ttl?: string | undefined;
}

/** The body of `POST /clock`: mode, speed, or an instant to move forward to. */
export type ClockChanges = Input<ReturnType<typeof clockInput>>;

/** A resource's expiry or deadline, by its id, or a pair's quote expiry; `offset` is a signed duration (`"-1s"`). */
export type AdvanceMoment =
  | { readonly expiry: string; readonly offset?: string | undefined }
  | { readonly deadline: string; readonly offset?: string | undefined }
  | { readonly quote_expiry: string; readonly offset?: string | undefined };

/** How far to advance: `by` a duration, `to` an instant or `until` something; stops early after `max_timers` timers. */
export type AdvanceTarget = (
  | { readonly by: string; readonly to?: never; readonly until?: never }
  | { readonly to: string; readonly by?: never; readonly until?: never }
  | {
      readonly until: "next" | "idle" | EventKind | LegacyEventName | AdvanceMoment;
      readonly by?: never;
      readonly to?: never;
    }
) & { readonly max_timers?: number | undefined };

/** The short form of a target: a duration, an instant, `"next"`, `"idle"` or an event kind. */
export type AdvanceWord = "next" | "idle" | EventKind | LegacyEventName | (string & {});

/** The body of `POST /accounts`. */
export type AccountInput = Input<ReturnType<typeof accountInput>>;
/** The body of `PATCH /accounts/{username}`. */
export type AccountChanges = Input<ReturnType<typeof accountChanges>>;
/** The body of `PATCH /credentials/{client_id}`. */
export type CredentialChanges = Input<ReturnType<typeof credentialChanges>>;
/** The body of `POST /accounts/{username}/fund`. */
export type FundInput = Input<ReturnType<typeof fundInput>>;
/** The black list: IPv4 and IPv6 addresses. */
export type BlockedIps = Input<ReturnType<typeof blockedInput>>["ips"];
/** US dollars per unit, by currency. */
export type Rates = Input<ReturnType<typeof ratesInput>>["rates"];

/** How a payer pays a charge. */
export type PayInput = Input<(typeof cashinActions)["pay"]>;
/** How much of a cash-in or cash-out is refunded, and why. */
export type RefundInput = Input<(typeof cashinActions)["refund"]>;
/** Why a payer contests a payment. */
export type DisputeInput = Input<(typeof cashinActions)["dispute"]>;
/** Who received a cash-out. */
export type ConfirmInput = Input<(typeof cashoutActions)["confirm"]>;
/** A cash-in takes a `reason`; a cash-out needs an `error_code`. */
export type FailInput = Input<(typeof cashinActions)["fail"]> | Input<(typeof cashoutActions)["fail"]>;
/** A deposit into a fixed wallet. */
export type DepositInput = Input<typeof depositInput>;

/** A fault rule: which calls or deliveries it matches, and the fault that it injects. */
export type FaultRule = Input<ReturnType<typeof faultsInput>>["rules"][number];

/** The account whose receiver is probed, and the wrong source address to probe it from. */
export type ProbeOptions = Input<ReturnType<typeof probeInput>>;

/** Filters transactions by `external_id`, type, status, currency and account. */
export type TransactionFilter = Omit<Input<ReturnType<typeof transactionQuery>>, "limit" | "cursor">;

/** Filters calls by endpoint and by credential. */
export type RequestFilter = Omit<Input<ReturnType<typeof requestQuery>>, "limit" | "cursor">;

/** Filters webhooks by event, by transaction or `external_id`, and by status. */
export type WebhookFilter = Omit<Input<ReturnType<typeof webhookQuery>>, "limit" | "cursor">;
