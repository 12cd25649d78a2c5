import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on amounts, currencies and chains. */
export const moneyDecisions: DecisionChapter = {
  title: "Money, currencies, chains",
  decisions: [
    decide(
      "D01",
      "Scale of amounts",
      `BRL, MXN 2; USDT, USDC 6; BTC, ETH, SOL, BNB, POL 8 decimals. Strings always show the full scale (\`"150.00"\`,
      \`"0.00150000"\`). An input with more decimals than the scale (trailing zeros count), with an exponent in a
      string, zero, negative, not a number, or above 15 significant digits as a JSON number is \`INVALID_REQUEST\`,
      never rounded.`,
    ),
    decide(
      "D02",
      "POL; base for USDT; ethereum and base for USDC; arbitrum for USDT and L2s for ETH, which the wallet section leaves out",
      `The per-currency table of the overview counts (\`table\`), in the wallet section too. With \`extended\` POL
      (polygon) exists everywhere and USDT accepts base.`,
      "currencies",
    ),
    decide(
      "D03",
      "Rounding of fees, spreads, conversions",
      `Half-up for fees and spreads, towards zero for what is credited, estimated or split. Fee plus net always equals
      gross exactly.`,
    ),
    decide(
      "D04",
      "Labels of `network`",
      `PIX, SPEI; tron TRC20; ethereum ERC20; bsc BEP20; polygon POLYGON; arbitrum ARBITRUM; base BASE; optimism
      OPTIMISM; bitcoin BITCOIN; solana SOLANA. A native coin on its own chain carries the label of the tokens there.`,
    ),
    decide(
      "D05",
      "The chain is missing in a crypto cash-in or cash-out",
      `\`chain\` and \`network\` are both accepted, \`chain\` as the name of a chain, \`network\` as that or as a label,
      in any case. Missing with one chain for the currency: that one. Missing with several: \`UNSUPPORTED_CHAIN\`.
      Contradicting: \`INVALID_REQUEST\`.`,
    ),
    decide(
      "D06",
      "Confirmations (five values for the six chains of USDC, none for ETH on L2s), and the pace of chains and SPEI",
      `Per chain, as for USDT where it is named: ethereum 12, bsc 15, polygon 100, tron 20, bitcoin 6, solana 32;
      arbitrum 20, base 32, optimism 32; BRL and MXN 0. Time per confirmation: tron 3 s, ethereum 12 s, bsc 3 s,
      polygon 2 s, bitcoin 600 s, solana 0.4 s, arbitrum 0.25 s, base 2 s, optimism 2 s; a SPEI takes 30 s. All of it
      is data: \`fixtures/chains.json\`, and of SPEI \`fixtures/currencies.json\`.`,
      "fixtures",
    ),
    decide(
      "D07",
      "Fees, rates, limits, opening balances",
      `Plausible round figures, the same every run: \`fixtures/\`. A fee is the greater of \`minimum\` and amount ×
      \`percentage\` / 100 + \`fixed\`, rounded as D03 says, never above the amount.`,
      "fixtures",
    ),
    decide(
      "D08",
      "Fee of a cash-out",
      `With \`deducted\` it is taken out of \`amount\`: the balance is debited \`amount\`, the receiver gets
      \`amount_net\`, and \`refunded_amount\` on failure is \`amount\`. With \`added\` the balance is debited amount
      plus fee, the receiver gets \`amount\`, \`amount_net\` stays amount minus fee, and \`refunded_amount\` is amount
      plus fee.`,
      "cashout_fee",
    ),
    decide(
      "D09",
      "Type of `amount` going in",
      `Conversions: a JSON number; a string is \`INVALID_REQUEST\`. Cash-in, cash-out, transfer, split: a number or a
      decimal string. Numbers are read from their source text, never through a rounded double.`,
    ),
  ],
};
