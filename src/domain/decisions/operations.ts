import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on cash-in, cash-out, transfer and split. */
export const operationDecisions: DecisionChapter = {
  title: "Cash-in, cash-out, transfer, split",
  decisions: [
    decide(
      "D30",
      "Answer of cash-in",
      `200; data: transaction_id, external_id (null if none), type, currency, currency_type, amount, fee, amount_net,
      status \`pending\`, source \`dynamic_qr\`, network, chain (crypto), then \`qr_code\` (BRL: EMV text) or \`address\`
      (crypto) or \`clabe\` (MXN), expires_at (creation + 30 min), created_at.`,
    ),
    decide(
      "D31",
      "PIX QR",
      `EMV text that begins \`00020126\` (no field 01). Of a charge: field 26-25 the location URL that ends in the
      transaction id, amount in field 54, 62-05 \`***\`, right CRC16. Of a fixed wallet: its EVP key in 26-01, no amount.`,
    ),
    decide(
      "D32",
      "Expiry of SPEI and crypto charges",
      `After 30 min the status is \`expired\`; the event is for PIX only (\`pix\`), or with \`all\` for every charge.`,
      "expired_event",
    ),
    decide(
      "D33",
      "Cash-in into `failed` and `canceled`",
      `By a scenario or an action of the control interface only; shown by the list, no event (none exists).`,
    ),
    decide(
      "D34",
      "A crypto charge is paid with another amount",
      `The action \`pay\` may carry \`amount\`; what arrived is credited, with the fee on what arrived. A PIX or SPEI
      charge takes only its own amount.`,
    ),
    decide(
      "D35",
      "Split",
      `Items of \`split[]\`: \`username\` and either \`percentage\` (a number; \`type\` absent or \`percentage\`) or
      \`type: fixed\` with \`amount\`. Percentages are of \`amount_net\`. Percentages above 95 in sum, percentages plus
      fixed above the net amount, an unknown username, the own username, or more than 10 items: \`INVALID_REQUEST\`.
      Executed on confirmation out of the arriving credit, even when the balance is below zero: an internal transfer
      each, in order, with \`transfer.confirmed\` to both sides; if a short crypto payment does not cover them, the last
      ones are cut, to nothing if need be (then no transfer).`,
    ),
    decide(
      "D36",
      "Answer of cash-out, and its destination",
      `202; data: transaction_id, external_id, type, currency, currency_type, network, chain (crypto), amount, fee,
      amount_net, status \`pending\`, wallet, key_type, created_at. Input \`key\` with optional \`key_type\`
      (contradicting the key: \`INVALID_REQUEST\`), else inferred: cpf, cnpj, email, phone, evp; clabe; the chain for
      crypto. A PIX key or CLABE that fits no format is \`INVALID_REQUEST\`; one that is well-formed and does not exist
      fails later (\`PIX_KEY_NOT_FOUND\`). A crypto address is checked by the gateway afterwards: 202, then
      \`cashout.failed\` with \`INVALID_ADDRESS\` (EVM: all lower or all upper case, or right EIP-55; bitcoin: mainnet).`,
    ),
    decide(
      "D37",
      "Money of a pending cash-out",
      `Moves from balance to balance_locked at 202, leaves on confirmation, returns on failure.`,
    ),
    decide(
      "D38",
      "Internal transfer",
      `Input \`username\`, \`currency\`, \`amount\`, optional \`description\`, \`external_id\`. 200; data: transaction_id,
      external_id, username, currency, amount, fee (zero), status \`confirmed\`, description, created_at. One id of 32
      hexadecimal characters for both sides. Unknown user: 404 \`NOT_FOUND\`; to oneself: \`INVALID_REQUEST\`.`,
    ),
    decide(
      "D39",
      "`direction` in the sender's event",
      `\`sent\`, or with the setting \`out\`.`,
      "transfer_sent_direction",
    ),
  ],
};
