/** The names of events that commands take. */
import { eventKinds, eventNames } from "../domain/events.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { UsageError } from "./usage-error.ts";

/** Whether it is an event's name, legacy ones included, which only worlds with `legacy_refund_events` use (`D55`). */
export function isEvent(name: string): boolean {
  return eventNames.some((known) => known === name);
}

/** @throws {UsageError} if no event has this name; with the nearest kind. */
export function refuseUnknownKind(name: string): void {
  if (isEvent(name)) return;
  throw new UsageError(sentence(`There is no event "${name}"${didYouMean(name, eventKinds)}`));
}
