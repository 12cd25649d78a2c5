/** The long form of the kill tests: `npm run proof:kills -- [kills] [seed]`; half as many again from the receiver. */
import { aimedKills } from "./crashes/aimed-kills.ts";
import { killAndRestart } from "./kill-and-restart.ts";

const [kills = "200", seed = "1"] = process.argv.slice(2);
const { faults: atRandom, ...figures } = await killAndRestart(Number(kills), Number(seed));
const { faults: aimed, ...aimedFigures } = await aimedKills(Math.ceil(Number(kills) / 2), Number(seed));
const faults = [...atRandom, ...aimed];
process.stdout.write(`${JSON.stringify({ atRandom: figures, aimed: aimedFigures })}\n`);
process.stdout.write(faults.map((fault) => `${fault}\n`).join(""));
process.exitCode = faults.length > 0 ? 1 : 0;
