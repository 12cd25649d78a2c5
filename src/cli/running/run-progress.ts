/** How far a run has come: on a terminal a line that is written over, elsewhere a line now and then. */
import type { ExploreOptions } from "../../runs/explore.ts";
import type { RunOptions } from "../../runs/run.ts";
import { showProgress, showsProgress, tell } from "../terminal.ts";

/** Tells how far the clock of a scenario has come. */
export function onProgress(): NonNullable<RunOptions["onProgress"]> {
  return showsProgress() ? showRun : tellRun;
}

/** Tells which play of an exploration is under way; undefined if nothing tells it, as in a log. */
export function onPlay(): ExploreOptions["onPlay"] {
  return showsProgress() ? showPlay : undefined;
}

function showRun({ at, timers }: { at: string; timers: number }): void {
  showProgress(`${at} (${timers} timers)`);
}

/** Every so many timers, which take seconds, a log gets a line saying that the run goes on. */
const TOLD_EVERY_TIMERS = 50_000;

function tellRun({ at, timers }: { at: string; timers: number }): void {
  if (timers % TOLD_EVERY_TIMERS !== 0) return;
  tell(`still running: it is ${at}, after ${timers} timers.`);
}

function showPlay({ variation, play, shrinking }: { variation: number; play: number; shrinking: boolean }): void {
  const what = shrinking ? `variation ${variation} fails, making it smaller` : `variation ${variation}`;
  showProgress(`${what} (play ${play})`);
}
