import { isIP } from "node:net";
import { Command, Option } from "commander";
import type { WorldClient } from "../../client/world-client.ts";
import type { ReadinessReport } from "../../insight/readiness/report.ts";
import { htmlReport } from "../../insight/readiness/reporters/html.ts";
import { junitReport } from "../../insight/readiness/reporters/junit.ts";
import { prettyReport } from "../../insight/readiness/reporters/pretty.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { chosenReporter } from "../reporter.ts";
import { jsonLines, terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

interface RawReportOptions extends RemoteOptions {
  readonly probe?: boolean;
  readonly probeSource?: string;
  readonly reporter: keyof typeof reporters;
}

/** TABLE: the formats of a report. */
const reporters = {
  pretty: (report: ReadinessReport) => prettyReport(report, terminal()),
  json: (report: ReadinessReport) => jsonLines(report),
  junit: (report: ReadinessReport) => junitReport(report),
  html: (report: ReadinessReport, world: string) => htmlReport(report, world),
} as const;

/**
 * `payments-sandbox report`: how ready the merchant's integration is, by what it did in a world (interface, section 6).
 */
export function reportCommand(): Command {
  const names = Object.keys(reporters);
  const command = new Command("report")
    .description("judge the merchant's integration by what it did in this world")
    .option("--probe", "send the receiver a duplicate, a webhook from a wrong address and one about an unknown payment")
    .option("--probe-source <address>", "the wrong address (default: 127.0.0.66, for receivers on this machine)")
    .addOption(new Option("--reporter <name>", "format of the report").choices(names).default("pretty"))
    .option("--json", "the same as --reporter json")
    .addHelpText("after", "\nExits with 1 if a check fails; a warning or something not observed does not count.")
    .action(report);
  return addRemoteOptions(command);
}

async function report(options: RawReportOptions, command: Command): Promise<void> {
  const reporter = reporters[chosenReporter(options, command)];
  const source = sourceOf(options);
  const judge = async (world: WorldClient) => ({
    id: world.id,
    found: await (options.probe ? world.probe(source) : world.report()),
  });
  const { id, found } = await withWorld(options, judge);
  process.stdout.write(reporter(found, id));
  if (found.verdict === "fail") process.exitCode = 1;
}

function sourceOf({ probe, probeSource }: RawReportOptions): { source?: string } {
  if (probeSource === undefined) return {};
  if (!probe) throw new UsageError("--probe-source goes with --probe.");
  if (isIP(probeSource) === 0) throw new UsageError(`--probe-source must be an IP address, not "${probeSource}".`);
  return { source: probeSource };
}
