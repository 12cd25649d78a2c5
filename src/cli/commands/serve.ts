import { Command } from "commander";
import { isLoopback } from "../../domain/access.ts";
import { MAX_PORT, MAX_WEBHOOK_CONCURRENCY, MAX_WEBHOOK_TIMEOUT_MS } from "../../domain/bounds.ts";
import { onFirstUse } from "../../domain/on-first-use.ts";
import { overlaidSettings } from "../../domain/settings.ts";
import { canonicalHost } from "../../domain/web-address.ts";
import { counted } from "../../domain/words/counted.ts";
import { keptSpec, readSettings, type ScenarioSource, type WorldSpec } from "../../host/creation.ts";
import { isFolder } from "../../host/files.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import { DEFAULT_WORLD } from "../../host/sandbox.ts";
import { DEFAULT_SCENARIOS, isLibrary, shipped, shippedNames } from "../../host/scenario-library.ts";
import { type FoundScenario, readScenarioFile } from "../../host/scenario-texts.ts";
import { withBeneath } from "../../host/scenarios-beneath.ts";
import { staysAsMade, unusedOptions } from "../../host/unused-options.ts";
import { wishesOf, worldSpecOf } from "../../host/world-spec.ts";
import { wallNow } from "../../runtime.ts";
import { ScenarioError } from "../../scenarios/problems.ts";
import { type RunningServer, startServer } from "../../server.ts";
import { controlTokenOf } from "../control-token.ts";
import { postbackOf, wholeNumber } from "../option-values.ts";
import { followScenarios } from "../scenario-files/followed-scenarios.ts";
import { scenarioPaths } from "../scenario-files/scenario-paths.ts";
import { banner, readyLine } from "../serving/banner.ts";
import { Log } from "../serving/log.ts";
import { openPage } from "../serving/open-page.ts";
import { allowedHostsOf, type RawServeOptions, serveOptions, speedOf, startOf } from "../serving/serve-options.ts";
import { settingsOf } from "../serving/settings-file.ts";
import { stopOnSignal } from "../signals.ts";
import { tell } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { ignoredVariables } from "../variables.ts";

/** `payments-sandbox [serve]`: runs the server, and prints what happens while it runs (interface, section 2). */
export function serveCommand(): Command {
  const command = new Command("serve").description("start the server (the default command)").action(serve);
  for (const option of serveOptions) command.addOption(option);
  return command;
}

async function serve(options: RawServeOptions, command: Command): Promise<void> {
  const log = new Log(options.log ?? (process.stdout.isTTY ? "pretty" : "json"));
  const isGiven = (name: string) => !["default", undefined].includes(command.getOptionValueSource(name));
  const wanted = wantedWorld(options, isGiven);
  const starting = start(options, wanted.spec, log);
  stopOnSignal(starting);
  for (const told of ignoredVariables(serveOptions)) tell(told);
  const server = await starting;
  const live = server.sandbox.get(DEFAULT_WORLD);
  const isOpen = options.controlToken === undefined && !isLoopback(canonicalHost(options.host));
  watchWorlds(server, log);
  // Before the banner: whoever reads that the server is ready may save a file at once.
  followScenarios(server, followedNames(options.scenario), options.data !== undefined);
  // After it: it has loaded edited files again, and what they name by now.
  tellUnused(server, wanted, isGiven);
  if (live && log.mode === "json") process.stdout.write(readyLine(live, server.baseUrl));
  else if (live) process.stdout.write(banner(live, server.baseUrl, isOpen));
  if (options.open) openPage(`${server.baseUrl}/`);
}

async function start(options: RawServeOptions, defaultWorld: WorldSpec, log: Log): Promise<RunningServer> {
  try {
    const server = await startServer({
      host: options.host,
      port: wholeNumber("port", options.port, 0, MAX_PORT),
      dataFolder: options.data ?? null,
      webhookTimeoutMs: wholeNumber("webhook-timeout", options.webhookTimeout, 1, MAX_WEBHOOK_TIMEOUT_MS),
      webhookSources: { ipv4: options.webhookSourceIpv4 ?? null, ipv6: options.webhookSourceIpv6 ?? null },
      webhookConcurrency: wholeNumber("webhook-concurrency", options.webhookConcurrency, 1, MAX_WEBHOOK_CONCURRENCY),
      controlToken: controlTokenOf(options.controlToken) ?? null,
      allowedHosts: allowedHostsOf(options.allowHost),
      trustProxy: options.trustProxy === true,
      defaultWorld,
      onFault: (error) => log.fault(error),
    });
    for (const fault of server.unreadable) tell(fault.message);
    return server;
  } catch (error) {
    throw onOneLine(error);
  }
}

