/**
 * For `node --expose-gc --import`: at every SIGUSR2 the process collects its garbage and notes in the file `PROBE_FILE`
 * what it holds, a line of JSON each time.
 */
import { appendFileSync } from "node:fs";

const { PROBE_FILE = "" } = process.env;

/** What a process holds after its garbage was collected. */
export interface Held {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Open handles, requests and timers, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Listeners of the process itself. */
  readonly listeners: number;
}

function look(): Held {
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const { heapUsed: heapBytes, rss: residentBytes } = process.memoryUsage();
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { heapBytes, residentBytes, resources, listeners };
}

if (PROBE_FILE !== "") {
  process.on("SIGUSR2", async () => {
    // What the first finds dead may hold on to what the second finds.
    for (let round = 0; round < 2; round++) {
      globalThis.gc?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    appendFileSync(PROBE_FILE, `${JSON.stringify(look())}\n`);
  });
}
