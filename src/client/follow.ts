/** What happens in a world, across the histories that it has one after the other. */

import { delay } from "../runtime.ts";
import { ControlCallError, UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import type { EntryStream, OpenStream, StreamEnd, WorldCalls } from "./world-calls.ts";

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
  let entries: EntryStream = await calls.stream(after, signal);
  for (;;) {
    const { isOver, last }: StreamEnd = yield* entries;
    if (!isOver) await delay(RESUME_MS);
    const next: OpenStream | null = isOver ? await ofNewHistory(calls, signal) : await calls.openStream(last, signal);
    if (next === null) return;
    // Where it was reset meanwhile, what was asked for lies beyond the new history.
    if (isOver || next.begins !== last) onNewHistory?.();
    entries = next.entries;
  }
}

/** A proxy may end each stream as soon as it stands. */
const RESUME_MS = 100;

/** The stream of a history ends where the world is reset or restored, and where it goes away: then there is none. */
async function ofNewHistory(calls: WorldCalls, signal: AbortSignal | undefined): Promise<OpenStream | null> {
  try {
    return await calls.openStream(0, signal);
  } catch (error) {
    const isGone = error instanceof ControlCallError && error.code === "WORLD_GONE";
    if (isGone || error instanceof UnreachableError) return null;
    throw error;
  }
}
