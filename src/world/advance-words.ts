/** The targets of an advance in words, as scripts, calls and command lines give them. */
import { parseDuration } from "../domain/durations.ts";
import { eventKinds } from "../domain/events.ts";
import type { AdvanceTarget } from "./advance.ts";
import { parseInstant } from "./instants.ts";

/** What an advance takes besides durations and instants. @param events names of events that it may go on to. */
export function advanceWords(events: readonly string[] = eventKinds): readonly string[] {
  return ["next", "idle", ...events];
}

/** The target that a word means. @param word one of {@link advanceWords}. */
export function targetOfWord(word: string): AdvanceTarget {
  return word === "next" || word === "idle" ? { kind: word } : { kind: "event", event: word };
}

/** The target that a text means: a duration, an instant or one of {@link advanceWords}; null if it means none. */
export function targetOf(text: string, events: readonly string[] = eventKinds): AdvanceTarget | null {
  const durationMs = parseDuration(text);
  if (durationMs !== null) return { kind: "by", durationMs };
  const instant = parseInstant(text);
  if (instant !== null) return { kind: "to", instant };
  return advanceWords(events).includes(text) ? targetOfWord(text) : null;
}
