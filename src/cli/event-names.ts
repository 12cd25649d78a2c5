/** Names of events as commands take them. */
import { eventKinds, eventNames } from "../domain/events.ts";
import { didYouMean, sentence } from "../domain/near-name.ts";
import { UsageError } from "./usage-error.ts";

/** Whether events go by this name; by two of them only where the world has `legacy_refund_events` (`D55`). */
export function isEvent(name: string): boolean {
  return eventNames.some((known) => known === name);
}

/** @throws {UsageError} for a name that no kind of event has, with the nearest. */
export function refuseUnknownKind(name: string): void {
  if (eventKinds.some((kind) => kind === name)) return;
  throw new UsageError(sentence(`There is no event "${name}"${didYouMean(name, eventKinds)}`));
}
