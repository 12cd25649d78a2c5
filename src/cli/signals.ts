/** What SIGTERM and SIGINT do: they end a server with exit code 0 (interface, section 2), and other commands at once. */
import type { RunningServer } from "../server.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** TABLE: what shells tell of a process that such a signal has ended. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

const leave = () => process.exit(0);

/**
 * Ends a command that is no server, where it is the first process of a container: no signal ends that by itself.
 * Elsewhere the system does, which interrupts work that leaves no turn to a handler.
 */
export function endOnSignal(): void {
  if (process.pid !== 1) return;
  for (const signal of SIGNALS) process.on(signal, () => process.exit(EXIT_CODES[signal]));
}

/** Lets a command say something before Ctrl-C ends it. */
export function beforeInterrupt(say: () => void): void {
  process.prependOnceListener("SIGINT", () => {
    say();
    process.exit(EXIT_CODES.SIGINT);
  });
}

/** While the server's code is still loading: exits at once, as nothing exists yet that would have to be finished. */
export function leaveOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, leave);
}

/** From the start on: finishes what is under way, unless the start itself fails; a second signal exits at once. */
export function stopOnSignal(starting: Promise<RunningServer>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(0);
    stopping = true;
    const server = await starting.catch(() => null);
    if (server === null) return;
    await server.stop();
    process.exit(0);
  };
  for (const signal of SIGNALS) process.on(signal, stop).off(signal, leave);
}
