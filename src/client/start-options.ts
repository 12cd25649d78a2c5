/** What `startSandbox` takes. */
import type { Settings } from "../domain/settings.ts";

/** How a sandbox in process is started; all have defaults. */
export interface StartOptions {
  readonly port?: number;
  readonly host?: string;
  /** Keeps the worlds in files of this folder. */
  readonly data?: string;
  readonly seed?: number;
  readonly start?: string;
  readonly settings?: Readonly<Partial<Settings>>;
  readonly scenarios?: readonly (string | Record<string, unknown>)[];
  readonly postbackUrl?: string;
  readonly webhookTimeoutMs?: number;
  /** The address of this machine that webhooks over IPv4 come from; the machine chooses by default. */
  readonly webhookSourceIpv4?: string;
  /** The same over IPv6. */
  readonly webhookSourceIpv6?: string;
  readonly webhookConcurrency?: number;
  readonly controlToken?: string;
  /** Host names beside those of this machine under which it may be steered, such as `sandbox.example.dev`. */
  readonly allowedHosts?: readonly string[];
  readonly trustProxy?: boolean;
}
