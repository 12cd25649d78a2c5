/** Many runs, and a report of them. */
import fc from "fast-check";
import { type Counts, noCounts, play, type Run, runsOf } from "./play.ts";
import type { Stage } from "./stage.ts";

/** What came of a campaign. */
interface Outcome {
  readonly counts: Counts;
  /** What went wrong first, made as small as it gets; null where nothing did. */
  readonly failure: string | null;
}

/** How long, and from where. */
interface Course {
  readonly runs: number;
  readonly seed: number;
  /** Where fast-check goes on in the tree of what it made: of an earlier failure. */
  readonly path?: string;
  readonly counts?: Counts;
  readonly onMessage?: (replay: string) => void;
}

/** Plays runs until one fails or all have been played. */
export async function campaign(stage: Stage, course: Course): Promise<Outcome> {
  const { runs, seed, path, counts = noCounts(), onMessage } = course;
  const property = fc.asyncProperty(runsOf(stage.operations), (run: Run) => play(stage, run, counts, onMessage));
  const given = path === undefined ? {} : { path };
  const details = await fc.check(property, { numRuns: runs, seed, ...given });
  if (!details.failed) return { counts, failure: null };
  const { counterexamplePath, errorInstance, numShrinks } = details;
  const where = `seed ${seed}, path "${counterexamplePath}", after ${numShrinks} shrinks: npm run proof:fuzz -- ${runs} ${seed} ${counterexamplePath}`;
  return { counts, failure: `${(errorInstance as Error).message}\n${where}` };
}

/** Counts per operation and class of status, one line each. */
export function tableOf({ byOperation, requests, slowest }: Counts): string {
  const rows = [...byOperation].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = rows.map(([name, statuses]) => {
    const parts = [...statuses].sort().map(([status, number]) => `${status} ${number}`);
    return `${name}: ${parts.join(", ")}`;
  });
  return [...lines, `${requests} requests, the slowest ${Math.round(slowest.ms)} ms: ${slowest.name}`].join("\n");
}
