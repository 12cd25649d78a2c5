/** A page that somebody looks at, as the dashboard asks for it, on timers that the test moves. */
import { afterEach, beforeEach, vi } from "vitest";

/** For all tests of a file. */
export function useSeenPage(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
