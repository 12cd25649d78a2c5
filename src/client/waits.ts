/** Waits for something to happen in a world, following its journal; on a time-out, says what came instead. */
import { counted } from "../domain/words/counted.ts";
import { delay, wakeAfter } from "../runtime.ts";
import type { ClockInfo, JournalEntryInfo } from "./control-types.ts";
import { type Candidate, differences, tellInstead } from "./differences.ts";
import { RESUME_MS } from "./event-stream.ts";
import { refuseNoJson, refuseNoObject, refuseWrongOptions } from "./refusals.ts";
import { refuseNoNumber, type WorldCalls } from "./world-calls.ts";

/** How long to wait. */
export interface WaitOptions {
  /** In milliseconds of real time; 5000 unless given. 0 only checks what is there already. */
  readonly timeoutMs?: number | undefined;
}

/** How a client waits. */
interface Waiting extends WaitOptions {
  /** Whether an advance of the client's own is under way. */
  readonly isAdvancing: () => boolean;
}

/** Nothing that matches came in time; the message says what came instead, nearest first, and how it differs. */
export class WaitError extends Error {
  override readonly name = "WaitError";
}

/** Something to wait for: its kind, its values, and how to look for it. */
export interface Awaited<Found> {
  /** `webhook`, `call`, `entry`. */
  readonly noun: string;
  readonly kind: string;
  readonly where: object;
  /** Those of the kind that exist already; read lazily. */
  readonly there: () => AsyncIterable<Found>;
  /** What a journal entry is about, if it is of the kind; undefined too if a reset has removed it meanwhile. */
  readonly toldBy: (entry: JournalEntryInfo) => Promise<Found | undefined>;
  readonly candidate: (found: Found) => Candidate;
  /** Everything of the kind that came, as far as lists can be filtered by it, or of any kind; read lazily. */
  readonly came: (of: "kind" | "any") => AsyncIterable<Found>;
}

const TIMEOUT_MS = 5_000;

/**
 * The first match that exists already or comes in time.
 * @param calls those of a connection that is answered soon: the time-out is over only once what is asked is answered.
 * @throws {WaitError} @throws {ControlCallError} if the world goes away. @throws {UnreachableError}
 * @throws {Error} for a `timeoutMs` that is not a number from 0 on.
 */
export async function waitFor<Found>(calls: WorldCalls, awaited: Awaited<Found>, waiting: Waiting): Promise<Found> {
  const { timeoutMs = TIMEOUT_MS, isAdvancing } = waiting;
  refuseNoNumber("timeoutMs", "milliseconds", timeoutMs);
  const end = new AbortController();
  let stopTimer: (() => void) | undefined;
  try {
    while (!end.signal.aborted) {
      // The stream is opened before looking at what is there, so that nothing is missed in between.
      const entries = await calls.sharedStream(end.signal);
      for await (const found of awaited.there()) if (isIt(awaited, found)) return found;
      stopTimer ??= wakeAfter(timeoutMs, () => end.abort());
      const told = await firstTold(entries, awaited);
      if (told !== undefined) return told;
      // The stream ends when the world is reset or restored; the wait goes on in the new history.
      await delay(RESUME_MS);
    }
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    stopTimer?.();
    end.abort();
  }
  // It may have come at the last moment, with no time left to look at it.
  for await (const found of awaited.there()) if (isIt(awaited, found)) return found;
  throw new WaitError(await nothingCame(calls, awaited, { timeoutMs, isAdvancing }));
}

/** What refusals show for a kind of wait. */
export interface WaitWords {
  /** An example of `where`. */
  readonly example: string;
  readonly options: readonly string[];
}

/**
 * Checks the arguments of a wait before it starts: a value that is not JSON would match nothing, or anything.
 * @throws {Error} names what is wrong in `where` or the options, and what would be right.
 */
export function refuseWrongWait(where: unknown, options: unknown, words: WaitWords): void {
  refuseNoObject("where", where, words.example);
  refuseNoJson("where", where);
  refuseWrongOptions("a wait", options, words.options);
}

async function firstTold<Found>(
  entries: AsyncIterable<JournalEntryInfo>,
  awaited: Awaited<Found>,
): Promise<Found | undefined> {
  for await (const entry of entries) {
    const told = await awaited.toldBy(entry);
    if (told !== undefined && isIt(awaited, told)) return told;
  }
  return undefined;
}

function isIt<Found>({ kind, where, candidate }: Awaited<Found>, found: Found): boolean {
  const { kind: own, fields } = candidate(found);
  return own === kind && differences(where, fields).length === 0;
}

async function nothingCame<Found>(
  calls: WorldCalls,
  awaited: Awaited<Found>,
  { timeoutMs, isAdvancing }: Waiting & { readonly timeoutMs: number },
): Promise<string> {
  const { noun, kind, where } = awaited;
  const came = await firstThatCame(awaited);
  const isAll = came.length < MOST_COMPARED;
  const instead = tellInstead(kind, where, came, isAll);
  const wanted = Object.keys(where).length === 0 ? kind : `${kind} with ${JSON.stringify(where)}`;
  const first = `No ${wanted} came within ${timeoutMs / 1000} s`;
  const clock = tellClock(await calls.call<ClockInfo>("GET", "/clock"), isAdvancing());
  if (instead.length === 0) return `${first}, and no other ${noun} either. ${clock}`;
  const which = isAll ? "" : `, of the first ${MOST_COMPARED}`;
  return [`${first}. What came instead${which}, nearest first:`, ...instead, clock].join("\n");
}

/** How many of the kind, and how many of any kind, are compared: comparing a hundred thousand would take long. */
const MOST_COMPARED = 2_000;

async function firstThatCame<Found>({ kind, came, candidate }: Awaited<Found>): Promise<Candidate[]> {
  const own = (await firstOf(came("kind"), candidate)).filter((each) => each.kind === kind);
  const others = (await firstOf(came("any"), candidate)).filter((each) => each.kind !== kind);
  return [...own, ...others];
}

async function firstOf<Found>(all: AsyncIterable<Found>, candidate: (found: Found) => Candidate): Promise<Candidate[]> {
  const first: Candidate[] = [];
  for await (const found of all) {
    first.push(candidate(found));
    if (first.length === MOST_COMPARED) break;
  }
  return first;
}

/** Describes the clock: most often, what is waited for is still to come on it. */
function tellClock({ mode, now, pending_timers: count, next_timer_at: next }: ClockInfo, isAdvancing: boolean): string {
  const standsStill = mode === "frozen" && !isAdvancing;
  const waiting = counted(count, "timer waits on it", "timers wait on it");
  const state = standsStill ? `The clock stands still at ${now}` : `The clock shows ${now}`;
  const end = isAdvancing ? ". An advance is under way: what is due on its way is still to come." : ".";
  if (next === null) return `${state}, and nothing waits on it${end}`;
  if (Date.parse(next) <= Date.parse(now))
    return `${state}; ${waiting}, the next was due at ${next}: it runs once receivers have answered what is being sent${end}`;
  return `${state}; ${waiting}, the next is due at ${next}${standsStill ? ": advance it" : ""}${end}`;
}
