/**
 * TABLE: fields of requests that the specification does not name for their operation (R3), with the decision that does.
 */
export const madeUpInputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getToken: { grant_type: "D10" },
  createCashin: { chain: "D05", network: "D05", username: "D35" },
  createCashout: { chain: "D05", key_type: "D36" },
  createTransfer: { currency: "D38", amount: "D38", description: "D38", external_id: "D38" },
  getBalance: { currency: "D45" },
  listTransactions: {
    type: "D47",
    currency: "D47",
    status: "D47",
    external_id: "D47",
    transaction_id: "D47",
    source: "D47",
    created_from: "D47",
    created_to: "D47",
  },
  listInfractions: { status: "D50", transaction_id: "D50" },
  replyToInfraction: { infraction_id: "D51", text: "D51", files: "D51" },
};
