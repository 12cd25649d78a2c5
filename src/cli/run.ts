/** `payments-sandbox run FILE…`: plays scenarios, each in a fresh world, and judges what came of them. */
import { Command, Option } from "commander";
import { destinationFault } from "../domain/destinations.ts";
import { parseDuration } from "../domain/durations.ts";
import { CreationError } from "../host/creation.ts";
import { type FoundScenario, namedOnCommandLine, ScenarioSourceError } from "../host/scenario-sources.ts";
import { Network } from "../network.ts";
import { ExplorationError } from "../runs/exploration/play.ts";
import { exploreScenario } from "../runs/explore.ts";
import { junitRuns } from "../runs/reporters/junit.ts";
import { prettyRun, prettyVerdict } from "../runs/reporters/pretty.ts";
import { type RunOptions, type RunResult, runScenario } from "../runs/run.ts";
import { ScenarioError } from "../scenarios/loader.ts";
import { EXPLORE_HELP, exploreOptions, exploreOptionsOf, type RawExploreOptions } from "./explore-options.ts";
import { wholeNumber } from "./serve-options.ts";
import { terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

interface RawRunOptions extends RawExploreOptions {
  readonly reporter: "pretty" | "json" | "junit";
  readonly json?: boolean;
  readonly postbackUrl?: string;
  readonly seed?: string;
  readonly for?: string;
  readonly verbose?: boolean;
  readonly webhookTimeout: string;
}

export function runCommand(): Command {
  const command = new Command("run")
    .description("play scenarios, each in a fresh world, and judge what came of them")
    .argument("<file...>", "files, folders or names of shipped scenarios")
    .addOption(new Option("--reporter <name>", "how to tell").choices(["pretty", "json", "junit"]).default("pretty"))
    .option("--json", "the same as --reporter json")
    .option("--postback-url <url>", "send webhooks to a real receiver (default: the world's inbox)")
    .option("--seed <n>", "seed of the worlds (default: the file's own, or 1)")
    .option("--for <duration>", "how long to go on beyond the script (default: the file's own, or until idle)")
    .option("--verbose", "show the timeline of what held too")
    .option("--webhook-timeout <ms>", "how long a receiver may take, in real time", "10000")
    .addHelpText("after", EXPLORE_HELP)
    .action(run);
  for (const option of exploreOptions) command.addOption(option);
  return command;
}

async function run(names: string[], raw: RawRunOptions): Promise<void> {
  const sources = names.flatMap(sourcesOf);
  const timeoutMs = wholeNumber("webhook-timeout", raw.webhookTimeout, 1, 600_000);
  const network = new Network(timeoutMs, { ipv4: null, ipv6: null });
  const options = optionsOf(raw, network);
  const exploring = exploreOptionsOf(raw, { options, timeoutMs, sources: sources.length });
  const reporter = raw.json ? "json" : raw.reporter;
  const results: RunResult[] = [];
  try {
    for (const source of sources) {
      const result = await (exploring ? exploreScenario(source, exploring) : runScenario(source, options));
      if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
      results.push(result);
      if (reporter === "pretty") process.stdout.write(prettyRun(result, { full: raw.verbose === true, ...terminal() }));
    }
  } catch (error) {
    throw asUsageError(error);
  } finally {
    await network.close();
  }
  if (reporter === "pretty") process.stdout.write(prettyVerdict(results));
  if (reporter === "junit") process.stdout.write(junitRuns(results));
  const verdict = results.some((result) => result.verdict === "fail") ? "fail" : "pass";
  if (reporter === "json") process.stdout.write(`${JSON.stringify({ verdict, scenarios: results }, null, 2)}\n`);
  if (verdict === "fail") process.exitCode = 1;
}

function sourcesOf(name: string): readonly FoundScenario[] {
  try {
    const sources = namedOnCommandLine(name);
    if (sources.length === 0) throw new UsageError(`There is no scenario file in the folder ${name}.`);
    return sources;
  } catch (error) {
    throw asUsageError(error);
  }
}

function optionsOf(raw: RawRunOptions, network: Network): RunOptions {
  const forMs = raw.for === undefined ? undefined : parseDuration(raw.for);
  if (forMs === null) throw new UsageError(`--for must be a duration such as 30d, not "${raw.for}".`);
  if (raw.postbackUrl !== undefined) {
    const fault = destinationFault(raw.postbackUrl, "any");
    if (fault) throw new UsageError(`--postback-url ${fault}.`);
  }
  return {
    seed: raw.seed === undefined ? undefined : wholeNumber("seed", raw.seed, 0, Number.MAX_SAFE_INTEGER),
    postbackUrl: raw.postbackUrl,
    forMs,
    concurrency: 1,
    send: network.send,
    onFault: (error) => process.stderr.write(`payments-sandbox: a fault of the sandbox, please report it: ${error}\n`),
    ...(process.stderr.isTTY ? { onProgress: showProgress } : {}),
  };
}

function showProgress({ at, timers }: { at: string; timers: number }): void {
  process.stderr.write(`\r${at} (${timers} timers)\x1b[K`);
}

function asUsageError(error: unknown): unknown {
  const isUsers = [ScenarioError, ScenarioSourceError, CreationError, ExplorationError].some(
    (kind) => error instanceof kind,
  );
  return isUsers ? new UsageError((error as Error).message) : error;
}
