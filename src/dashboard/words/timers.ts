/** TABLE: what timers do, and where their subjects are shown. */
const kinds: Readonly<Record<string, { readonly text: string; readonly view: string }>> = {
  "scenario.step": { text: "step of a scenario", view: "transactions" },
  "scenario.tick": { text: "rule by the clock", view: "scenarios" },
  "charge.expiry": { text: "charge expires", view: "transactions" },
  "cashout.gateway": { text: "gateway refuses the address", view: "transactions" },
  "wallet.deposit": { text: "deposit is credited", view: "transactions" },
  "dispute.deadline": { text: "deadline of the reply", view: "disputes" },
  "webhook.attempt": { text: "webhook is sent", view: "webhooks" },
  "webhook.release": { text: "held webhooks are let go", view: "webhooks" },
};

/** What will happen. */
export function timerText(kind: string): string {
  return kinds[kind]?.text ?? kind;
}

/** The view of a timer's subject. */
export function viewOfTimer({ kind, subject }: { kind: string; subject: string }): string | undefined {
  return subject.startsWith("inf_") ? "disputes" : kinds[kind]?.view;
}
