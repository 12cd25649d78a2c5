import type { Gate } from "./guard.ts";
import type { Succession } from "./succession.ts";

/** What the app needs to know of its process. */
export interface AppOptions extends Gate {
  readonly version: string;
  /** Whether a proxy before it tells the client's address (`--trust-proxy`). */
  readonly trustProxy: boolean;
  /** What connections tell of the order of calls. */
  readonly succession: Succession;
  readonly onFault: (error: unknown) => void;
}
