/** What `startSandbox` takes. */
import type { Settings } from "../domain/settings.ts";
import type { WorldOptions } from "./control-requests.ts";

/** Options of `startSandbox`; all have defaults. */
export interface StartOptions {
  /** The port to listen on; a free one unless given. */
  readonly port?: number | undefined;
  /** The address to listen on; 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /**
   * A folder to keep the worlds in, one file each; they are kept in memory unless given. A default world that is there
   * already stays as it was made: a process warning names the options of it that make no difference then.
   */
  readonly data?: string | undefined;
  /** The seed of the default world; 1 unless this or a scenario says otherwise. */
  readonly seed?: number | undefined;
  /** The instant at which the default world's clock begins; 2026-01-01T12:00:00Z unless this or a scenario says so. */
  readonly start?: string | undefined;
  /** The settings of the default world that differ from the defaults. */
  readonly settings?: Readonly<Partial<Settings>> | undefined;
  /** The default world's scenarios: shipped names or documents; `happy-path` and `magic-values` unless given. */
  readonly scenarios?: WorldOptions["scenarios"];
  /**
   * The URL to which the default account's webhooks go; nowhere unless given. In a default world that is there already,
   * `world.setPostbackUrl` changes it.
   */
  readonly postbackUrl?: string | undefined;
  /** The total time of a webhook request, in milliseconds of real time; 10 s unless given. */
  readonly webhookTimeoutMs?: number | undefined;
  /** The address of this machine from which webhooks over IPv4 are sent; the machine chooses unless given. */
  readonly webhookSourceIpv4?: string | undefined;
  /** The address of this machine from which webhooks over IPv6 are sent; the machine chooses unless given. */
  readonly webhookSourceIpv6?: string | undefined;
  /** How many webhooks a world sends at a time while its clock is frozen or advanced, one per URL; 1 unless given. */
  readonly webhookConcurrency?: number | undefined;
  /** The token that control calls must carry; none is needed unless given. */
  readonly controlToken?: string | undefined;
  /** Further host names for the control interface, besides those of this machine, such as `sandbox.example.dev`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether to take a caller's address from X-Forwarded-For and the scheme from X-Forwarded-Proto; no unless given. */
  readonly trustProxy?: boolean | undefined;
}
