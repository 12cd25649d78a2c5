import type { Gate } from "./guard.ts";
import type { Succession } from "./succession.ts";

/** What the app needs to know of its process. */
export interface AppOptions extends Gate {
  readonly version: string;
  /** Whether a proxy before it tells the client's address (`--trust-proxy`). */
  readonly trustProxy: boolean;
  /** What connections tell of the order of calls. */
  readonly succession: Succession;
  /** How often a stream on which nothing comes shows that it stands, in real time. */
  readonly pulseMs: number;
  readonly onFault: (error: unknown) => void;
}
