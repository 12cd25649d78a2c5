/** The long form of the model test: `npm run proof:model -- [runs] [seed] [steps]`. */
import { prove } from "./prove.ts";

const [runs = "200", seed = "1", steps = "40"] = process.argv.slice(2);
const report = await prove({ runs: Number(runs), seed: Number(seed), steps: Number(steps) });
process.stdout.write(`${report.text}\n`);
process.exitCode = report.failed ? 1 : 0;
