/** The long form of the kill test: `npm run proof:kills -- [kills] [seed]`. */
import { killAndRestart } from "./kill-and-restart.ts";

const [kills = "200", seed = "1"] = process.argv.slice(2);
const report = await killAndRestart(Number(kills), Number(seed));
const { faults, ...figures } = report;
process.stdout.write(`${JSON.stringify(figures)}\n${faults.join("\n")}${faults.length > 0 ? "\n" : ""}`);
process.exitCode = faults.length > 0 ? 1 : 0;
