/**
 * The chart of accounts and the posting templates. Money moves only by postings, each from one ledger account to
 * another, so that every currency sums to zero by construction; undoing is a posting the other way.
 */
import type { MinorUnits } from "./money.ts";

/** One movement of money: `amount` minor units of `currency` leave `source` and reach `destination`. */
export interface Posting {
  readonly source: string;
  readonly destination: string;
  readonly currency: string;
  readonly amount: MinorUnits;
}

/** TABLE: the roles that a ledger account can have in a posting template, and what they stand for. */
export const ledgerRoles = {
  available: "What the merchant can use: `balance`.",
  locked: "What is blocked by operations in progress; part of `balance_locked`.",
  disputed: "What is blocked by open disputes; the other part of `balance_locked`.",
  outside: "The world beyond the service: PIX, SPEI or a chain.",
  fees: "What the service earned in fees.",
  spread: "What the service earned in conversion spreads.",
  provider: "The counterpart of conversions: the liquidity provider.",
  opening: "Where opening balances and control funding come from.",
  counterparty: "What the other account of an internal transfer can use.",
} as const;

/** A role in a posting template; {@link ledgerAccount} resolves it to an account once the parties are known. */
export type LedgerRole = keyof typeof ledgerRoles;

/** A movement between two roles; `figure` names the amount that moves. */
export interface PostingTemplate {
  readonly from: LedgerRole;
  readonly to: LedgerRole;
  readonly figure: string;
  /** `counter`: the movement is in the destination currency of a conversion; absent: in the main currency. */
  readonly in?: "counter";
}

/** TABLE: the movements that transitions name. */
export const postingTemplates = {
  receive: { from: "outside", to: "available", figure: "amount" },
  charge_fee: { from: "available", to: "fees", figure: "fee" },
  return_to_payer: { from: "available", to: "outside", figure: "refund" },
  reserve: { from: "available", to: "locked", figure: "debit" },
  release: { from: "locked", to: "available", figure: "debit" },
  settle: { from: "locked", to: "outside", figure: "sent" },
  settle_fee: { from: "locked", to: "fees", figure: "fee" },
  take_back: { from: "outside", to: "available", figure: "refund" },
  block: { from: "available", to: "disputed", figure: "disputed" },
  unblock: { from: "disputed", to: "available", figure: "disputed" },
  return_blocked: { from: "disputed", to: "outside", figure: "disputed" },
  pay_over: { from: "available", to: "counterparty", figure: "amount" },
  sell: { from: "available", to: "provider", figure: "sold" },
  buy: { from: "provider", to: "available", figure: "bought", in: "counter" },
  conversion_fee: { from: "provider", to: "fees", figure: "fee", in: "counter" },
  conversion_spread: { from: "provider", to: "spread", figure: "spread", in: "counter" },
  revert_bought: { from: "available", to: "provider", figure: "bought", in: "counter" },
  return_sold: { from: "provider", to: "available", figure: "sold" },
  fund: { from: "opening", to: "available", figure: "amount" },
} as const satisfies Record<string, PostingTemplate>;

/** The name by which lifecycles refer to a posting template. */
export type PostingName = keyof typeof postingTemplates;

/** What the names of merchants' ledger accounts begin with. */
const MERCHANTS = "merchant:";

/** What the names of ledger accounts outside the service begin with. */
export const OUTSIDE = "external:";

/** The ledger account that has a role. @throws {Error} if the role needs a party that is not given. */
export function ledgerAccount(role: LedgerRole, parties: Parties): string {
  switch (role) {
    case "available":
    case "locked":
    case "disputed":
      return `${MERCHANTS}${parties.username}:${role}`;
    case "counterparty":
      return `${MERCHANTS}${partyOf(parties.counterparty, role)}:available`;
    case "outside":
      return `${OUTSIDE}${partyOf(parties.network, role).toLowerCase()}`;
    default:
      return `service:${role}`;
  }
}

/** The username of the merchant whose ledger account it is; null if it is no merchant's. */
export function merchantOf(account: string): string | null {
  return account.startsWith(MERCHANTS) ? account.slice(MERCHANTS.length, account.lastIndexOf(":")) : null;
}

/** Whether a ledger account holds what a merchant cannot use, which makes up `balance_locked`. */
export function isBlocked(account: string): boolean {
  return merchantOf(account) !== null && /:(locked|disputed)$/.test(account);
}

/** The parties of a transition's postings. */
export interface Parties {
  readonly username: string;
  readonly network?: string;
  readonly counterparty?: string;
}

/** The currency of a transition and, for a conversion, the destination currency. */
export interface TransitionCurrencies {
  readonly main: string;
  readonly counter?: string;
}

/**
 * The postings of the named templates with the figures filled in; movements of zero are left out.
 * @throws {Error} if a figure is missing or negative, or a party or the destination currency is missing.
 */
export function fillPostings(
  names: readonly PostingName[],
  currencies: TransitionCurrencies,
  figures: Readonly<Record<string, MinorUnits>>,
  parties: Parties,
): Posting[] {
  return names
    .map((name) => postingTemplates[name])
    .map((template: PostingTemplate) => ({
      source: ledgerAccount(template.from, parties),
      destination: ledgerAccount(template.to, parties),
      currency: currencyOf(template, currencies),
      amount: figure(figures, template.figure),
    }))
    .filter((posting) => posting.amount !== 0n);
}

function currencyOf(template: PostingTemplate, { main, counter }: TransitionCurrencies): string {
  if (template.in !== "counter") return main;
  if (counter === undefined) throw new Error("A posting in the destination currency lacks it.");
  return counter;
}

function figure(figures: Readonly<Record<string, MinorUnits>>, name: string): MinorUnits {
  const amount = figures[name];
  if (amount === undefined || amount < 0n) throw new Error(`A posting lacks the figure "${name}", or it is negative.`);
  return amount;
}

function partyOf(value: string | undefined, role: LedgerRole): string {
  if (value === undefined) throw new Error(`A posting with the role "${role}" lacks its party.`);
  return value;
}
