/** The server options of a sandbox in process, checked as the command line and `POST /worlds` check theirs. */

import { z } from "zod";
import { allowedHostOf, CONTROL_TOKEN_RULE, HOST_NAME_RULE, isControlToken } from "../domain/access.ts";
import { MAX_PORT, MAX_WEBHOOK_CONCURRENCY, MAX_WEBHOOK_TIMEOUT_MS, WEBHOOK_TIMEOUT_MS } from "../domain/bounds.ts";
import { destinationFault } from "../domain/destinations.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { overlaidSettings, type Settings } from "../domain/settings.ts";
import { DEFAULT_HOST } from "../domain/web-address.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { keptSpec, readSettings, type WorldSpec } from "../host/creation.ts";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import { DEFAULT_SCENARIOS, shippedOrInline } from "../host/scenario-library.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { CreationError } from "../host/start-errors.ts";
import { staysAsMade, unusedOptions } from "../host/unused-options.ts";
import { wishesOf, worldSpecOf } from "../host/world-spec.ts";
import { SourceAddressError } from "../network/source-addresses.ts";
import { issueWords } from "../scenarios/file-words.ts";
import { hasUnknownKeys } from "../scenarios/schema-words.ts";
import { type ServerOptions, tellFault } from "../server.ts";
import { INSTANT_WORDS, parseInstant } from "../world/instants.ts";
import { isRecord, notSuch } from "./refusals.ts";
import type { StartOptions } from "./start-options.ts";

function wholeNumber(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.number({ error }).refine((value) => Number.isSafeInteger(value) && value >= minimum && value <= maximum, {
    error,
  });
}

const text = z.string().min(1, { error: "must not be empty" });

const startOptions = onFirstUse(() =>
  z.strictObject({
    port: wholeNumber(0, MAX_PORT).optional(),
    host: text.optional(),
    data: text.optional(),
    seed: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    start: z
      .string()
      .refine((instant) => parseInstant(instant) !== null, { error: INSTANT_WORDS })
      .optional(),
    // Validated by their own schema later, together with the settings that the scenarios wish for.
    settings: z.record(z.string(), z.unknown()).optional(),
    scenarios: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).optional(),
    postbackUrl: text.optional(),
    webhookTimeoutMs: wholeNumber(1, MAX_WEBHOOK_TIMEOUT_MS).optional(),
    webhookSourceIpv4: text.optional(),
    webhookSourceIpv6: text.optional(),
    webhookConcurrency: wholeNumber(1, MAX_WEBHOOK_CONCURRENCY).optional(),
    controlToken: z.string().refine(isControlToken, { error: CONTROL_TOKEN_RULE }).optional(),
    allowedHosts: z
      .array(z.string().refine((name) => allowedHostOf(name) !== null, { error: HOST_NAME_RULE }))
      .optional(),
    trustProxy: z.boolean().optional(),
  } satisfies Record<keyof StartOptions, z.ZodType>),
);

/** TABLE: options that do not exist here but may be looked for, and where to find them. */
const elsewhere: Readonly<Record<string, string>> = {
  clock: "the clock of its default world stands still from `start` on; setClock lets it run, and createWorld takes one",
  accounts: "createWorld takes them",
  from: "createWorld takes it",
  ttl: "createWorld takes it",
};

/**
 * The options for `startServer`.
 * @throws {CreationError} names the option and says what would be right. @throws {ScenarioError}
 * @throws {ScenarioSourceError}
 */
export function serverOptionsOf(options: StartOptions): ServerOptions {
  refuseWrong(options);
  return {
    host: options.host ?? DEFAULT_HOST,
    port: options.port ?? 0,
    dataFolder: options.data ?? null,
    webhookTimeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    webhookSources: { ipv4: options.webhookSourceIpv4 ?? null, ipv6: options.webhookSourceIpv6 ?? null },
    webhookConcurrency: options.webhookConcurrency ?? 1,
    controlToken: options.controlToken ?? null,
    allowedHosts: (options.allowedHosts ?? []).flatMap((name) => allowedHostOf(name) ?? []),
    trustProxy: options.trustProxy ?? false,
    defaultWorld: specOf(options),
    onFault: tellFault,
  };
}

/** Warns of options that make no difference, as the data folder has a default world that was made before. */
export function warnOfUnused(options: StartOptions, { defaultWorld: wanted }: ServerOptions, sandbox: Sandbox): void {
  const kept = sandbox.get(DEFAULT_WORLD);
  const made = kept && keptSpec(kept.world);
  if (!made) return;
  const given = options as Readonly<Record<string, unknown>>;
  const unused = unusedOptions({ ...wanted, settings: options.settings ?? {} }, made, (part) =>
    given[part] === undefined ? undefined : part,
  );
  if (unused.length > 0) process.emitWarning(`startSandbox: ${staysAsMade(unused, "data")}`);
}

/** TABLE: the option of `startSandbox` for each source address. */
const sourceOptions = { ipv4: "webhookSourceIpv4", ipv6: "webhookSourceIpv6" } as const;

/** Rewords an error about a source address, which names an option of the command line, for `startSandbox`. */
export function asGiven(error: unknown): unknown {
  if (!(error instanceof SourceAddressError)) return error;
  return new CreationError(`${sourceOptions[error.field]} ${error.fault}`);
}

function refuseWrong(options: StartOptions): void {
  // As an object, a promise that was not awaited would have no options.
  if (!isRecord(options)) throw new CreationError(`startSandbox takes an object of options, ${notSuch(options)}.`);
  const [issue] = startOptions().safeParse(options, TO_BE_TOLD).error?.issues ?? [];
  if (issue === undefined) return;
  if (issue.path.length === 0 && hasUnknownKeys(issue)) throw unknownOption(issue.keys[0] ?? "");
  const [option, place] = issue.path;
  const what = place === undefined ? String(option) : `${String(option)}: each`;
  throw new CreationError(`${what} ${issueWords(issue)}${option === "controlToken" ? "" : shown(issue.input)}.`);
}

/** The given value as the end of a refusal, if it is a number or a text; else nothing. */
function shown(input: unknown): string {
  if (typeof input === "number") return `, not ${input}`;
  return typeof input === "string" ? `, not ${JSON.stringify(input)}` : "";
}

function unknownOption(name: string): CreationError {
  const where = Object.hasOwn(elsewhere, name) ? `: ${elsewhere[name]}` : undefined;
  const near = didYouMean(name, Object.keys(startOptions().shape));
  return new CreationError(sentence(`startSandbox has no option ${JSON.stringify(name)}${where ?? near}`));
}

/** The default world. Options take precedence over what the scenarios wish for, as everywhere. */
function specOf(options: StartOptions): WorldSpec {
  const scenarios = withBeneath(shippedOrInline(options.scenarios ?? DEFAULT_SCENARIOS));
  const wishes = wishesOf(scenarios);
  const settings = readSettings(overlaidSettings(wishes.settings, options.settings));
  const { seed, start } = options;
  const postback_url = postbackOf(options.postbackUrl, settings);
  return worldSpecOf({ id: DEFAULT_WORLD, seed, clock: { start }, settings, scenarios, postback_url }, wishes);
}

/** @throws {CreationError} if webhooks may not be sent there. */
function postbackOf(url: string | undefined, { webhook_targets }: Settings): string | null {
  const fault = url === undefined ? null : destinationFault(url, webhook_targets);
  if (fault === null) return url ?? null;
  throw new CreationError(`postbackUrl ${fault}, not ${JSON.stringify(url)}.`);
}
