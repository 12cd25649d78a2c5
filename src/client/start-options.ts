/** What `startSandbox` takes. */
import type { Settings } from "../domain/settings.ts";

/** How a sandbox in process is started; all have defaults. */
export interface StartOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** Keeps the worlds in files of this folder. */
  readonly data?: string | undefined;
  readonly seed?: number | undefined;
  readonly start?: string | undefined;
  readonly settings?: Readonly<Partial<Settings>> | undefined;
  readonly scenarios?: readonly (string | Record<string, unknown>)[] | undefined;
  readonly postbackUrl?: string | undefined;
  readonly webhookTimeoutMs?: number | undefined;
  /** The address of this machine that webhooks over IPv4 come from; the machine chooses by default. */
  readonly webhookSourceIpv4?: string | undefined;
  /** The same over IPv6. */
  readonly webhookSourceIpv6?: string | undefined;
  readonly webhookConcurrency?: number | undefined;
  readonly controlToken?: string | undefined;
  /** Host names beside those of this machine under which it may be steered, such as `sandbox.example.dev`. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly trustProxy?: boolean | undefined;
}
