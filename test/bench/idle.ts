/** What a running clock costs while nothing is due: it sleeps until the next timer. */
import { ratio, table } from "./figures.ts";
import { runMeasured } from "./programs.ts";

interface Idle {
  readonly worlds: number;
  /** Of one core, in percent. */
  readonly percent: number;
}

export async function measureIdle(): Promise<string> {
  const rows = [];
  for (const count of ["0", "100"]) {
    const { worlds, percent } = await runMeasured<Idle>("idle-program.ts", count);
    rows.push([
      worlds === 0 ? "the default world alone, frozen" : `${worlds} more, running, with 10 timers each`,
      ratio(percent),
    ]);
  }
  return table("Processor time of an idle server, 2 s", ["", "% of a core"], rows);
}
