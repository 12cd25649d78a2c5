/** `POST /v2/transactions/cashout` as the model has it. */
import {
  amountOf,
  chainRefusals,
  commonParts,
  destinationRefusals,
  latestTransaction,
  strangeRefusals,
  transactionAnswer,
} from "./cashin-call.ts";
import { createCashout, debitOf } from "./cashouts.ts";
import { isCurrency, isFiat } from "./facts.ts";
import { isOverLimit } from "./limits.ts";
import type { Body, Caller, MoneyCall } from "./money-calls.ts";
import { balanceOf, instantText, type State, transactionOf } from "./state.ts";

/** TABLE: keys that are well-formed, with their types (D36). */
export const keys: Readonly<Record<string, string>> = {
  "ana@example.com": "email",
  "11144477735": "cpf",
  "+5551998259765": "phone",
  "893f5960-df90-419f-b5b5-13a9155ffd55": "evp",
  "032180000118359719": "clabe",
};

/** TABLE: an address of each kind of chain. */
const addresses: Readonly<Record<string, string>> = {
  tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  bitcoin: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  solana: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
};
const EVM_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** An address of a chain that is one. */
export function addressOn(chain: string): string {
  return addresses[chain] ?? EVM_ADDRESS;
}

export const cashoutCall: MoneyCall = {
  path: "/v2/transactions/cashout",
  status: 202,
  send: ({ merchant }, body) => merchant.cashout(body),
  refusals,
  latest: latestTransaction,
  idOf: ({ transaction_id }) => String(transaction_id),
  apply(state, { username, client }, body, id) {
    const currency = String(body.currency);
    const key = String(body.key);
    const parts = commonParts(body);
    const keyType = parts.chain ?? keys[key] ?? "";
    const isNowhere = parts.chain !== null && key !== addressOn(parts.chain);
    const amount = amountOf(body) ?? 0n;
    createCashout(state, { id, username, client, currency, amount, key, keyType, isNowhere, ...parts });
  },
  answer(state, id) {
    const { key, keyType, createdAt } = transactionOf(state, id);
    return { ...transactionAnswer(state, id), wallet: key, key_type: keyType, created_at: instantText(createdAt) };
  },
};

function refusals(state: State, { username, client }: Caller, body: Body): string[] {
  const currency = body.currency;
  if (!isCurrency(currency)) return strangeRefusals(body);
  const amount = amountOf(body);
  const codes = [...chainRefusals(body), ...destinationRefusals(body), ...keyRefusals(currency, String(body.key))];
  if (amount === null || amount === 0n) return [...codes, "INVALID_REQUEST"];
  if (isOverLimit(state, { client, operation: "cashout", currency, amount })) codes.push("LIMIT_EXCEEDED");
  const isCovered = balanceOf(state, username, currency).available >= debitOf(state, currency, amount);
  return isCovered ? codes : [...codes, "INSUFFICIENT_BALANCE"];
}

/** A PIX key or CLABE that fits no form; addresses are looked at afterwards. */
function keyRefusals(currency: string, key: string): string[] {
  if (!isFiat(currency)) return [];
  const type = keys[key];
  const isRight = currency === "MXN" ? type === "clabe" : type !== undefined && type !== "clabe";
  return isRight ? [] : ["INVALID_REQUEST"];
}
