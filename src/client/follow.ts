/** What happens in a world, across the histories that it has one after the other. */
import { ControlCallError, UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import type { WorldCalls } from "./world-calls.ts";

/** Whom to tell what entries alone do not say, and how it ends. */
export interface FollowOptions {
  /** The world was reset or restored: what follows is its new history, from the first entry on. */
  readonly onNewHistory?: (() => void) | undefined;
  /** Ends it, though the next entry has not come: it throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entries as they come, until the world goes away.
 * @throws {ControlCallError} @throws {UnreachableError} @throws the reason of the signal, once it is aborted.
 */
export async function* followHistories(
  calls: WorldCalls,
  after: string | number | undefined,
  { onNewHistory, signal }: FollowOptions,
): AsyncGenerator<JournalEntryInfo> {
  let entries: AsyncGenerator<JournalEntryInfo> | null = await calls.stream(after, signal);
  while (entries !== null) {
    yield* entries;
    entries = await newHistory(calls, signal);
    if (entries !== null) onNewHistory?.();
  }
}

/** The stream of a world ends where it is reset or restored, and where it goes away: then there is none. */
async function newHistory(
  calls: WorldCalls,
  signal: AbortSignal | undefined,
): Promise<AsyncGenerator<JournalEntryInfo> | null> {
  try {
    return await calls.stream(0, signal);
  } catch (error) {
    const isGone = error instanceof ControlCallError && error.code === "WORLD_GONE";
    if (isGone || error instanceof UnreachableError) return null;
    throw error;
  }
}
