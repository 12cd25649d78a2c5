/** TABLE: decisions on conversions, wallets, the account, disputes and refunds. */
import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on conversions, wallets and the account: `D40` to `D49`. */
export const holdingDecisions: DecisionChapter = {
  title: "Conversion, wallet, account",
  decisions: [
    decide(
      "D40",
      "Which quote an execution refers to",
      `With \`implicit\` the account's latest unconsumed simulation of the same pair and amount. Still valid (60 s): its
      rate is used, and it and all earlier ones of that pair and amount are done with. Expired: \`RATE_EXPIRED\` until
      simulated again, for 24 h. None: the current spot rate. With \`ignore\` always the current spot rate.`,
      "quotes",
      "quote_ttl",
    ),
    decide(
      "D40a",
      "Figures of a conversion",
      `Rates are quoted to 12 significant digits, as plain decimals. \`spread\` is an amount in the destination currency,
      as is \`fee\`; \`rate\` is the spot rate before both, in simulate, new and the event alike; to_amount = amount ×
      rate − spread − fee. The fee that D07 gives is rounded once, in the destination currency. Simulated and executed figures are equal to the last digit.`,
    ),
    decide(
      "D40b",
      "`conversion.refunded`",
      `\`amount_reverted_from\` is what is taken back from the destination currency, \`amount_returned_to\` what is given
      back in the origin currency. It gets a new \`conversion_id\`; the first one is \`original_conversion_id\`. The
      envelope's \`transaction_id\` of conversion events is the \`conversion_id\`.`,
    ),
    decide("D41", "Pairs", `All pairs among BRL, USDT, USDC, BTC, ETH, SOL, BNB (and POL if extended).`),
    decide(
      "D42",
      "Answer of wallet for BRL and MXN",
      `wallet_id, address (the PIX key, an EVP; or the CLABE), currency, network, min_confirmations 0, created_at; BRL
      also \`key_type: evp\` and \`qr_code\` (static, no amount).`,
    ),
    decide("D43", "Wallets per credential", `20. The 21st: \`WALLET_LIMIT_REACHED\`.`, "fixtures"),
    decide(
      "D44",
      "Events of a deposit",
      `With \`both\`: \`cashin.confirmed\` (source \`static\`) and the flat \`wallet_deposit\`, in this order. With
      \`cashin\` or \`wallet_deposit\` that one alone.`,
      "deposit_events",
    ),
    decide(
      "D45",
      "`/v2/account/balance`",
      `data \`balances\`: array of currency, balance, balance_locked, for every currency of the account; \`?currency=\`
      narrows.`,
    ),
    decide(
      "D46",
      "Profile and fees; whose `postback_url`",
      `Profile: username, name, document, email, status (\`active\`, \`under_review\`), default postback_url, created_at.
      Fees: array \`fees\` of currency, operation, network (null for all), percentage, fixed, minimum (decimal strings).
      The default postback_url belongs to the credential and is inherited from the account where it has none; a
      resource remembers the credential that made it. Limits, count of wallets and webhook rate are per credential;
      balance and external ids per account.`,
    ),
    decide(
      "D47",
      "List of transactions",
      `Cash-ins and cash-outs, no transfers and conversions. Body: page (1), page_size (20, at most 100; above:
      \`INVALID_REQUEST\`), type, currency, status, external_id, transaction_id, source, created_from, created_to. Newest
      first. data: \`items\`, page, page_size, has_next, has_prev. Items carry all Transaction fields that apply to their
      kind, plus created_at, confirmed_at.`,
    ),
    decide(
      "D48",
      "Status words in lists",
      `\`confirmed\`, as in events (\`lifecycle\`), or the glossary's \`paid\` (\`glossary\`); filters accept both.`,
      "status_words",
    ),
    decide(
      "D49",
      "Entries of the limits",
      `One per currency and operation; conversions count on the base currency; successful and pending operations count,
      failed ones give back. \`monthly_*\` and \`daily_remaining\` are left out where the data of an entry says so: the
      shipped data has both kinds.`,
      "fixtures",
    ),
  ],
};

/** TABLE: decisions on disputes and refunds: `D50` to `D55`. */
export const disputeDecisions: DecisionChapter = {
  title: "Disputes and refunds",
  decisions: [
    decide(
      "D50",
      "List of disputes",
      `Query page, page_size (as D47), status, transaction_id. data: \`items\` with the infraction fields, page,
      page_size, has_next, has_prev.`,
    ),
    decide(
      "D51",
      "Reply",
      `Multipart: \`infraction_id\`, \`text\` (1 to 5 000 characters), up to 5 \`files\` (pdf, png, jpeg, by content;
      5 MiB each, 10 MiB in all: above 413, any other fault 400). 200; data: infraction_id, reply_id, status
      \`responded\`, responded_at. A second reply, a decided dispute or one past its deadline: 409
      \`INFRACTION_NOT_OPEN\`. Unknown or another account's: 404 \`NOT_FOUND\`.`,
    ),
    decide(
      "D52",
      "Blocked balance",
      `The disputed gross amount moves from balance to balance_locked, below zero if it must: only disputes and refunds
      may take the balance below zero, and every other debit but the splits of an arriving credit is then
      \`INSUFFICIENT_BALANCE\`.`,
    ),
    decide(
      "D53",
      "The deadline passes without a reply",
      `\`lost\`, at the deadline; with the setting it stays \`open\`.`,
      "unanswered_dispute",
    ),
    decide(
      "D54",
      "Events of a lost dispute",
      `\`chargeback.lost\`, \`cashin.refunded\` (reason \`MED_CHARGEBACK\`), \`chargeback.confirmed\`, in this order, at
      the same instant. Afterwards lists show the dispute as \`lost\`; the other reading of the transition table ends in
      \`confirmed\`.`,
      "lost_dispute_status",
    ),
    decide(
      "D54a",
      "Refunds",
      `Of a cash-in: the gross amount, the fee is kept; partial refunds until the gross amount is used up, the status is
      \`refunded\` after the first. \`transaction_id\` in the event is the refund's own new id,
      \`original_transaction_id\` the cash-in's. \`old_balance\` and \`new_balance\` are balance plus balance_locked, so
      that a refund out of blocked money shows too (in \`cashin.confirmed\` and \`transfer.confirmed\` they are balance
      alone). Of a cash-out likewise, with what had been debited. More than is left: \`INVALID_REQUEST\` of the control
      interface (422). A refunded cash-in takes no dispute, a disputed one no refund until decided. Reasons unless given:
      \`MANUAL_REFUND\` (cash-in), \`PROVIDER_REVERSAL\` (cash-out), \`SUPPORT_MANUAL_REVERSAL\` (conversion).`,
    ),
    decide(
      "D55",
      "`refund_confirmed`, `refund_responded`",
      `Not sent; with \`true\` sent beside \`chargeback.confirmed\` and \`chargeback.responded\`, with the same data.`,
      "legacy_refund_events",
    ),
  ],
};
