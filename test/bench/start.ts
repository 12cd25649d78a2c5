/** From the start of the process to the first answer. */
import { execFileSync } from "node:child_process";
import { median, table, whole } from "./figures.ts";
import { checkout, type Program, startBuiltProgram, startSandboxProgram } from "./programs.ts";

const STARTS = 7;

/** From the checkout, whose types are stripped at each start, and as the package has it. */
export async function measureStart(): Promise<string> {
  execFileSync("npm", ["run", "build", "--silent"], { cwd: checkout, stdio: ["ignore", "ignore", "inherit"] });
  const rows = [
    row("from the checkout", await timesOf(startSandboxProgram)),
    row("from the package", await timesOf(startBuiltProgram)),
  ];
  return table(`Start to first answer (${STARTS} starts)`, ["", "least ms", "median ms"], rows);
}

async function timesOf(start: () => Promise<Program>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now();
    const program = await start();
    await fetch(`${program.told.base_url}/_sandbox/health`).then((response) => response.text());
    times.push(performance.now() - startedAt);
    await program.end();
  }
  return times;
}

const row = (name: string, times: readonly number[]) => [name, whole(Math.min(...times)), whole(median(times))];
