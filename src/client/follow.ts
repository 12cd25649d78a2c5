/** What happens in a world, across the histories that it has one after the other. */

import { delay } from "../runtime.ts";
import { ControlCallError, UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import type { EntryStream, WorldCalls } from "./world-calls.ts";

/** Whom to tell what entries alone do not say, and how it ends. */
export interface FollowOptions {
  /** The world was reset or restored: what follows is its new history, from the first entry on. */
  readonly onNewHistory?: (() => void) | undefined;
  /** Ends it, though the next entry has not come: it throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entries as they come, until the world goes away. A stream that a proxy ends is taken up where it was.
 * @throws {ControlCallError} @throws {UnreachableError} @throws the reason of the signal, once it is aborted.
 */
export async function* followHistories(
  calls: WorldCalls,
  after: string | number | undefined,
  { onNewHistory, signal }: FollowOptions,
): AsyncGenerator<JournalEntryInfo> {
  let entries: EntryStream | null = await calls.stream(after, signal);
  while (entries !== null) {
    const { isOver, last } = yield* entries;
    if (!isOver) await delay(RESUME_MS);
    entries = await goneOn(calls, isOver ? 0 : last, signal);
    if (isOver && entries !== null) onNewHistory?.();
  }
}

/** A proxy may end each stream as soon as it stands. */
const RESUME_MS = 100;

/** The stream of a world ends where it is reset or restored, and where it goes away: then there is none. */
async function goneOn(calls: WorldCalls, after: number, signal: AbortSignal | undefined): Promise<EntryStream | null> {
  try {
    return await calls.stream(after, signal);
  } catch (error) {
    const isGone = error instanceof ControlCallError && error.code === "WORLD_GONE";
    if (isGone || error instanceof UnreachableError) return null;
    throw error;
  }
}
