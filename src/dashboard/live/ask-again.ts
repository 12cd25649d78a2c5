/** What was asked for while nothing answered is asked for again: no entry of the journal may ever touch it. */
import { wakeAfter } from "../browser.ts";
import type { ControlError } from "../wire/control.ts";
import type { Feed } from "./feed.ts";
import type { Emitter } from "./signal.ts";

const PAUSE_MS = 1_000;

/** What is read of the world and kept; `error` is why it could not be read last. */
export type Kept = Emitter & { readonly error: ControlError | null; touch(): Promise<void> };

/** Asks again once the sandbox is there again, or after a while where it is and a call got lost. @returns what ends it. */
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
