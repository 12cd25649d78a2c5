/**
 * TABLE: what the `data` of every answer is, field by field in the order in which the fields go out. The OpenAPI
 * document is made from it, and tests check every answer against that.
 */
import { z } from "zod";
import { statesOf } from "../../domain/machine.ts";
import { TOKEN_LIFETIME_S } from "../../service/tokens.ts";
import {
  amount,
  clabe,
  crypto,
  currency,
  fiat,
  hexId,
  instant,
  madeUp,
  nullableText,
  pix,
  pixCode,
  spei,
  sums,
  text,
  wholeId,
} from "./answer-fields.ts";
import { balance, fees, infractions, limits, profile, reply, transactions } from "./answers-account.ts";
import { conversion, rate, simulation } from "./answers-conversion.ts";

/** `D10`. */
const token = z.strictObject({
  access_token: madeUp("D10", text),
  token_type: madeUp("D10", z.literal("Bearer")),
  expires_in: madeUp("D10", z.literal(TOKEN_LIFETIME_S)),
});

const charge = {
  transaction_id: hexId,
  external_id: nullableText,
  type: z.literal("cashin"),
  currency,
  currency_type: z.enum(["fiat", "crypto"]),
  ...sums,
  status: z.enum(statesOf("cashin")),
  source: z.literal("dynamic_qr"),
  network: text,
};
const chargeTimes = { expires_at: madeUp("D30", instant), created_at: madeUp("D30", instant) };

/** `D30`. */
const cashin = z.union([
  z
    .strictObject({ ...charge, currency_type: fiat, network: pix, qr_code: madeUp("D30", pixCode), ...chargeTimes })
    .meta({ title: "BRL" }),
  z
    .strictObject({ ...charge, currency_type: crypto, chain: text, address: text, ...chargeTimes })
    .meta({ title: "Crypto" }),
  z
    .strictObject({ ...charge, currency_type: fiat, network: spei, clabe: madeUp("D30", clabe), ...chargeTimes })
    .meta({ title: "MXN" }),
]);

/** `D36`. */
const cashout = z.strictObject({
  transaction_id: hexId,
  external_id: nullableText,
  type: z.literal("cashout"),
  currency,
  currency_type: z.enum(["fiat", "crypto"]),
  network: text,
  chain: text.optional(),
  ...sums,
  status: z.enum(statesOf("cashout")),
  wallet: text,
  key_type: text,
  created_at: madeUp("D36", instant),
});

/** Named by the specification for crypto, by `D42` for BRL and MXN. */
const provisioned = { min_confirmations: z.int().min(0), created_at: instant };
const wallet = z.union([
  z
    .strictObject({
      wallet_id: wholeId,
      address: text,
      currency: currency.meta({ examples: ["USDT"] }),
      chain: text,
      ...provisioned,
    })
    .meta({ title: "Crypto" }),
  z
    .strictObject({
      wallet_id: wholeId,
      address: text,
      currency,
      network: pix,
      ...provisioned,
      key_type: madeUp("D42", z.literal("evp")),
      qr_code: madeUp("D42", pixCode),
    })
    .meta({ title: "BRL" }),
  z
    .strictObject({ wallet_id: wholeId, address: clabe, currency, network: spei, ...provisioned })
    .meta({ title: "MXN" }),
]);

/** `D38`. */
const transfer = z.strictObject({
  transaction_id: hexId,
  external_id: nullableText,
  username: text,
  currency,
  amount,
  fee: amount,
  status: z.enum(statesOf("transfer")),
  description: nullableText,
  created_at: madeUp("D38", instant),
});

/** TABLE: the schemas, by the names that the endpoints' rows give them. */
export const answers = {
  token,
  cashin,
  cashout,
  wallet,
  transfer,
  rate,
  simulation,
  conversion,
  balance,
  profile,
  fees,
  limits,
  transactions,
  infractions,
  reply,
} as const;

/** The names by which endpoints refer to these schemas. */
export type AnswerName = keyof typeof answers;