/** Reports options that differ from what a kept world was made of and do not change it. */
function tellUnused({ sandbox }: RunningServer, { spec: wanted, ownSettings }: Wanted, isGiven: IsGiven): void {
  const kept = sandbox.get(DEFAULT_WORLD);
  const made = kept && keptSpec(kept.world);
  if (!made) return;
  const loaded = kept.world.scenarios.all().map(({ file }) => file);
  const files = wanted.scenarios.map(({ file }) => file);
  const added = files.filter((file) => !loaded.includes(file));
  if (added.length > 0) {
    const what = isGiven("scenario") ? "--scenario" : "a start";
    const told = `the world default is there already, and ${what} loads nothing new into it: ${added.join(", ")}`;
    tell(`${told}; load it by POST /_sandbox/scenarios, a file also by saving it again.`);
  }
  const original = made.scenarios.map(({ file }) => file);
  const isInOrder = [original, loaded].some(
    (all) => String(all.filter((file) => files.includes(file))) === String(files),
  );
  // Scenarios that it would add have been told by their names, and files that have changed are loaded anew.
  const isOther = added.length === 0 && !(isInOrder && original.every((file) => files.includes(file)));
  const unused = unusedOptions({ ...wanted, settings: ownSettings }, made, (part) => {
    if (part === "scenarios") return isGiven("scenario") && isOther ? "--scenario" : undefined;
    return isGiven(part) ? `--${part === "postbackUrl" ? "postback-url" : part}` : undefined;
  });
  if (unused.length > 0) tell(staysAsMade(unused, "--data"));
}

/** Whether an option was given on the command line or in the environment. */
type IsGiven = (name: string) => boolean;

/** The default world as the options describe it. */
interface Wanted {
  readonly spec: WorldSpec;
  /** Those of `--settings`, without those of scenarios. */
  readonly ownSettings: Readonly<Record<string, unknown>>;
}

/** Says on one line what is wrong with the options. @throws {UserError} */
function wantedWorld(options: RawServeOptions, isGiven: IsGiven): Wanted {
  try {
    return wantedOf(options, isGiven);
  } catch (error) {
    throw onOneLine(error);
  }
}

/** Given options take precedence over what the scenarios wish for. */
function wantedOf(options: RawServeOptions, isGiven: IsGiven): Wanted {
  const scenarios = scenariosOf(options.scenario);
  const wishes = wishesOf(scenarios);
  const ownSettings = settingsOf(options.settings, wishes.settings);
  const settings = readSettings(overlaidSettings(wishes.settings, ownSettings));
  const given = {
    id: DEFAULT_WORLD,
    seed: isGiven("seed") ? wholeNumber("seed", options.seed, 0, Number.MAX_SAFE_INTEGER) : undefined,
    clock: {
      mode: isGiven("clock") ? options.clock : undefined,
      speed: isGiven("speed") ? speedOf(options.speed) : undefined,
      start: startOf(options.start),
    },
    settings,
    scenarios,
    postback_url: postbackOf(options.postbackUrl, settings.webhook_targets, reasonOf(settings)),
  };
  return { spec: worldSpecOf(given, wishes, { mode: options.clock, start: wallNow() }), ownSettings };
}

/** The end of a message if a setting other than the default decides where webhooks may go. */
function reasonOf({ webhook_targets }: WorldSpec["settings"]): string {
  return webhook_targets === "local" ? "" : `: the setting webhook_targets is ${webhook_targets}`;
}

/** The given scenarios; unless given, `happy-path`, `magic-values` and those in the user's folder `scenarios`. */
function scenariosOf(given: readonly string[] | undefined): ScenarioSource[] {
  if (given?.length === 1 && given[0] === "none") return [];
  if (given) return withBeneath(given.flatMap(sourcesOf));
  const own = hasOwnFolder() ? sourcesOf("scenarios") : [];
  return withBeneath([...DEFAULT_SCENARIOS.map(shipped), ...own]);
}

/** The sources of a `--scenario`: a shipped scenario, a file, or all scenarios of a folder. @throws {UserError} */
function sourcesOf(name: string): FoundScenario[] {
  return shippedNames().includes(name) ? [shipped(name)] : scenarioPaths(name).map(readScenarioFile);
}

/** Whether the user has a folder of scenarios; that of the shipped ones, or a plain copy of it, does not count. */
const hasOwnFolder = onFirstUse(() => isFolder("scenarios") && !isLibrary("scenarios"));

/** The files and folders from which the default world loads scenarios; shipped ones are left out. */
function followedNames(given: readonly string[] | undefined): readonly string[] {
  if (given) return given.filter((name) => name !== "none" && !shippedNames().includes(name));
  return hasOwnFolder() ? ["scenarios"] : [];
}

function watchWorlds(server: RunningServer, log: Log): void {
  server.sandbox.onWorld((live: LiveWorld) => {
    live.world.commitListeners.add((entries) => log.entries(live.id, live.world, entries));
  });
}

/** The problems of a scenario on one line; any other error unchanged. */
function onOneLine(error: unknown): unknown {
  return error instanceof ScenarioError ? new UsageError(firstProblem(error)) : error;
}

/** The first problem on one line; `check` shows all, with their places in the text. */
function firstProblem({ problems: [first], count, message }: ScenarioError): string {
  if (!first || count === 1) return message;
  const rest = counted(count - 1, "more problem");
  return `${first.file}:${first.line}:${first.column}: ${first.message} (and ${rest}; see payments-sandbox check)`;
}
