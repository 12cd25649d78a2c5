/** From the start of the process to the first answer. */
import { median, table, whole } from "./figures.ts";
import { type Server, startBuiltServer, startSandboxServer } from "./programs.ts";

const STARTS = 7;

/** From the checkout, whose types are stripped at each start, and as the package has it, which `npm run bench` builds first. */
export async function measureStart(): Promise<string> {
  const rows = [
    row("from the checkout", await timesOf(startSandboxServer)),
    row("from the package", await timesOf(startBuiltServer)),
  ];
  return table(`Start to first answer (${STARTS} starts)`, ["", "least ms", "median ms"], rows);
}

async function timesOf(start: () => Promise<Server>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now();
    const server = await start();
    await fetch(`${server.url}/_sandbox/health`).then((response) => response.text());
    times.push(performance.now() - startedAt);
    await server.end();
  }
  return times;
}

const row = (name: string, times: readonly number[]) => [name, whole(Math.min(...times)), whole(median(times))];
