/** The model's clock: what is due is done, in its order, and time moves on by it. */
import { endUnpaid, pay } from "./cashins.ts";
import { confirm, fail } from "./cashouts.ts";
import { attempt, release } from "./deliveries.ts";
import { missDeadline } from "./disputes.ts";
import { type State, type Timer, type TimerKind, transactionOf } from "./state.ts";
import { firstTimer } from "./timers.ts";

/** TABLE: what a timer does when it is due. */
const work: Record<TimerKind, (state: State, timer: Timer) => void> = {
  expiry: (state, { subject }) => whilePending(state, subject, (charge) => endUnpaid(state, charge, "expired")),
  credit: (state, { subject }) => whilePending(state, subject, (deposit) => pay(state, deposit)),
  gateway: (state, { subject }) => whilePending(state, subject, (cashout) => fail(state, cashout, "INVALID_ADDRESS")),
  deadline: (state, { subject }) => missDeadline(state, subject),
  attempt,
  release: (state, { subject }) => release(state, Number(subject)),
  // A step that the state no longer allows is skipped.
  step: (state, { subject, action }) =>
    whilePending(state, subject, (transaction) => (action === "pay" ? pay : confirm)(state, transaction)),
};

function whilePending(state: State, id: string | number, act: (transaction: ReturnType<typeof transactionOf>) => void) {
  const transaction = transactionOf(state, id);
  if (transaction.status === "pending") act(transaction);
}

/** What an advance came to. */
interface Moved {
  readonly to: number;
  readonly reached: boolean;
  readonly timers: number;
}

/** What an advance aims at. */
export type Target =
  | { readonly kind: "to"; readonly at: number }
  | { readonly kind: "next" }
  | { readonly kind: "idle" }
  | { readonly kind: "event"; readonly event: string };

/** Runs all that is due on the way. */
export function advance(state: State, target: Target): Moved {
  state.told = [];
  let timers = 0;
  let goal = firstGoal(state, target);
  let isMet = false;
  for (;;) {
    const timer = firstTimer(state);
    if (!timer || timer.at > goal) break;
    run(state, timer);
    timers++;
    if (target.kind === "event" && !isMet && state.told.includes(target.event)) {
      isMet = true;
      goal = state.now;
    }
  }
  if (target.kind === "to") state.now = goal;
  const reached = target.kind === "event" ? isMet : target.kind !== "next" || timers > 0;
  return { to: state.now, reached, timers };
}

/** What is due at the present instant. */
export function settle(state: State): void {
  advance(state, { kind: "to", at: state.now });
}

function firstGoal(state: State, target: Target): number {
  if (target.kind === "to") return target.at;
  if (target.kind === "next") return firstTimer(state)?.at ?? state.now;
  return Number.POSITIVE_INFINITY;
}

function run(state: State, timer: Timer): void {
  state.timers = state.timers.filter((other) => other !== timer);
  state.now = Math.max(state.now, timer.at);
  work[timer.kind](state, timer);
}
