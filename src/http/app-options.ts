import type { Gate } from "./guard.ts";
import type { Succession } from "./succession.ts";

/** What the app needs to know of its process. */
export interface AppOptions extends Gate {
  readonly version: string;
  /** Whether a proxy in front tells the client's address (`--trust-proxy`). */
  readonly trustProxy: boolean;
  /** What connections tell of the order of calls. */
  readonly succession: Succession;
  /** How often an idle stream sends a pulse to show that it is alive, in real time. */
  readonly pulseMs: number;
  readonly onFault: (error: unknown) => void;
}
