/** What `startSandbox` takes. */
import type { Settings } from "../domain/settings.ts";
import type { WorldOptions } from "./control-requests.ts";

/** How a sandbox in process is started; all have defaults. */
export interface StartOptions {
  /** A free one unless given. */
  readonly port?: number | undefined;
  /** The address to listen on; 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** Keeps the worlds in files of this folder; in memory unless given. */
  readonly data?: string | undefined;
  /** Of the default world; 1 unless this or a scenario says otherwise. */
  readonly seed?: number | undefined;
  /** What the clock of the default world shows at first; 2026-01-01T12:00:00Z unless this or a scenario says otherwise. */
  readonly start?: string | undefined;
  /** Of the default world: those that differ from the defaults. */
  readonly settings?: Readonly<Partial<Settings>> | undefined;
  /** Of the default world: names of shipped ones, and documents; `happy-path` and `magic-values` unless given. */
  readonly scenarios?: WorldOptions["scenarios"];
  /** Where the webhooks of the default account go; nowhere unless given. */
  readonly postbackUrl?: string | undefined;
  /** How long a webhook request may take in all, in real time; 10 s unless given. */
  readonly webhookTimeoutMs?: number | undefined;
  /** The address of this machine that webhooks over IPv4 come from; the machine chooses by default. */
  readonly webhookSourceIpv4?: string | undefined;
  /** The same over IPv6. */
  readonly webhookSourceIpv6?: string | undefined;
  /** Webhooks of a world at a time while its clock is frozen or advanced, one to each URL; 1 unless given. */
  readonly webhookConcurrency?: number | undefined;
  /** What control calls must carry; nothing unless given. */
  readonly controlToken?: string | undefined;
  /** Host names beside those of this machine under which it may be steered, such as `sandbox.example.dev`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Takes a caller's address from X-Forwarded-For, and its scheme from X-Forwarded-Proto. */
  readonly trustProxy?: boolean | undefined;
}
