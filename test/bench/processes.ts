/** What the system tells of a process; null where it does not. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Processor time that a process has used with all its threads, in seconds, to the nanosecond. */
export function cpuSeconds(pid: number | undefined): number | null {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(`/proc/${pid}/schedstat`)) return null;
  return readdirSync(folder).reduce((sum, thread) => {
    try {
      return sum + Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e9;
    } catch {
      return sum; // It has ended since the folder was read.
    }
  }, 0);
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number | undefined): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, "utf8"))?.[1]) * 1024;
}

/** What was used between two readings. */
export function used(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}
