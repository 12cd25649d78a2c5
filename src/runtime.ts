/** The only access to the machine's clock, timers, event loop and randomness. All other time comes from a world. */
import { randomUUID } from "node:crypto";

/** Test runners that imitate a page take some of it away: told here, before a library fails for the want of it. */
const missing = ["Response", "TransformStream", "setImmediate"].find((name) => !(name in globalThis));
if (missing !== undefined) {
  const instead = 'the test environment "node" has it (docs/testing.md)';
  throw new Error(`payments-sandbox needs ${missing} of Node, which is not there: ${instead}.`);
}

/** As they were when this module was loaded: a test that fakes its process's timers does not stop a sandbox in it. */
const { setTimeout, clearTimeout, setImmediate, Date: machineDate } = globalThis;
const readMonotonic = performance.now.bind(performance);

/** Whether a test fakes them: a library that uses the faked ones then waits in vain. */
export function timersAreFaked(): boolean {
  return globalThis.setImmediate !== setImmediate;
}

/** Milliseconds since 1970 by the machine's clock. */
export function wallNow(): number {
  return machineDate.now();
}

/** A monotonic reading in milliseconds, for durations. */
export function monotonicNow(): number {
  return readMonotonic();
}

/** A random UUID v4, for programs that talk to a world; a world itself draws from its seed. */
export function freshUuid(): string {
  return randomUUID();
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Calls back after `delayMs` of real time, without keeping the process alive.
 * A delay beyond the maximum of the machine's timers is cut; the caller checks again when it wakes.
 * @returns a function that cancels it.
 */
export function wakeAfter(delayMs: number, callback: () => void): () => void {
  const handle = setTimeout(callback, Math.min(Math.max(delayMs, 0), MAX_TIMEOUT_MS));
  handle.unref();
  return () => clearTimeout(handle);
}

/**
 * Calls back in a later turn of the event loop, after what is already queued there.
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
