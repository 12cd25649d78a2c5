/** The only wall clock, timer of the machine and event-loop turn. All else in the product takes its time from a world. */
import { randomUUID } from "node:crypto";

/** As they were when this was loaded: a test that fakes the timers and dates of its process does not stop a sandbox in it. */
const { setTimeout, clearTimeout, setImmediate, Date: machineDate } = globalThis;
const readMonotonic = performance.now.bind(performance);

/** Whether a test fakes them: then a library waits in vain that was not written for that. */
export function timersAreFaked(): boolean {
  return globalThis.setImmediate !== setImmediate;
}

/** Milliseconds since 1970 by the machine's clock. */
export function wallNow(): number {
  return machineDate.now();
}

/** A reading that only ever grows, in milliseconds; for durations. */
export function monotonicNow(): number {
  return readMonotonic();
}

/** A UUID v4 of the machine's randomness, for programs that talk to a world; a world itself draws from its seed. */
export function freshUuid(): string {
  return randomUUID();
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Calls back after `delayMs` of real time, not keeping the process alive for it.
 * A longer delay than the machine's timers take is cut; the caller looks again when it wakes.
 * @returns a function that calls it off.
 */
export function wakeAfter(delayMs: number, callback: () => void): () => void {
  const handle = setTimeout(callback, Math.min(Math.max(delayMs, 0), MAX_TIMEOUT_MS));
  handle.unref();
  return () => clearTimeout(handle);
}

/**
 * Calls back in a later turn of the event loop, after what is waiting there has had its chance.
 * @param turns how many turns later.
 */
export function nextTurn(callback: () => void, turns = 1): void {
  setImmediate(turns > 1 ? () => nextTurn(callback, turns - 1) : callback);
}

/** Resolves in a later turn of the event loop, as {@link nextTurn}. */
export function laterTurn(turns = 1): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve, turns));
}

/** Resolves after `delayMs` of real time. */
export function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
