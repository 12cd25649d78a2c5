/** The forms of the ids by which the service knows its resources. */

/** The id of a transaction, a transfer or a conversion. */
export const HEX_ID = /^[0-9a-f]{32}$/;

/** The id of a dispute. */
export const DISPUTE_ID = /^inf_[0-9a-z]{24}$/;

const DISPUTE_IDS = /\binf_[0-9a-z]{24}\b/g;

/** The ids of disputes that a text names, each once, in their order. */
export function disputeIdsIn(text: string): string[] {
  return [...new Set(text.match(DISPUTE_IDS))];
}
