/** From the start of the process to the first answer, from the package as it is installed. */
import { whole } from "./figures.ts";
import { cpuSeconds } from "./processes.ts";
import type { Server } from "./programs.ts";
import { type Measured, timeFigure } from "./results.ts";
import { startMinimal, startUsualServer } from "./servers.ts";
import { cpuOf, middle, type Series, seconds, takeTurns } from "./turns.ts";

const STARTS = 11;

/** Row "start". */
export async function measureStart(): Promise<Measured> {
  const series = await takeTurns(
    [
      { name: "minimal", turn: () => started(startMinimal) },
      { name: "sandbox", turn: () => started(startUsualServer) },
    ],
    STARTS,
    1,
  );
  const [minimal, sandbox] = series as [Series, Series];
  const inMs = (of: Series, reading: typeof seconds) => middle(of, reading) * 1000;
  const figure = timeFigure("start", sandbox, minimal, (turn) => turn.seconds * 1000, true);
  const rows = series.map((each) => [each.name, whole(inMs(each, seconds)), whole(inMs(each, cpuOf))]);
  return { figures: [figure], tables: [{ title: "Start to first answer", head: ["", "ms", "CPU ms"], rows }] };
}

async function started(start: () => Promise<Server>) {
  const startedAt = performance.now();
  const server = await start();
  await fetch(`${server.url}/_sandbox/health`).then((response) => response.text());
  const taken = (performance.now() - startedAt) / 1000;
  const used = cpuSeconds(server.pid);
  await server.end();
  return { count: 1, seconds: taken, cpuSeconds: used };
}
