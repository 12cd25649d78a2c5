/** TABLE: what timers do. */
const texts: Readonly<Record<string, string>> = {
  "scenario.step": "step of a scenario",
  "scenario.tick": "rule by the clock",
  "charge.expiry": "charge expires",
  "cashout.gateway": "gateway refuses the address",
  "wallet.deposit": "deposit is credited",
  "dispute.deadline": "deadline of the reply",
  "webhook.attempt": "webhook is sent",
  "webhook.release": "held webhooks are let go",
};

/** What will happen. */
export function timerText(kind: string): string {
  return texts[kind] ?? kind;
}
