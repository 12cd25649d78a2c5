/** `POST /v2/transactions/cashin` as the model has it. */
import { createCharge, shareOf } from "./cashins.ts";
import { decimalText, minorUnits } from "./decimals.ts";
import { chainsOf, feeOf, isCurrency, isFiat, scaleOf } from "./facts.ts";
import { isOverLimit } from "./limits.ts";
import type { Body, Caller, MoneyCall } from "./money-calls.ts";
import { instantText, type Share, type State, transactionOf } from "./state.ts";

interface SplitItem {
  readonly username: string;
  readonly percentage?: number;
  readonly amount?: string;
}

export const cashinCall: MoneyCall = {
  path: "/v2/transactions/cashin",
  status: 200,
  send: ({ merchant }, body) => merchant.cashin(body),
  refusals,
  latest: latestTransaction,
  idOf: ({ transaction_id }) => String(transaction_id),
  apply(state, { username, client }, body, id) {
    const amount = amountOf(body) ?? 0n;
    const currency = String(body.currency);
    createCharge(state, { id, username, client, currency, amount, split: sharesOf(body), ...commonParts(body) });
  },
  answer(state, id) {
    const charge = transactionOf(state, id);
    const { source, createdAt, expiresAt } = charge;
    const times = { expires_at: instantText(expiresAt ?? 0), created_at: instantText(createdAt) };
    return { ...transactionAnswer(state, id), source, ...times };
  },
};

function refusals(state: State, caller: Caller, body: Body): string[] {
  const currency = body.currency;
  if (!isCurrency(currency)) {
    // Shares are held against each other where none is at fault; what they come to follows from the currency.
    return [...strangeRefusals(body), ...((body.split ?? []) as unknown[]).map(() => "INVALID_REQUEST")];
  }
  const amount = amountOf(body);
  const codes = [...chainRefusals(body), ...destinationRefusals(body)];
  if (amount === null || amount === 0n) return [...codes, "INVALID_REQUEST"];
  if (isOverLimit(state, { client: caller.client, operation: "cashin", currency, amount }))
    codes.push("LIMIT_EXCEEDED");
  const net = amount - feeOf("cashin", currency, amount);
  return isSplitWrong(state, caller, body, net) ? [...codes, "INVALID_REQUEST"] : codes;
}

/** D35. */
function isSplitWrong(state: State, { username }: Caller, body: Body, net: bigint): boolean {
  const items = (body.split ?? []) as readonly SplitItem[];
  const known = state.accounts.map((account) => account.username);
  const isToNobody = items.some((item) => item.username === username || !known.includes(item.username));
  const isTooFine = items.some(
    ({ amount }) => amount !== undefined && minorUnits(amount, scaleOf(String(body.currency))) === null,
  );
  if (isToNobody || isTooFine) return true;
  const percentages = items.reduce((sum, { percentage }) => sum + Math.round(100 * (percentage ?? 0)), 0);
  const total = sharesOf(body).reduce((sum, share) => sum + shareOf(net, share), 0n);
  return percentages > 95_00 || total > net;
}

function sharesOf(body: Body): Share[] {
  const scale = scaleOf(String(body.currency));
  return ((body.split ?? []) as readonly SplitItem[]).map(({ username, percentage, amount }) => {
    return {
      username,
      ...(percentage === undefined ? { amount: minorUnits(amount ?? "0", scale) ?? 0n } : { percentage }),
    };
  });
}

/** The amount of a body in its currency; null for none. */
export function amountOf({ amount, currency }: Body): bigint | null {
  return minorUnits(String(amount), scaleOf(String(currency)));
}

/** In a currency that there is not: what is invalid whatever it is comes first (D15). */
export function strangeRefusals(body: Body): string[] {
  const units = minorUnits(String(body.amount), MOST_DECIMALS);
  const isInvalid = units === null || units === 0n || destinationRefusals(body).length > 0;
  return [isInvalid ? "INVALID_REQUEST" : "INVALID_CURRENCY"];
}

/** More than any currency has. */
const MOST_DECIMALS = 30;

/** Missing where there are several, or unknown (D05). */
export function chainRefusals(body: Body): string[] {
  const currency = String(body.currency);
  if (isFiat(currency)) return [];
  const chains = chainsOf(currency);
  const isKnown = body.chain === undefined ? chains.length === 1 : chains.includes(String(body.chain));
  return isKnown ? [] : ["UNSUPPORTED_CHAIN"];
}

/** Plain http to anywhere but this machine and its private networks (D63). */
export function destinationRefusals({ postback_url }: Body): string[] {
  return String(postback_url ?? "").startsWith("http://shop.example.com") ? ["INVALID_REQUEST"] : [];
}

/** What cash-ins and cash-outs have in common. */
export function commonParts(body: Body) {
  const currency = String(body.currency);
  return {
    externalId: typeof body.external_id === "string" ? body.external_id : null,
    chain: isFiat(currency) ? null : String(body.chain ?? chainsOf(currency)[0]),
    postback: typeof body.postback_url === "string" ? body.postback_url : null,
  };
}

/** The fields of a transaction that answers and lists share. */
export function transactionAnswer(state: State, id: string) {
  const row = transactionOf(state, id);
  const text = (units: bigint) => decimalText(units, scaleOf(row.currency));
  return {
    transaction_id: id,
    external_id: row.externalId,
    type: row.type,
    currency: row.currency,
    currency_type: isFiat(row.currency) ? "fiat" : "crypto",
    network: row.network,
    ...(row.chain === null ? {} : { chain: row.chain }),
    amount: text(row.amount),
    fee: text(row.fee),
    amount_net: text(row.amount - row.fee),
    status: row.status,
  };
}

/** The transaction that was made last. */
export async function latestTransaction(world: Parameters<MoneyCall["latest"]>[0]): Promise<string> {
  return (await world.transactions.list()).at(-1)?.transaction_id ?? "";
}
