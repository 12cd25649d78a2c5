/** Repeats requests that failed while nothing answered: there may never be a journal entry that touches them. */
import { wakeAfter } from "../browser.ts";
import type { ControlError } from "../wire/control.ts";
import type { Feed } from "./feed.ts";
import type { Emitter } from "./signal.ts";

const PAUSE_MS = 1_000;

/** Something read of the world and kept; `error` says why the last reading failed. */
export type Kept = Emitter & { readonly error: ControlError | null; touch(): Promise<void> };

/** Asks again once the sandbox is back, or after a while if only one call was lost. @returns what ends it. */
export function askAgain(feed: Feed, kept: Kept): () => void {
  let callOff = () => {};
  const again = () => {
    if (feed.status.value === "live" && kept.error) void kept.touch();
  };
  const back = feed.status.listen(again);
  const lost = kept.listen(() => {
    callOff();
    if (kept.error?.status === 0) callOff = wakeAfter(PAUSE_MS, again);
  });
  return () => {
    back();
    lost();
    callOff();
  };
}
