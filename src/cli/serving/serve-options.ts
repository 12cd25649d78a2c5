/** The options of `serve`, from the command line and the environment, validated. */
import { existsSync } from "node:fs";
import { Option } from "commander";
import { allowedHostOf, HOST_NAME_RULE } from "../../domain/access.ts";
import { MAX_SPEED, WEBHOOK_TIMEOUT_MS } from "../../domain/bounds.ts";
import { type ClockMode, clockModes } from "../../domain/clock-modes.ts";
import { DEFAULT_HOST } from "../../domain/web-address.ts";
import { DEFAULT_SEED, DEFAULT_SPEED } from "../../host/world-spec.ts";
import { INSTANT_WORDS, parseInstant } from "../../world/instants.ts";
import { DEFAULT_PORT, withoutBrackets } from "../address.ts";
import { UsageError } from "../usage-error.ts";
import { CONTROL_TOKEN_VARIABLE, HOST_VARIABLE, PORT_VARIABLE, PREFIX } from "../variables.ts";
import { type LogMode, logModes } from "./log.ts";

/** The options as commander passes them: texts, except for lists and switches. */
export interface RawServeOptions {
  readonly port: string;
  readonly host: string;
  readonly data?: string;
  readonly scenario?: string[];
  readonly clock: ClockMode;
  readonly speed: string;
  readonly start?: string;
  readonly seed: string;
  readonly postbackUrl?: string;
  readonly settings?: string;
  readonly webhookTimeout: string;
  readonly webhookSourceIpv4?: string;
  readonly webhookSourceIpv6?: string;
  readonly webhookConcurrency: string;
  readonly controlToken?: string;
  readonly allowHost?: string[];
  readonly trustProxy?: boolean;
  readonly open?: boolean;
  readonly log?: LogMode;
}

const env = (name: string) => PREFIX + name;

/** TABLE: the options that `serve` takes (interface, section 2). */
export const serveOptions: readonly Option[] = [
  new Option("--port <n>", "port to listen on; 0 takes a free one").env(PORT_VARIABLE).default(DEFAULT_PORT),
  new Option("--host <host>", "address to listen on").env(HOST_VARIABLE).default(DEFAULT_HOST).argParser(hostOf),
  new Option("--data <dir>", "keep every world in a file of this folder (default: memory, up to 1 GB a world)")
    .env(env("DATA"))
    .argParser(folderOf),
  new Option("--scenario <name|file|dir...>", "what the default world loads; several with commas, `none` for nothing")
    .env(env("SCENARIO"))
    .argParser(scenarioNames),
  new Option("--clock <mode>", "clock of the default world")
    .env(env("CLOCK"))
    .choices([...clockModes])
    .default("running"),
  new Option("--speed <n>", "seconds of the world per real second").env(env("SPEED")).default(String(DEFAULT_SPEED)),
  new Option("--start <instant>", "where the clock begins (default: now)").env(env("START")),
  new Option("--seed <n>", "what all ids, keys and names follow from").env(env("SEED")).default(String(DEFAULT_SEED)),
  new Option("--postback-url <url>", "default webhook destination of the default account").env(env("POSTBACK_URL")),
  new Option("--settings <file>", "YAML or JSON with the settings of the default world").env(env("SETTINGS")),
  new Option("--webhook-timeout <ms>", "total time of a webhook request, real milliseconds").default(
    String(WEBHOOK_TIMEOUT_MS),
  ),
  new Option("--webhook-source-ipv4 <address>", "address of this machine from which webhooks over IPv4 are sent").env(
    env("WEBHOOK_SOURCE_IPV4"),
  ),
  new Option("--webhook-source-ipv6 <address>", "address of this machine from which webhooks over IPv6 are sent").env(
    env("WEBHOOK_SOURCE_IPV6"),
  ),
  new Option(
    "--webhook-concurrency <n>",
    "webhooks of one instant at a time while the clock is frozen or advanced; those to one URL go one after another",
  ).default("1"),
  new Option("--control-token <token>", "require this token for every control call").env(CONTROL_TOKEN_VARIABLE),
  new Option("--allow-host <name...>", "another host name under which it may be controlled; several with commas").env(
    env("ALLOW_HOST"),
  ),
  new Option("--trust-proxy", "take the client's address from X-Forwarded-For, and its scheme from X-Forwarded-Proto"),
  new Option(
    "--log <mode>",
    "what to print; silent: the start information alone (default: pretty on a terminal, else json)",
  )
    .env(env("LOG"))
    .choices([...logModes]),
  new Option("--open", "open the dashboard in the browser"),
];

/** @throws {UsageError} if the text is not a number above zero and at most {@link MAX_SPEED}. */
export function speedOf(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && value <= MAX_SPEED) return value;
  throw new UsageError(`--speed must be a plain number above 0 and at most ${MAX_SPEED}, not "${text}".`);
}

/** The start as it was given, if it was. @throws {UsageError} if it is not an instant that a clock can show. */
export function startOf(text: string | undefined): string | undefined {
  if (text === undefined || parseInstant(text) !== null) return text;
  throw new UsageError(`--start ${INSTANT_WORDS}, not "${text}".`);
}

/** The address to listen on. Refuses an empty text, such as an unset variable: it would mean every address. */
function hostOf(text: string): string {
  if (text.trim() !== "") return withoutBrackets(text);
  throw new UsageError(`--host must name an address; without --host, it is ${DEFAULT_HOST}.`);
}

/** The folder of `--data`. Refuses an empty text, such as an unset variable of a script. */
function folderOf(text: string): string {
  if (text.trim() !== "") return text;
  throw new UsageError("--data must name a folder; without --data, worlds are kept in memory.");
}

/** The names of `--scenario`, separated by commas; a comma may also be part of an existing file's name. */
function scenarioNames(text: string, before: readonly string[] | undefined): string[] {
  const given = existsSync(text) ? [text] : text.split(",").map((name) => name.trim());
  const names = [...(before ?? []), ...given];
  if (names.length === 1 || !names.includes("none")) return names;
  throw new UsageError("--scenario none stands alone: it loads nothing, and others were named beside it.");
}

/** @throws {UsageError} if one of them is not a host name. */
export function allowedHostsOf(names: readonly string[] = []): string[] {
  return names
    .flatMap((list) => list.split(","))
    .map((text) => {
      const name = allowedHostOf(text.trim());
      if (name !== null) return name;
      throw new UsageError(`--allow-host ${HOST_NAME_RULE}, not "${text.trim()}".`);
    });
}
