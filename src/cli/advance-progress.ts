/** How far a long advance has come, on a terminal (interface, section 2). */
import type { WorldClient } from "../client/world-client.ts";
import { counted } from "../domain/words/counted.ts";
import { delay } from "../runtime.ts";
import { clearProgress, showProgress } from "./terminal.ts";

/** How often the clock is read during a long advance, in real time. */
const LOOK_EVERY_MS = 200;

/** The width of the bar in characters. */
const CELLS = 20;

/** The clock's start and end, in milliseconds since 1970. */
export interface Way {
  readonly from: number;
  readonly to: number;
}

/** A progress bar; empty if the end is unknown. */
export function progressBar(way: Way | null, now: number): string {
  if (way === null || way.to <= way.from) return "";
  const part = Math.min(Math.max((now - way.from) / (way.to - way.from), 0), 1);
  const behind = Math.floor(part * CELLS);
  return `[${"#".repeat(behind)}${".".repeat(CELLS - behind)}] ${Math.floor(part * 100)} %  `;
}

/** Shows the clock on stderr until the advance is done. A clock that cannot be read fails nothing: only the advance may. */
export async function showAdvance(world: WorldClient, way: Way | null, done: Promise<unknown>): Promise<void> {
  let running = true;
  const stop = () => {
    running = false;
  };
  done.then(stop, stop);
  await delay(LOOK_EVERY_MS);
  while (running) {
    const clock = await world.clock().catch(() => null);
    if (clock === null) break;
    const { now, pending_timers } = clock;
    const bar = progressBar(way, Date.parse(now));
    showProgress(`${bar}${now}, ${counted(pending_timers, "timer")} pending`);
    await delay(LOOK_EVERY_MS);
  }
  clearProgress();
}
