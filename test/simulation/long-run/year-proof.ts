/** `npm run proof:year -- [days] [charges a day] [file|memory] [seed]`: prints each quarter as it ends. */
import { longRun } from "./year.ts";

const [days = "365", chargesPerDay = "300", where = "file", seed = "1"] = process.argv.slice(2);
const startedAt = performance.now();
const {
  quarters: _,
  faults,
  ...figures
} = await longRun({
  days: Number(days),
  chargesPerDay: Number(chargesPerDay),
  inFile: where === "file",
  seed: Number(seed),
  onQuarter: (quarter) => process.stdout.write(`${JSON.stringify(quarter)}\n`),
});
const seconds = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(`${JSON.stringify({ ...figures, seconds })}\n${faults.map((fault) => `${fault}\n`).join("")}`);
process.exitCode = faults.length > 0 ? 1 : 0;
