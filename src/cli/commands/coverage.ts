import { Command } from "commander";
import type { CoverageInfo } from "../../client/control-types.ts";
import { wholeNumber } from "../option-values.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { print, tell } from "../terminal.ts";

interface RawCoverageOptions extends RemoteOptions {
  readonly min?: string;
}

/** `payments-sandbox coverage`: how much of the service a world's traffic has exercised. */
export function coverageCommand(): Command {
  const command = new Command("coverage")
    .description("show which endpoints, error codes, events and states have been exercised, out of all")
    .option("--min <percent>", "exit 1 below this percentage")
    .option("--json", "print the answer as JSON")
    .action(coverage);
  return addRemoteOptions(command);
}

async function coverage(options: RawCoverageOptions): Promise<void> {
  const least = options.min === undefined ? 0 : wholeNumber("min", options.min, 0, 100);
  const found = await withWorld(options, (world) => world.coverage());
  print(found, pretty(found), options);
  if (found.percent >= least) return;
  tell(`${found.percent}% were exercised, less than the ${least}% of --min.`);
  process.exitCode = 1;
}

function pretty({ sections, covered, total, percent }: CoverageInfo): string {
  const lines = sections.flatMap(({ title, covered: some, total: all, items }) => {
    const missing = items.filter(({ count }) => count === 0).map(({ name }) => name);
    const rest = missing.length > 0 ? [`  not yet: ${missing.join(", ")}`] : [];
    return [`${title}: ${some} of ${all}`, ...rest];
  });
  return `${[...lines, `Altogether: ${covered} of ${total} (${percent}%)`].join("\n")}\n`;
}
