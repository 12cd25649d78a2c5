/** Repeats the reading of what changes without any journal entry. */
import { useEffect } from "preact/hooks";
import { whileSeen } from "../browser.ts";

const PERIOD_MS = 3_000;

/** Reads something again periodically, while the page is visible. */
export function usePolling(kept: { touch(): Promise<void> }): void {
  useEffect(() => whileSeen(PERIOD_MS, () => void kept.touch()), [kept]);
}
