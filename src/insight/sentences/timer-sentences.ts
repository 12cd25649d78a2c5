/** Pending timers, as sentences. */
import type { Timer } from "../../store/timers.ts";

/** TABLE: what happens when a timer of each kind comes due. */
export const timerSentences: Readonly<Record<string, (timer: Timer) => string>> = {
  "charge.expiry": () => "The charge expires unless it is paid before.",
  "cashout.gateway": () => "The gateway refuses the address of the cash-out.",
  "dispute.deadline": () => "The deadline of the dispute passes, unless it is answered or decided before.",
  "wallet.deposit": () => "The deposit is credited.",
  "webhook.attempt": ({ subject, payload }) =>
    payload.duplicate
      ? `A further copy of the webhook ${subject} is sent.`
      : `The next attempt to deliver the webhook ${subject} is made.`,
  "webhook.release": () => "Webhooks that are held to be shuffled are let go.",
  "scenario.step": ({ rule }) =>
    `Step ${rule ?? "of a scenario"} is carried out, unless the state does not allow it by then.`,
  "scenario.tick": ({ rule, subject }) => `Rule ${rule ?? subject} has its time.`,
};

/** What will happen when the timer comes due. */
export function tellTimer(timer: Timer): string {
  return timerSentences[timer.kind]?.(timer) ?? `A timer of the kind ${timer.kind} comes due.`;
}
