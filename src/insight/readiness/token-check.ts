/** Whether tokens are kept for as long as they are valid. */
import type { ReadinessVerdict } from "../../domain/readiness-verdicts.ts";
import { counted } from "../../domain/words/counted.ts";
import { TOKEN_LIFETIME_S } from "../../service/tokens.ts";
import type { World } from "../../world/world.ts";
import { type Call, Crowds, hasCome, idsOf, mustHaveHeard, waitedMs } from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";

const LIFE_MS = TOKEN_LIFETIME_S * 1000;

/** A merchant that fetches the next token after this time, half of a token's life, has kept the one before. */
const KEPT_MS = LIFE_MS / 2;

/** A token that serves fewer calls than this is fetched for each of them. */
const FEW_CALLS = 2;

/** Several programs may each have a token; one that serves fewer calls than this was hardly needed. */
const SOME_CALLS = 3;

/** More tokens than a merchant is likely to have programs, unless each is used for many calls. */
const MANY_TOKENS = 10;
const MANY_CALLS = 10;

/** How one credential uses its tokens. */
interface Habit {
  readonly fetches: Call[];
  /** Fetches while the token before was still good. */
  readonly needless: Call[];
  /** Calls that were made with a token. */
  used: number;
}

/** Tokens are cached, not fetched for each call, and a new one is fetched when they end (AUTH-02). */
export function judgeTokens({ calls, world }: Evidence): Finding {
  const habits = [...habitsIn(calls).values()].filter(({ used }) => used >= FEW_CALLS);
  for (const verdict of ["fail", "warn"] as const) {
    const bad = habits.filter((habit) => verdictOn(habit) === verdict);
    if (bad.length > 0) return { verdict, evidence: idsOf(bad.flatMap(({ needless }) => needless)), detail: told(bad) };
  }
  const late = lateIn(calls, world);
  if (late.length > 0) {
    const came = `${counted(late.length, "more call")} followed one that was refused`;
    const detail = `After the last token had expired, ${came}; no new token was asked for in between.`;
    return { verdict: "warn", evidence: idsOf(late), detail };
  }
  if (habits.length === 0) return unobserved("Too few calls were made with a token.");
  return { verdict: "pass", evidence: idsOf(habits.flatMap(({ fetches }) => fetches)), detail: told(habits) };
}

function habitsIn(calls: readonly Call[]): Map<string, Habit> {
  const habits = new Map<string, Habit>();
  const habitOf = (clientId: string) => {
    const habit = habits.get(clientId) ?? { fetches: [], needless: [], used: 0 };
    habits.set(clientId, habit);
    return habit;
  };
  /** By address: the ordinal of the last call whose token was refused, which is reason enough for a new one. */
  const refused = new Map<string, number>();
  for (const call of calls) {
    const { isToken, client_id, proven, ip, ordinal } = call;
    if (proven !== null && isFetch(call)) {
      noteFetch(habitOf(proven), call, refused.get(ip) ?? 0);
    } else if (!isToken && call.error_code === "UNAUTHORIZED") refused.set(ip, ordinal);
    else if (client_id !== null) habitOf(client_id).used++;
  }
  return habits;
}

function noteFetch({ fetches, needless }: Habit, call: Call, lastRefused: number): void {
  if (isGivenUp(fetches.at(-1), call) && fetches.pop() === needless.at(-1)) needless.pop();
  const before = fetches.at(-1);
  fetches.push(call);
  if (!before || lastRefused > before.ordinal) return;
  if (waitedMs(before, call) < KEPT_MS) needless.push(call);
}

/** What is known of an address that has fetched a token. */
interface Holder {
  /** When the last one was fetched. */
  readonly fetchedAt: number;
  /** The credentials that have one. */
  readonly credentials: Set<string | null>;
  /** Calls that were refused since a token was asked for or served, by which each credential may learn of the end. */
  readonly refused: Call[];
}

/**
 * Calls that were refused when the last token of their address had expired, after another one that was refused so. Of
 * several workers, each may learn it from a call of its own, as may each credential.
 */
function lateIn(calls: readonly Call[], world: World): Call[] {
  const late: Call[] = [];
  const crowds = new Crowds();
  const holders = new Map<string, Holder>();
  for (const call of calls) {
    const { at, ip, isToken, client_id, proven, struck, wrong_credential: isWrong } = call;
    const isCrowded = crowds.take(ip, call);
    const holder = holders.get(ip);
    if (isFetch(call)) {
      const credentials = (holder?.credentials ?? new Set()).add(proven);
      holders.set(ip, { fetchedAt: at, credentials, refused: [] });
    } else if (isToken || client_id !== null) holder?.refused.splice(0);
    else if (holder && isWrong && struck === null && at - holder.fetchedAt >= LIFE_MS) {
      const { credentials, refused } = holder;
      const last = refused[credentials.size - 1];
      if (!last) refused.push(call);
      else if (!isCrowded && mustHaveHeard(call, last, world)) late.push(call);
    }
  }
  return late;
}

/** Whether a call brought its caller a token, if only late. */
function isFetch(call: Call): boolean {
  return call.isToken && call.status === 200 && hasCome(call);
}

/** Whether the answer to a call that brought a token was not waited for: the next one came before it. */
function isGivenUp(fetch: Call | undefined, next: Call): boolean {
  return fetch?.struck === "latency" && next.wall_at - fetch.wall_at < fetch.duration_ms;
}

function verdictOn({ needless, used }: Habit): ReadinessVerdict {
  const callsPerToken = used / (1 + needless.length);
  if (needless.length === 0) return "pass";
  if (callsPerToken >= SOME_CALLS)
    return needless.length >= MANY_TOKENS && callsPerToken < MANY_CALLS ? "warn" : "pass";
  if (callsPerToken < FEW_CALLS) return needless.length > 1 ? "fail" : "warn";
  return needless.length > 2 ? "warn" : "pass";
}

function told(habits: readonly Habit[]): string {
  const fetched = habits.reduce((sum, { fetches }) => sum + fetches.length, 0);
  const used = habits.reduce((sum, habit) => sum + habit.used, 0);
  return `${counted(fetched, "token")} fetched for ${counted(used, "call")}.`;
}
