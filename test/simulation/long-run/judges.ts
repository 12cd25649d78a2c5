/** What must hold of a long run: memory that is flat, files that grow with history alone, nothing left open. */
import type { Held } from "./probe.ts";

export interface Sample extends Held {
  readonly quarter: number;
  readonly logBytes: number;
  /** Files that are open. */
  readonly files: number;
}

/** What a quarter came to. */
export interface Quarter {
  /** Medians of its samples. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly largestLogBytes: number;
  /** Entries that were added to the journal, and what the world's file grew by. */
  readonly entries: number;
  readonly fileBytes: number;
  /** The most of each kind, sockets apart: those of callers come and go. */
  readonly resources: Readonly<Record<string, number>>;
  readonly largestSockets: number;
  readonly listeners: number;
  readonly mostFiles: number;
}

/** From the second quarter on, in parts of that one and in bytes on top: what measurements of one and the same vary by. */
const HEAP_TOLERANCE = { part: 0.1, bytes: 2e6 };
const RESIDENT_TOLERANCE = { part: 0.15, bytes: 10e6 };

/** Bytes of the file for each entry of a quarter, in parts of that of all. */
const FILE_BAND = 0.2;

/** The same of a process that keeps it all in memory, where there is so much that it can be told from all else. */
const RESIDENT_BAND = 0.35;
const MANY_ENTRIES = 20_000;

/** A checkpoint at 16 000 pages of 2 KiB with a frame's header each, and what one transaction may bring on top. */
const MOST_LOG_BYTES = 16_000 * (2_048 + 24) * 1.5;

/** Sixteen callers, those of the control interface, and the receiver's. */
const MOST_SOCKETS = 100;

const isSocket = (name: string) => /TCP|Pipe|HTTP/.test(name);

/** @param grown what was added in that quarter. */
export function quarterOf(samples: readonly Sample[], grown: Pick<Quarter, "entries" | "fileBytes">): Quarter {
  const resources: Record<string, number> = {};
  let largestSockets = 0;
  for (const sample of samples) {
    const sockets = Object.entries(sample.resources).filter(([name]) => isSocket(name));
    largestSockets = Math.max(largestSockets, ...sockets.map(([, count]) => count));
    for (const [name, count] of Object.entries(sample.resources)) {
      if (!isSocket(name)) resources[name] = Math.max(resources[name] ?? 0, count);
    }
  }
  return {
    heapBytes: median(samples.map(({ heapBytes }) => heapBytes)),
    residentBytes: median(samples.map(({ residentBytes }) => residentBytes)),
    largestLogBytes: Math.max(...samples.map(({ logBytes }) => logBytes)),
    ...grown,
    resources,
    largestSockets,
    listeners: Math.max(...samples.map(({ listeners }) => listeners)),
    mostFiles: Math.max(...samples.map(({ files }) => files)),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** @param inFile whether history lies in a file: only then is the process as large as ever. */
export function faultsOfQuarters(quarters: readonly Quarter[], inFile: boolean): string[] {
  const [, second, ...later] = quarters;
  if (!second) return ["there are no four quarters"];
  const faults = later.flatMap((quarter, index) => growthFaults(second, quarter, index + 3, inFile));
  faults.push(...quarters.flatMap((quarter, index) => leftOpen(quarter, index + 1)));
  if (inFile) faults.push(...fileFaults(quarters, "its file", FILE_BAND));
  else if (second.entries > MANY_ENTRIES) faults.push(...fileFaults(quarters, "the process", RESIDENT_BAND));
  return faults;
}

function growthFaults(second: Quarter, quarter: Quarter, number: number, inFile: boolean): string[] {
  const faults: string[] = [];
  const hold = (what: string, before: number, now: number, { part, bytes }: typeof HEAP_TOLERANCE) => {
    if (now > before * (1 + part) + bytes) faults.push(`quarter ${number}: ${what} is ${now}, in the second ${before}`);
  };
  hold("the heap", second.heapBytes, quarter.heapBytes, HEAP_TOLERANCE);
  if (inFile) hold("the resident memory", second.residentBytes, quarter.residentBytes, RESIDENT_TOLERANCE);
  // The log of a world is opened when it is first written to.
  if (quarter.mostFiles > second.mostFiles + 1) faults.push(`quarter ${number}: ${quarter.mostFiles} files are open`);
  if (quarter.listeners > second.listeners) faults.push(`quarter ${number}: ${quarter.listeners} listeners`);
  for (const [name, count] of Object.entries(quarter.resources)) {
    if (count > (second.resources[name] ?? 0) + 1) faults.push(`quarter ${number}: ${count} of ${name} are open`);
  }
  return faults;
}

function leftOpen({ largestSockets, largestLogBytes }: Quarter, number: number): string[] {
  const faults: string[] = [];
  if (largestSockets > MOST_SOCKETS) faults.push(`quarter ${number}: ${largestSockets} sockets are open`);
  if (largestLogBytes > MOST_LOG_BYTES) faults.push(`quarter ${number}: the log has ${largestLogBytes} bytes`);
  return faults;
}

/** The first quarter has what a world begins with, and a process that warms up. */
function fileFaults(quarters: readonly Quarter[], what: string, band: number): string[] {
  const [, ...settled] = quarters;
  const each = settled.map(({ fileBytes, entries }) => fileBytes / entries);
  const sum = (of: (quarter: Quarter) => number) => settled.reduce((total, quarter) => total + of(quarter), 0);
  const mean = sum(({ fileBytes }) => fileBytes) / sum(({ entries }) => entries);
  return each.flatMap((bytes, index) =>
    Math.abs(bytes / mean - 1) <= band
      ? []
      : [`quarter ${index + 2}: ${what} grew by ${bytes.toFixed(0)} bytes an entry, over all by ${mean.toFixed(0)}`],
  );
}
