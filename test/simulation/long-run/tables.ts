/** TABLES: what a year of business is made of. */
import { clockRule, rule } from "../../support/scenarios.ts";
import { type Body, cashoutToNowhere } from "../orders.ts";

/** All rails, as often as they are used. */
export const charges: readonly Body[] = [
  { currency: "BRL", amount: "150.00" },
  { currency: "BRL", amount: "89.90" },
  { currency: "BRL", amount: "900.10", split: [{ username: "globex", percentage: 10 }] },
  { currency: "BRL", amount: 35.5, payer: { name: "Ana Lima", document: "11144477735" } },
  { currency: "MXN", amount: "300.00" },
  { currency: "USDT", amount: "25", chain: "tron" },
  { currency: "USDC", amount: "40", chain: "base" },
  { currency: "ETH", amount: "0.05", chain: "arbitrum" },
  { currency: "SOL", amount: "0.5" },
  { currency: "BTC", amount: "0.001" },
];

export const cashouts: readonly Body[] = [
  { currency: "BRL", amount: "10.00", key: "ana@example.com" },
  { currency: "MXN", amount: "50.00", key: "646180157000000004" },
  { currency: "USDT", amount: "12.5", chain: "ethereum", key: "0x52908400098527886E0F7030069857D2E4169EE7" },
  cashoutToNowhere,
];

export const wallets: readonly Body[] = [{ currency: "BRL" }, { currency: "USDT", chain: "tron" }];

/** Beginnings of external ids of charges, beside those of ordinary ones: the magic values. */
export const unusual: readonly string[] = [
  ..."expire fail cancel refund provider-reversal dispute-won dispute-lost dispute-canceled dispute".split(" "),
].map((name) => `magic-${name}`);

/** The same of cash-outs: every way that one fails. */
export const failing: readonly string[] = [
  ..."tron-energy-fail insufficient-balance no-hot-wallet invalid-address blacklisted blockchain-revert".split(" "),
  ..."broadcast-fail pix-key-not-found provider-timeout unknown refund".split(" "),
].map((name) => `magic-${name}`);

/** Fault rules of a day, all kinds in turn. */
export const faults: readonly Body[] = [
  { request: "POST /v2/transactions/cashin", inject: { error: "PROVIDER_ERROR" }, chance: "5%" },
  { delivery: "cashin.*", inject: { drop: true }, chance: "2%" },
  { request: "* /v2/account/*", inject: { status: 503 }, times: 2 },
  { delivery: "cashin.confirmed", inject: { duplicate: 2 }, chance: "5%" },
  { request: "POST /v2/transactions/cashin", inject: { latency: "1ms" }, chance: "10%" },
  { delivery: "*", inject: { delay: "40s" }, chance: "10%" },
  { request: "POST /v2/transactions/cashin", inject: { disconnect: "before" }, times: 2 },
  { delivery: "*", inject: { shuffle: 3 }, chance: "10%" },
  { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" }, times: 2 },
  { delivery: "cashout.*", inject: { source: "127.0.0.66" }, chance: "20%" },
  { request: "POST /v2/transactions/wallet", inject: { malformed: true }, times: 1 },
];

/** What recurs, beside all that the default scenarios do. */
export const recurring = {
  scenario: "the-year",
  rules: [
    clockRule({ every: "0 10 * * MON-FRI", timezone: "America/Sao_Paulo" }, [
      { deposit: { wallet: "BRL", amount: "1250.00" } },
    ]),
    clockRule({ every: "0 16 * * FRI" }, [{ deposit: { wallet: "USDT/tron", amount: "500.000000" } }]),
    clockRule({ every: "30 * * * *", chance: "20%" }, [
      { note: "half past" },
      { after: "1s", set_rate: { BTC: "99000.5" } },
    ]),
    rule("cashin.confirmed", [{ after: "2d", refund: { reason: "Returned by the customer" } }], {
      chance: "3%",
      also: true,
    }),
    rule("webhook.exhausted", [{ note: "the receiver never took it" }], { also: true }),
  ],
};
