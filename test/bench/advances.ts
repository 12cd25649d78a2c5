/** What a single call of advance does. */
import { connectSandbox } from "../../src/index.ts";
import { cpuSeconds, used } from "./processes.ts";
import type { Server } from "./programs.ts";
import type { Turn } from "./timed.ts";

/** How much an advance is to do; one that does other than that is no measure. */
type Work = { readonly timers: number } | { readonly delivered: number };

/** Advances the default world of a server; by default by the five seconds after which its charges are paid. */
export async function advanced(server: Server, work: Work, by = "5s"): Promise<Turn> {
  const world = await (await connectSandbox(server.url)).defaultWorld();
  const before = cpuSeconds(server.pid);
  const startedAt = performance.now();
  const { timers, webhooks } = await world.advance(by);
  const seconds = (performance.now() - startedAt) / 1000;
  const usedSeconds = used(before, cpuSeconds(server.pid));
  const [count, wanted] = "timers" in work ? [timers, work.timers] : [webhooks.delivered, work.delivered];
  if (count !== wanted) throw new Error(`An advance did ${count} instead of ${wanted}.`);
  return { count, seconds, cpuSeconds: usedSeconds };
}
