/** The names of events that commands take. */
import { eventKinds, isEventName } from "../domain/events.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { UsageError } from "./usage-error.ts";

/** @throws {UsageError} if no event has this name; with the nearest kind. */
export function refuseUnknownEvent(name: string): void {
  if (isEventName(name)) return;
  throw new UsageError(sentence(`There is no event "${name}"${didYouMean(name, eventKinds)}`));
}
