/**
 * TABLES: every state and transition of the service, as the specification's "States and transitions" lists them.
 * `machine.ts` is their only interpreter; code, control actions, documentation and the state test are built on them.
 */
import type { EventKind } from "./events.ts";
import type { PostingName } from "./ledger.ts";

/** One row: in state `from`, `trigger` leads to `to`, makes the postings, and emits the events in this order. */
export interface Transition {
  /** null: the trigger creates the resource. */
  readonly from: string | null;
  readonly trigger: string;
  readonly to: string;
  readonly postings: readonly PostingName[];
  readonly events: readonly EventKind[];
  /** Where the row comes from: "States and transitions" of the specification, or a decision. */
  readonly source: string;
}

/** The rows of a kind of resource; `actions` are the triggers that the control interface and scenarios offer. */
export interface Lifecycle {
  readonly actions: readonly string[];
  readonly transitions: readonly Transition[];
}

const SPEC = "States and transitions";

/** Makes a row; `trigger` and `to` keep their literal types, which {@link TriggerOf} and {@link StateOf} need. */
function step<const Trigger extends string, const To extends string>(
  from: string | null,
  trigger: Trigger,
  to: To,
  also: { postings?: PostingName[]; events?: EventKind[]; source?: string } = {},
): Transition & { readonly trigger: Trigger; readonly to: To } {
  return { from, trigger, to, postings: also.postings ?? [], events: also.events ?? [], source: also.source ?? SPEC };
}

/** TABLE: by kind of resource, the actions that control calls and scenarios offer, and every transition. */
export const lifecycles = {
  cashin: {
    actions: ["pay", "expire", "cancel", "fail", "refund", "dispute"],
    transitions: [
      step(null, "create", "pending"),
      step("pending", "pay", "confirmed", { postings: ["receive", "charge_fee"], events: ["cashin.confirmed"] }),
      step(null, "deposit", "pending", { source: "Fixed wallet; control interface" }),
      step("pending", "expire", "expired", { events: ["cashin.expired"] }),
      step("pending", "cancel", "canceled", { source: "D33" }),
      step("pending", "fail", "failed", { source: "D33" }),
      step("confirmed", "refund", "refunded", { postings: ["return_to_payer"], events: ["cashin.refunded"] }),
      step("refunded", "refund", "refunded", {
        postings: ["return_to_payer"],
        events: ["cashin.refunded"],
        source: "D54a",
      }),
      step("confirmed", "dispute", "confirmed", { source: "D54a" }),
      step("confirmed", "charge_back", "refunded", { postings: ["return_blocked"], events: ["cashin.refunded"] }),
    ],
  },
  cashout: {
    actions: ["confirm", "fail", "refund"],
    transitions: [
      step(null, "create", "pending", { postings: ["reserve"] }),
      step("pending", "confirm", "confirmed", { postings: ["settle", "settle_fee"], events: ["cashout.confirmed"] }),
      step("pending", "fail", "failed", { postings: ["release"], events: ["cashout.failed"] }),
      step("confirmed", "refund", "refunded", { postings: ["take_back"], events: ["cashout.refunded"] }),
      step("refunded", "refund", "refunded", {
        postings: ["take_back"],
        events: ["cashout.refunded"],
        source: "D54a",
      }),
    ],
  },
  conversion: {
    actions: ["refund"],
    transitions: [
      step(null, "execute", "completed", {
        postings: ["sell", "buy", "conversion_fee", "conversion_spread"],
        events: ["conversion.confirmed"],
      }),
      step("completed", "refund", "refunded", {
        postings: ["revert_bought", "return_sold"],
        events: ["conversion.refunded"],
      }),
    ],
  },
  transfer: {
    actions: [],
    transitions: [step(null, "execute", "confirmed", { postings: ["pay_over"], events: ["transfer.confirmed"] })],
  },
  wallet: {
    actions: ["deposit"],
    transitions: [
      step(null, "provision", "provisioned", { events: ["wallet.created"] }),
      step("provisioned", "deposit", "provisioned", { source: "Fixed wallet; control interface" }),
    ],
  },
  dispute: {
    actions: ["win", "lose", "cancel"],
    transitions: [
      step(null, "open", "open", { postings: ["block"], events: ["chargeback.opened"] }),
      step("open", "reply", "responded", { events: ["chargeback.responded"] }),
      ...["open", "responded"].flatMap((from) => [
        step(from, "win", "won", { postings: ["unblock"], events: ["chargeback.won"] }),
        step(from, "lose", "lost", { events: ["chargeback.lost"] }),
        step(from, "cancel", "canceled", { postings: ["unblock"], events: ["chargeback.canceled"] }),
      ]),
      step("lost", "finalize", "lost", { events: ["chargeback.confirmed"], source: "D54" }),
      step("lost", "finalize_as_confirmed", "confirmed", { events: ["chargeback.confirmed"] }),
    ],
  },
} as const satisfies Record<string, Lifecycle>;

/** A kind of resource that has a lifecycle. */
export type LifecycleName = keyof typeof lifecycles;

/** The states of a kind of resource; each is the `to` of some row. */
export type StateOf<Name extends LifecycleName> = (typeof lifecycles)[Name]["transitions"][number]["to"];

/** The triggers of a kind of resource. */
export type TriggerOf<Name extends LifecycleName> = (typeof lifecycles)[Name]["transitions"][number]["trigger"];

/** The actions of a kind of resource. */
export type ActionOf<Name extends LifecycleName> = (typeof lifecycles)[Name]["actions"][number];
