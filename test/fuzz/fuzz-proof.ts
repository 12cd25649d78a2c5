/**
 * The long form of the fuzz test: `npm run proof:fuzz -- [runs, or minutes as 10m] [seed] [path]`. Of even seeds the
 * worlds are in memory, of odd ones in files; minutes go through seeds of both.
 */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { campaign, tableOf } from "./campaign.ts";
import { noCounts } from "./play.ts";
import { setStage } from "./stage.ts";

/** As many runs as are made of one seed when minutes are counted. */
const BATCH = 50;

/** A thread beside this one: a request that keeps this one busy for so long is shown, and the process ended. */
const WATCH = `
  const { parentPort } = require("node:worker_threads");
  let last = "", at = Date.now();
  parentPort.on("message", (text) => { last = text; at = Date.now(); });
  setInterval(() => {
    if (Date.now() - at < 90_000) return;
    require("node:fs").writeSync(1, "The process has been busy for 90 s with:\\n  " + last + "\\n");
    process.kill(process.pid, "SIGKILL");
  }, 1_000);
`;

const [amount = "200", seed = "1", path] = process.argv.slice(2);
if (!/^[1-9]\d*m?$/.test(amount)) throw new Error(`${amount} is neither a number of runs nor of minutes, such as 10m.`);
const minutes = /^(\d+)m$/.exec(amount)?.[1];
const end = minutes === undefined ? undefined : Date.now() + Number(minutes) * 60_000;
const counts = noCounts();
const watch = new Worker(WATCH, { eval: true });
const onMessage = (replay: string) => watch.postMessage(replay);
using folder = mkdtempDisposableSync(join(tmpdir(), "payments-sandbox-fuzz-"));
await using inMemory = await setStage();
await using inFiles = await setStage(folder.path);

let failure: string | null = null;
let runs = 0;
let batch = Number(seed);
do {
  const number = end === undefined ? Number(amount) : BATCH;
  const stage = batch % 2 === 0 ? inMemory : inFiles;
  const course = { runs: number, seed: batch, counts, onMessage };
  ({ failure } = await campaign(stage, path === undefined ? course : { ...course, path }));
  runs += number;
  batch++;
} while (failure === null && end !== undefined && Date.now() < end);

await watch.terminate();
process.stdout.write(`${tableOf(counts)}\n${runs} runs from seed ${seed}\n${failure ?? "Nothing was found."}\n`);
process.exitCode = failure === null ? 0 : 1;
