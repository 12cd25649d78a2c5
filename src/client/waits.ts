/** Waiting for what comes in a world, woken by its journal; what does not come in time is told by what came instead. */
import { counted } from "../domain/counted.ts";
import { wakeAfter } from "../runtime.ts";
import type { ClockInfo, JournalEntryInfo } from "./control-types.ts";
import { type Candidate, differences, tellInstead } from "./differences.ts";
import { refuseNoJson, refuseNoObject, refuseWrongOptions } from "./refusals.ts";
import { refuseNoNumber, type WorldCalls } from "./world-calls.ts";

/** How long is waited. */
export interface WaitOptions {
  /** In real time; 5 s unless given. 0 looks at what is there. */
  readonly timeoutMs?: number | undefined;
}

/** What was waited for did not come in time; the message says what came instead, nearest first, and in what it differs. */
export class WaitError extends Error {
  override readonly name = "WaitError";
}

/** What is waited for. */
export interface Awaited<Found> {
  /** `webhook`, `call`, `entry`. */
  readonly noun: string;
  readonly kind: string;
  readonly where: object;
  /** Those of the kind that are there already; read no further than needed. */
  readonly there: () => AsyncIterable<Found>;
  /** What an entry of the journal tells of, where that is of the kind; a reset may have taken it away meanwhile. */
  readonly toldBy: (entry: JournalEntryInfo) => Promise<Found | undefined>;
  readonly candidate: (found: Found) => Candidate;
  /** All that came of the kind, as far as that can be asked for, or of any kind; read no further than needed. */
  readonly came: (of: "kind" | "any") => AsyncIterable<Found>;
}

const TIMEOUT_MS = 5_000;

/**
 * The first that is there or comes.
 * @throws {WaitError} @throws {ControlCallError} where the world goes away. @throws {UnreachableError}
 * @throws {Error} for a time-out that is no length of time.
 */
export async function waitFor<Found>(calls: WorldCalls, awaited: Awaited<Found>, options: WaitOptions): Promise<Found> {
  const { timeoutMs = TIMEOUT_MS } = options;
  refuseNoNumber("timeoutMs", "milliseconds", timeoutMs);
  const end = new AbortController();
  let stopTimer: (() => void) | undefined;
  try {
    while (!end.signal.aborted) {
      // The stream stands before it is looked at what is there: nothing comes unseen in between.
      const entries = await calls.sharedStream(end.signal);
      for await (const found of awaited.there()) if (isIt(awaited, found)) return found;
      stopTimer ??= wakeAfter(timeoutMs, () => end.abort());
      const told = await firstTold(entries, awaited);
      if (told !== undefined) return told;
      // The stream of a world that is reset or restored ends, and the world goes on.
    }
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    stopTimer?.();
    end.abort();
  }
  // It may have come at the last moment, when there was no time left to look at it.
  for await (const found of awaited.there()) if (isIt(awaited, found)) return found;
  throw new WaitError(await nothingCame(calls, awaited, timeoutMs));
}

/** What can be said of a kind of wait. */
export interface WaitWords {
  /** How `where` may look. */
  readonly example: string;
  readonly options: readonly string[];
}

/**
 * Looks at what is waited for before anything else does: what is no value would match nothing, or whatever comes.
 * @throws {Error} names what is wrong in `where` or among the options, and what would be right.
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

async function nothingCame<Found>(calls: WorldCalls, awaited: Awaited<Found>, timeoutMs: number): Promise<string> {
  const { noun, kind, where } = awaited;
  const came = await firstThatCame(awaited);
  const isAll = came.length < MOST_COMPARED;
  const instead = tellInstead(kind, where, came, isAll);
  const wanted = Object.keys(where).length === 0 ? kind : `${kind} with ${JSON.stringify(where)}`;
  const first = `No ${wanted} came within ${timeoutMs / 1000} s`;
  const clock = tellClock(await calls.call<ClockInfo>("GET", "/clock"));
  if (instead.length === 0) return `${first}, and no other ${noun} either. ${clock}`;
  const which = isAll ? "" : `, of the first ${MOST_COMPARED}`;
  return [`${first}. What came instead${which}, nearest first:`, ...instead, clock].join("\n");
}

/** So many of the kind, and so many of any, are held against what was wanted: of a hundred thousand it would take long. */
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

/** The commonest reason: what is waited for is still to come on the clock. */
function tellClock({ mode, now, pending_timers: count, next_timer_at: next }: ClockInfo): string {
  const waiting = counted(count, "timer waits on it", "timers wait on it");
  const state = mode === "frozen" ? `The clock stands still at ${now}` : `The clock shows ${now}`;
  if (next === null) return `${state}, and nothing waits on it.`;
  return `${state}; ${waiting}, the next is due at ${next}${mode === "frozen" ? ": advance it" : ""}.`;
}
