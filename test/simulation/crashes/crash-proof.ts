/** Every point of the business, or each so manieth: `npm run proof:crashes -- [step] [first]`. */
import { crashAt, crashPoints } from "./crash-points.ts";

const [step = "1", first = "0"] = process.argv.slice(2);
const all = await crashPoints();
const points = all.filter((_, index) => index >= Number(first) && (index - Number(first)) % Number(step) === 0);
let faulty = 0;
for (const point of points) {
  const faults = await crashAt(point);
  if (faults.length > 0) faulty++;
  for (const fault of faults) process.stdout.write(`${fault}\n`);
}
process.stdout.write(`${JSON.stringify({ points: all.length, crashes: points.length, faulty })}\n`);
process.exitCode = faulty > 0 ? 1 : 0;
