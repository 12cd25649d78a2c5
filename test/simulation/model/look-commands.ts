/** Commands of merchants that look: balance, profile, fees, limits, transactions, disputes. */
import fc from "fast-check";
import fees from "../../../fixtures/fees.json" with { type: "json" };
import { agree } from "./agreement.ts";
import { perform } from "./calls.ts";
import { transactionAnswer } from "./cashin-call.ts";
import { command, picked, which } from "./commands.ts";
import { decimalText, minor } from "./decimals.ts";
import { defaultDestination } from "./deliveries.ts";
import { currencyNames, DAY, isCurrency, type LimitedOperation, scaleOf } from "./facts.ts";
import { limitsOf, usedNow } from "./limits.ts";
import type { Branch, MerchantApp } from "./stage.ts";
import { balanceOf, instantText, type State } from "./state.ts";

/** TABLE: what an account reads of itself, and what the model has there. */
const readings = {
  "/v2/account/balance": (state: State, { username }: MerchantApp) => ({ balances: balancesOf(state, username) }),
  "/v2/account/info/profile": (state: State, { username, merchant }: MerchantApp) => {
    const account = state.accounts.find((each) => each.username === username);
    const status = account?.underReview ? "under_review" : "active";
    return { username, status, postback_url: defaultDestination(state, merchant.clientId) };
  },
  "/v2/account/fees": () => ({ fees: fees.filter((row) => isCurrency(row.currency)) }),
  "/v2/account/limits": (state: State, { merchant }: MerchantApp) => {
    const reset_at = instantText((Math.floor(state.now / DAY) + 1) * DAY);
    return { limits: limitEntries(state, merchant.clientId), reset_at };
  },
} as const;
const paths = Object.keys(readings) as (keyof typeof readings)[];

const account = command(6, fc.record({ by: which, path: fc.constantFrom(...paths) }), ({ branch }, { by, path }) =>
  read(branch, picked(branch.apps, by) as MerchantApp, path),
);

/** What a merchant reads of its account. */
export async function read(branch: Branch, app: MerchantApp, path: (typeof paths)[number]): Promise<string> {
  const outcome = await perform(branch, app, {
    method: "GET",
    path,
    send: ({ merchant }) => merchant.call("GET", path),
    isOpenUnderReview: path === "/v2/account/info/profile",
  });
  if (outcome.kind === "done" && outcome.data) agree(path, readings[path](branch.state, app), outcome.data);
  return outcome.label;
}

/** All that the merchants of a world can read of themselves. */
export async function readAll(branch: Branch): Promise<void> {
  for (const app of branch.apps) for (const path of paths) await read(branch, app, path);
}

/** The entries of the balance, as an account reads them. */
export function balancesOf(state: State, username: string) {
  return currencyNames.map((currency) => {
    const { available, locked, disputed } = balanceOf(state, username, currency);
    const text = (units: bigint) => decimalText(units, scaleOf(currency));
    return { currency, balance: text(available), balance_locked: text(locked + disputed) };
  });
}

function limitEntries(state: State, client: string) {
  return limitsOf(state, client).map((row) => {
    const { currency, daily_limit, monthly_limit } = row;
    const operation = row.operation as LimitedOperation;
    const { day, month } = usedNow(state, { client, operation, currency });
    const text = (units: bigint) => decimalText(units, scaleOf(currency));
    const left = minor(daily_limit, scaleOf(currency)) - day;
    return {
      currency,
      operation,
      daily_limit,
      daily_used: text(day),
      ...(row.shows_daily_remaining ? { daily_remaining: text(left > 0n ? left : 0n) } : {}),
      ...(monthly_limit ? { monthly_limit, monthly_used: text(month) } : {}),
      per_operation_min: row.per_operation_min,
      per_operation_max: row.per_operation_max,
    };
  });
}

const status = fc.constantFrom(undefined, "pending", "confirmed", "paid", "refunded", "expired", "failed", "canceled");

const list = command(
  4,
  fc.record({
    by: which,
    page: fc.integer({ min: 1, max: 3 }),
    page_size: fc.constantFrom(1, 3, 20, 100, 101),
    type: fc.constantFrom(undefined, "cashin", "cashout"),
    status,
    source: fc.constantFrom(undefined, undefined, "static", "dynamic_qr"),
  }),
  async ({ branch }, { by, ...filter }) => {
    const { state } = branch;
    const app = picked(branch.apps, by) as MerchantApp;
    const path = "/v2/account/transactions/list";
    const outcome = await perform(branch, app, {
      method: "POST",
      path,
      send: ({ merchant }) => merchant.call("POST", path, filter),
      refusals: () => (filter.page_size > 100 ? ["INVALID_REQUEST"] : []),
    });
    if (outcome.kind === "not done" || !outcome.data) return outcome.label;
    const wanted = filter.status === "paid" ? "confirmed" : filter.status;
    const found = state.transactions
      .filter(({ username }) => username === app.username)
      .filter((row) => filter.type === undefined || row.type === filter.type)
      .filter((row) => wanted === undefined || row.status === wanted)
      .filter((row) => filter.source === undefined || row.source === filter.source)
      .map(({ id }) => itemOf(state, id));
    agree(path, pageOf(found, filter), outcome.data);
    return outcome.label;
  },
);

/** A transaction as the merchant's list shows it, in the words of the world (D47, D48). */
function itemOf(state: State, id: string) {
  const item = transactionAnswer(state, id);
  const isGlossary = state.settings.status_words === "glossary";
  return { ...item, status: isGlossary && item.status === "confirmed" ? "paid" : item.status };
}

const infractions = command(
  3,
  fc.record({
    by: which,
    page: fc.integer({ min: 1, max: 2 }),
    page_size: fc.constantFrom(1, 20),
    status: fc.constantFrom(undefined, "open", "responded", "won", "lost"),
  }),
  async ({ branch }, { by, ...filter }) => {
    const app = picked(branch.apps, by) as MerchantApp;
    const path = "/v2/account/infractions";
    const { page, page_size, status: wanted } = filter;
    const query = `?page=${page}&page_size=${page_size}${wanted === undefined ? "" : `&status=${wanted}`}`;
    const send = ({ merchant }: MerchantApp) => merchant.call("GET", `${path}${query}`);
    const outcome = await perform(branch, app, { method: "GET", path, send });
    if (outcome.kind === "not done" || !outcome.data) return outcome.label;
    const found = branch.state.disputes
      .filter(({ username }) => username === app.username)
      .filter((dispute) => wanted === undefined || dispute.status === wanted)
      .map((dispute) => ({ infraction_id: dispute.id, status: dispute.status, transaction_id: dispute.transactionId }));
    agree(path, pageOf(found, filter), outcome.data);
    return outcome.label;
  },
);

/** A page of a listing, newest first. */
function pageOf(oldestFirst: readonly object[], { page, page_size }: { page: number; page_size: number }) {
  const [from, to] = [(page - 1) * page_size, page * page_size];
  const items = [...oldestFirst].reverse();
  return { items: items.slice(from, to), page, page_size, has_next: items.length > to, has_prev: page > 1 };
}

export const lookCommands = { account, list, infractions };
