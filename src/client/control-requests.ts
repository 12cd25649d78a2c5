/** What the calls of the control interface take: from the schemas that read it, where they say it all. */
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
import type { EventKind } from "../domain/events.ts";
import type { Settings } from "../domain/settings.ts";
import type { AccountSpec } from "../host/creation.ts";
import type { faultsInput } from "../scenarios/faults.ts";
import type { scenarioSchema } from "../scenarios/schema.ts";
import type { cashinActions } from "../service/cashin-actions.ts";
import type { cashoutActions } from "../service/cashout-actions.ts";
import type { depositInput } from "../service/deposits.ts";
import type { Input } from "./wire.ts";

export type { AccountSpec } from "../host/creation.ts";

type Scenario = Input<ReturnType<typeof scenarioSchema>>;

/** A step of a scenario's rule: its time, and one action by its name. */
export interface ScenarioStep {
  readonly after?: string | undefined;
  readonly at?: string | undefined;
  readonly [action: string]: unknown;
}

/** A rule of a scenario: its trigger, its filters and its steps. */
export type ScenarioRule = Omit<NonNullable<Scenario["rules"]>[number], "then"> & {
  then?: readonly ScenarioStep[] | undefined;
};

/** A scenario as a document: what the YAML file says, as an object. */
export type ScenarioDocument = Omit<Scenario, "rules"> & { rules?: readonly ScenarioRule[] | undefined };

/** A document, or one whose parts are known as no more than texts, such as one that was read from JSON. */
export type ScenarioInput = ScenarioDocument | Readonly<Record<string, unknown>>;

/** The body of `POST /worlds`. */
export interface WorldOptions {
  readonly id?: string | undefined;
  readonly seed?: number | undefined;
  readonly clock?:
    | {
        readonly mode?: "running" | "frozen" | undefined;
        readonly speed?: number | undefined;
        readonly start?: string | undefined;
      }
    | undefined;
  /** Those that differ from the defaults; the sandbox refuses an unknown one with the nearest name. */
  readonly settings?: Readonly<Partial<Settings>> | Readonly<Record<string, unknown>> | undefined;
  /** Names of shipped scenarios, and documents. */
  readonly scenarios?: readonly (string | ScenarioInput)[] | undefined;
  readonly accounts?: readonly AccountSpec[] | undefined;
  readonly postback_url?: string | null | undefined;
  /** A world's id to fork it, or a snapshot of one. */
  readonly from?: string | { readonly world: string; readonly snapshot: string } | undefined;
  /** Deleted after so long in real time without a call, such as `"1h"`. */
  readonly ttl?: string | undefined;
}

/** Mode, speed, or an instant to go forward to. */
export type ClockChanges = Input<ReturnType<typeof clockInput>>;

/** A moment of a resource; `offset` is a signed duration such as `"-1s"`. */
export type AdvanceMoment =
  | { readonly expiry: string; readonly offset?: string | undefined }
  | { readonly deadline: string; readonly offset?: string | undefined }
  | { readonly quote_expiry: string; readonly offset?: string | undefined };

/** How far an advance goes: one of three aims; `max_timers` ends it early. */
export type AdvanceTarget = (
  | { readonly by: string; readonly to?: never; readonly until?: never }
  | { readonly to: string; readonly by?: never; readonly until?: never }
  | { readonly until: "next" | "idle" | EventKind | AdvanceMoment; readonly by?: never; readonly to?: never }
) & { readonly max_timers?: number | undefined };

/** The short form: a duration, an instant, `"next"`, `"idle"` or an event kind. */
export type AdvanceWord = "next" | "idle" | EventKind | (string & {});

/** The body of `POST /accounts`. */
export type AccountInput = Input<ReturnType<typeof accountInput>>;
/** The body of `PATCH /accounts/{username}`. */
export type AccountChanges = Input<ReturnType<typeof accountChanges>>;
/** The body of `PATCH /credentials/{client_id}`. */
export type CredentialChanges = Input<ReturnType<typeof credentialChanges>>;
/** The body of `POST /accounts/{username}/fund`. */
export type FundInput = Input<ReturnType<typeof fundInput>>;
/** IP addresses of either version. */
export type BlockedIps = Input<ReturnType<typeof blockedInput>>["ips"];
/** US dollars per unit, by currency. */
export type Rates = Input<ReturnType<typeof ratesInput>>["rates"];

/** How a payer pays a charge. */
export type PayInput = Input<(typeof cashinActions)["pay"]>;
/** What is given back of a cash-in or cash-out, and why. */
export type RefundInput = Input<(typeof cashinActions)["refund"]>;
/** Why a payer contests a payment. */
export type DisputeInput = Input<(typeof cashinActions)["dispute"]>;
/** Whom a cash-out went to. */
export type ConfirmInput = Input<(typeof cashoutActions)["confirm"]>;
/** A cash-in takes a `reason`; a cash-out needs an `error_code`. */
export type FailInput = Input<(typeof cashinActions)["fail"]> | Input<(typeof cashoutActions)["fail"]>;
/** What somebody sends to a fixed wallet. */
export type DepositInput = Input<typeof depositInput>;

/** A rule that strikes calls or deliveries. */
export type FaultRule = Input<ReturnType<typeof faultsInput>>["rules"][number];

/** Whose receiver is probed, and from which wrong address. */
export type ProbeOptions = Input<ReturnType<typeof probeInput>>;

/** Calls of one endpoint, of one credential. */
export type RequestFilter = Omit<Input<ReturnType<typeof requestQuery>>, "limit" | "cursor">;

/** Webhooks of one event, of one transaction, in one status. */
export type WebhookFilter = Omit<Input<ReturnType<typeof webhookQuery>>, "limit" | "cursor">;
