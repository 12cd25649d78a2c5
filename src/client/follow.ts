/** Follows the journal of a world across resets and restores, each of which begins a new history. */

import { delay } from "../runtime.ts";
import { ControlCallError, UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import { RESUME_MS } from "./event-stream.ts";
import { notSuch, refuseWrongOptions } from "./refusals.ts";
import type { EntryStream, OpenStream, StreamEnd, WorldCalls } from "./world-calls.ts";

/** Options of `world.follow`. */
export interface FollowOptions {
  /** Called when the world was reset or restored: what follows is its new history, from the first entry on. */
  readonly onNewHistory?: (() => void) | undefined;
  /** Aborts it, even while it waits for an entry: it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entries as they come, until the world goes away. A stream that a proxy ends is resumed where it was.
 * @throws {ControlCallError} @throws {UnreachableError} @throws the reason of the signal, once it is aborted.
 * @throws {Error} for an option that there is not, or of another kind.
 */
export async function* followHistories(
  calls: WorldCalls,
  after: string | number | undefined,
  options: FollowOptions,
): AsyncGenerator<JournalEntryInfo> {
  if (Object(after) === after) throw new Error("follow takes its options second: follow(undefined, { signal }).");
  refuseWrong(options);
  const { onNewHistory, signal } = options;
  let entries: EntryStream = await calls.stream(after, signal);
  for (;;) {
    const { isOver, last }: StreamEnd = yield* entries;
    if (!isOver) await delay(RESUME_MS);
    const next: OpenStream | null = isOver ? await ofNewHistory(calls, signal) : await calls.openStream(last, signal);
    if (next === null) return;
    // If the world was reset meanwhile, `last` lies beyond its new history, and the stream begins elsewhere.
    if (isOver || next.begins !== last) onNewHistory?.();
    entries = next.entries;
  }
}

function refuseWrong(options: FollowOptions): void {
  refuseWrongOptions("follow", options, ["onNewHistory", "signal"]);
  const { onNewHistory, signal } = options;
  if (onNewHistory != null && typeof onNewHistory !== "function") {
    throw new Error(`onNewHistory of follow must be a function, ${notSuch(onNewHistory)}.`);
  }
  if (signal != null && typeof signal.aborted !== "boolean") {
    throw new Error(`signal of follow must be that of an AbortController, ${notSuch(signal)}.`);
  }
}

/** A stream ends when the world is reset or restored, which opens a new one, or when it goes away, which gives null. */
async function ofNewHistory(calls: WorldCalls, signal: AbortSignal | undefined): Promise<OpenStream | null> {
  try {
    return await calls.openStream(0, signal);
  } catch (error) {
    const isGone = error instanceof ControlCallError && error.code === "WORLD_GONE";
    if (isGone || error instanceof UnreachableError) return null;
    throw error;
  }
}
