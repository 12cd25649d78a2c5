/** Which core runs what: all that is measured on the first, all that measures on the others. */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const hasTaskset = process.platform === "linux" && spawnSync("taskset", ["-c", "0", "true"]).status === 0;
const cores = availableParallelism();

/** What a program is there for. */
export type Role = "measured" | "measuring";

/** How a program is started so that it stays on the cores of its role. */
export function pinned(role: Role, program: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (!hasTaskset || cores < 2) return [program, args];
  return ["taskset", ["-c", role === "measured" ? "0" : `1-${cores - 1}`, program, ...args]];
}

/** For the head of the report. */
export function describeCores(): string {
  if (!hasTaskset) return `${cores} cores, nothing pinned: there is no taskset here`;
  if (cores < 2) return "one core, shared by the servers and what loads them: read the ratios alone";
  return `servers on core 0, the load on core${cores > 2 ? "s" : ""} 1${cores > 2 ? `-${cores - 1}` : ""}`;
}
