/**
 * `npm run bench`: how fast it is on this machine, in one run, each figure beside what it can be compared with. No
 * test looks at these figures, and none of them fails the run; they are for people who change the path of a charge.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkout } from "../support/laid-package.ts";
import { describeCores } from "./cores.ts";
import { table } from "./figures.ts";
import { endLoad } from "./load.ts";
import { measures, onlyByName } from "./measures.ts";
import { type Options, OptionsError, readOptions } from "./options.ts";
import { withTable } from "./readme.ts";
import { machineLine, type Report, reportText, thisMachine } from "./report.ts";
import { judge, type Row, type Table } from "./results.ts";

/** Takes the measurements that are asked for, and shows the tables behind each as it is done. */
async function measured({ names, scale }: Options, tell: (text: string) => void): Promise<Report> {
  const [startedAt, date, machine] = [performance.now(), new Date().toISOString(), thisMachine()];
  tell(`${machineLine({ machine })}: ${describeCores()}.\n`);
  const [rows, tables]: [Row[], Table[]] = [[], []];
  try {
    for (const name of names) {
      const found = await measures[name]?.(scale);
      rows.push(...(found?.figures ?? []).map((figure) => judge(figure, scale)));
      for (const each of found?.tables ?? []) {
        tables.push(each);
        tell(table(each.title, each.head, each.rows));
      }
    }
  } finally {
    await endLoad();
  }
  return { date, seconds: (performance.now() - startedAt) / 1000, machine, scale, rows, tables };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), Object.keys(measures), onlyByName);
  const { json, from, readme } = options;
  // Standard output is the figures alone where they are asked for there.
  const tell = (text: string) => void (json === "-" ? process.stderr : process.stdout).write(text);
  const report: Report = from === null ? await measured(options, tell) : JSON.parse(readFileSync(from, "utf8"));
  tell(reportText(report));
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (json === "-") process.stdout.write(text);
  else if (from === null) {
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, text);
    tell(`The figures are in ${json}.\n`);
  }
  if (!readme) return;
  const path = join(checkout, "README.md");
  writeFileSync(path, withTable(readFileSync(path, "utf8"), report));
  tell("The table is in README.md.\n");
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
