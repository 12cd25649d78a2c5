/** TABLE: the names of events. */
const kinds: readonly string[] = [
  "cashin.confirmed",
  "cashin.expired",
  "cashin.refunded",
  "cashout.confirmed",
  "cashout.failed",
  "cashout.refunded",
  "conversion.confirmed",
  "conversion.refunded",
  "transfer.confirmed",
  "wallet.created",
  "wallet_deposit",
  "chargeback.opened",
  "chargeback.responded",
  "chargeback.won",
  "chargeback.lost",
  "chargeback.confirmed",
  "chargeback.canceled",
];

/** TABLE: the names under which some are sent a second time where a setting asks for it. */
const legacy: readonly string[] = ["refund_confirmed", "refund_responded"];

/** The names of the events of a world. @param isLegacy its setting `legacy_refund_events`. */
export function eventsOfWorld(isLegacy: boolean): readonly string[] {
  return isLegacy ? [...kinds, ...legacy] : kinds;
}
