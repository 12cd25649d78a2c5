/** What a contestant did in one turn. */
export interface Turn {
  /** How many of what it is to do. */
  readonly count: number;
  readonly seconds: number;
  /** Processor time of the program that is measured; null where the system does not tell. */
  readonly cpuSeconds: number | null;
  /** The time that 99 of 100 answers took at most. */
  readonly p99Ms?: number;
  /** How much of its core the program beside it was busy, 0 to 1: the load, or the receiver. */
  readonly helperBusy?: number;
}

/** Does a work within this process, and takes its time. */
export async function timed(count: number, work: () => Promise<unknown>): Promise<Turn> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { count, seconds, cpuSeconds: (user + system) / 1e6 };
}
