/** Rate limits and blocks of the model (Limits; D15 to D19). */
import { MINUTE } from "./facts.ts";
import type { State } from "./state.ts";

/** TABLE: requests per minute of each endpoint (Rate limits per endpoint). */
const perMinute: Readonly<Record<string, number>> = {
  "/v2/oauth/token": 30,
  "/v2/account/balance": 120,
  "/v2/account/info/profile": 60,
  "/v2/account/limits": 60,
  "/v2/account/fees": 60,
  "/v2/transactions/cashin": 12_000,
  "/v2/transactions/cashout": 6_000,
  "/v2/transactions/wallet": 30,
  "/v2/internal_transfers/payment": 10,
  "/v2/conversions/rate": 120,
  "/v2/conversions/simulate": 60,
  "/v2/conversions/new": 30,
  "/v2/account/transactions/list": 300,
  "/v2/account/infractions": 60,
  "/v2/account/infractions/reply": 10,
};

/** What is blocked after how many in which time, and for how long (Abuse blocking). */
const ADDRESS = { most: 5, within: 5 * MINUTE, lasts: 5 * MINUTE };
const CREDENTIAL = { most: 15, within: MINUTE, lasts: 5 * MINUTE };

/** The only address that programs call from. */
const HERE = "this address";

export function isAddressBlocked(state: State): boolean {
  return isBlocked(state, HERE);
}

export function isCredentialBlocked(state: State, client: string): boolean {
  return isBlocked(state, client);
}

/** A wrong secret, an expired token, a wrong signature (D18). */
export function countFailure(state: State): void {
  count(state, HERE, ADDRESS);
}

/** A 4xx of a credential; those of its own block do not count (D16). */
export function countRefusal(state: State, client: string): void {
  count(state, client, CREDENTIAL);
}

/** Counts a request in a window of a minute that begins with its first. @returns whether it is one too many. */
export function isOneTooMany(state: State, path: string, client: string | null): boolean {
  if (!state.settings.protected) return false;
  const key = `${client ?? HERE} ${path}`;
  const window = state.windows[key];
  const isOpen = window !== undefined && state.now < window.startedAt + MINUTE;
  const used = (isOpen ? window.used : 0) + 1;
  state.windows[key] = { startedAt: isOpen ? window.startedAt : state.now, used };
  return used > (perMinute[path] ?? 1_000);
}

function isBlocked({ now, blocks }: State, whom: string): boolean {
  return now < (blocks[whom] ?? 0);
}

function count(state: State, whom: string, rule: typeof ADDRESS): void {
  if (!state.settings.protected) return;
  const recent = (state.offences[whom] ?? []).filter((at) => at > state.now - rule.within);
  state.offences[whom] = [...recent, state.now];
  if (recent.length + 1 < rule.most) return;
  state.blocks[whom] = state.now + rule.lasts;
  state.offences[whom] = [];
}
