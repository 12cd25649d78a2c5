import { Command, Option } from "commander";
import { MAX_WEBHOOK_TIMEOUT_MS, WEBHOOK_TIMEOUT_MS } from "../../domain/bounds.ts";
import { parseDuration } from "../../domain/durations.ts";
import { asQuestion, sentence } from "../../domain/words/near-name.ts";
import { readSettings } from "../../host/creation.ts";
import { settingsOfRun } from "../../host/world-spec.ts";
import { Network } from "../../network/network.ts";
import { exploreScenario } from "../../runs/explore.ts";
import { type RemarkedResult, withRemarks } from "../../runs/remarks.ts";
import { junitRuns } from "../../runs/reporters/junit.ts";
import { prettyRun, prettyVerdict } from "../../runs/reporters/pretty.ts";
import { type RunOptions, type RunResult, runScenario } from "../../runs/run.ts";
import { ScenarioError } from "../../scenarios/problems.ts";
import { durationMeant, tooLongWords } from "../../scenarios/time-fields.ts";
import { postbackOf, wholeNumber } from "../option-values.ts";
import { chosenReporter } from "../reporter.ts";
import { EXPLORE_HELP, exploreOptions, exploreOptionsOf, type RawExploreOptions } from "../running/explore-options.ts";
import { onProgress } from "../running/run-progress.ts";
import { allNamed, type NamedScenario, problemsIn, warningsIn } from "../scenario-files/named-scenarios.ts";
import { clearProgress, jsonLines, tellFault, tellLines, terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

interface RawRunOptions extends RawExploreOptions {
  readonly reporter: Reporter;
  readonly json?: boolean;
  readonly postbackUrl?: string;
  readonly seed?: string;
  readonly for?: string;
  readonly brief?: boolean;
  readonly webhookTimeout: string;
}

/** TABLE: the formats of the verdicts, printed at the end; the pretty one has told of each scenario by then. */
const reporters = {
  pretty: prettyVerdict,
  json: (results) => jsonLines({ verdict: verdictOf(results), scenarios: results }),
  junit: junitRuns,
} as const satisfies Record<string, (results: readonly RemarkedResult[]) => string>;

type Reporter = keyof typeof reporters;

/**
 * `payments-sandbox run FILE…`: plays scenarios, each in a fresh world, and judges the outcome. Exit 1 if an
 * expectation failed, 2 if a scenario could not be run (interface, section 5).
 */
export function runCommand(): Command {
  const command = new Command("run")
    .description("play scenarios, each in a fresh world, and judge the outcome")
    .argument("<file...>", "files, folders or names of shipped scenarios")
    .addOption(
      new Option("--reporter <name>", "format of the verdicts").choices(Object.keys(reporters)).default("pretty"),
    )
    .option("--json", "the same as --reporter json")
    .option("--postback-url <url>", "send webhooks to a real receiver (default: the world's inbox)")
    .option("--seed <n>", "seed of the worlds (default: the file's own, or 1)")
    .option("--for <duration>", "how long to go on beyond the script (default: the file's own, or until idle)")
    .option("--brief", "leave out the timeline of scenarios that pass")
    .option("--webhook-timeout <ms>", "how long a receiver may take, in real time", String(WEBHOOK_TIMEOUT_MS))
    .addHelpText("after", EXPLORE_HELP)
    .action(run);
  for (const option of exploreOptions) command.addOption(option);
  return command;
}

async function run(names: string[], raw: RawRunOptions, command: Command): Promise<void> {
  const reporter = chosenReporter(raw, command);
  const scenarios = allNamed(names);
  const timeoutMs = wholeNumber("webhook-timeout", raw.webhookTimeout, 1, MAX_WEBHOOK_TIMEOUT_MS);
  const network = new Network(timeoutMs, { ipv4: null, ipv6: null });
  const options = optionsOf(raw, network);
  const exploring = exploreOptionsOf(raw, { options, timeoutMs, sources: scenarios.length });
  refuseBroken(scenarios, reporter);
  refuseUnreachable(scenarios, raw.postbackUrl);
  tellWarnings(scenarios);
  const results: RemarkedResult[] = [];
  try {
    for (const scenario of scenarios) {
      const { source } = scenario;
      const played = await (exploring ? exploreScenario(source, exploring) : runScenario(source, options));
      const asked = { isVerified: raw.verifyUrl !== undefined, isReset: raw.resetUrl !== undefined };
      const manner = { postbackUrl: options.postbackUrl, ...asked };
      const result = withRemarks(asNamed(played, scenario), manner);
      clearProgress();
      const told = raw.brief && result.verdict === "pass" ? { ...result, timeline: [] } : result;
      results.push(told);
      if (reporter === "pretty") process.stdout.write(prettyRun(told, terminal()));
    }
  } finally {
    clearProgress();
    await network.close();
  }
  process.stdout.write(reporters[reporter](results));
  if (verdictOf(results) === "fail") process.exitCode = 1;
}

/** The verdict on all. */
function verdictOf(results: readonly RemarkedResult[]): RunResult["verdict"] {
  return results.some(({ verdict }) => verdict === "fail") ? "fail" : "pass";
}

/** Checked before the first one is played, so that problems of all files are shown at once. */
function refuseBroken(scenarios: readonly NamedScenario[], reporter: Reporter): void {
  const { problems, count } = problemsIn(scenarios);
  if (problems.length === 0) return;
  const none = reporter === "pretty" ? "" : `\nNo scenario was run, so there is no ${reporter} report.`;
  throw new UsageError(`${new ScenarioError(problems, count - problems.length).message}${none}`);
}

/** Refuses a `--postback-url` that a file's settings do not allow: the message names the option, not the file. */
function refuseUnreachable(scenarios: readonly NamedScenario[], url: string | undefined): void {
  for (const { source, path } of scenarios) {
    const { webhook_targets } = readSettings(settingsOfRun(source));
    postbackOf(url, webhook_targets, `: webhook_targets of ${path} is ${webhook_targets}`);
  }
}

/** Prints the warnings of `check`: a scenario may pass or fail for another reason than its author thinks. */
function tellWarnings(scenarios: readonly NamedScenario[]): void {
  for (const { file, line, column, message } of warningsIn(scenarios)) {
    tellLines(`${file}:${line}:${column}: warning: ${message}\n`);
  }
}

/** A result with the path that the user knows the file by; the timeline keeps the names of the world's journal. */
function asNamed(result: RunResult, { source, path }: NamedScenario): RunResult {
  const asSeen = <Placed extends { readonly at: string }>(placed: Placed): Placed => {
    // The verdict on an exploration is about the whole file, and has no line.
    const isWithin = placed.at === source.file || placed.at.startsWith(`${source.file}:`);
    return isWithin ? { ...placed, at: path + placed.at.slice(source.file.length) } : placed;
  };
  return { ...result, file: path, rules: result.rules.map(asSeen), expectations: result.expectations.map(asSeen) };
}

function optionsOf(raw: RawRunOptions, network: Network): RunOptions {
  return {
    seed: raw.seed === undefined ? undefined : wholeNumber("seed", raw.seed, 0, Number.MAX_SAFE_INTEGER),
    postbackUrl: postbackOf(raw.postbackUrl, "any") ?? undefined,
    forMs: raw.for === undefined ? undefined : spanOf(raw.for),
    send: network.send,
    onFault: tellFault,
    onProgress: onProgress(),
  };
}

/** The milliseconds of `--for`. @throws {UsageError} if it is no duration; with what was probably meant. */
function spanOf(text: string): number {
  const spanMs = parseDuration(text);
  if (spanMs !== null) return spanMs;
  const tooLong = tooLongWords(text);
  if (tooLong !== null) throw new UsageError(`--for ${text} ${tooLong}.`);
  const meant = asQuestion(durationMeant(text));
  throw new UsageError(sentence(`--for must be a duration such as 30d, not "${text}"${meant}`));
}
