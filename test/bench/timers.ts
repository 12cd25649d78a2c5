/** Timers per second in one call of advance, with few and with many waiting behind those that run. */
import { advanced } from "./advances.ts";
import { whole } from "./figures.ts";
import { makeCharges } from "./load.ts";
import { type Server, startProgram, startServer } from "./programs.ts";
import { type Measured, rateFigure, type Scale } from "./results.ts";
import { seriesTable } from "./series-table.ts";
import type { Turn } from "./timed.ts";
import { type Contestant, type Series, takeTurns, UNTIL_COMPILED } from "./turns.ts";

const ROUNDS = 5;
const CHARGES = 10_000;
const FEW = 1_000;

/** Rows "timers", "timers-pending". */
export async function measureTimers({ pending }: Scale): Promise<Measured> {
  const sqlite = startProgram<{ count: number }, Turn>("measured", "yardsticks/sqlite.ts");
  const few = await startServer("measured", "pending-server.ts", String(FEW));
  const many = await startServer("measured", "pending-server.ts", String(pending));
  const series = await takeTurns(
    [
      { name: "sqlite", turn: () => sqlite.order({ count: CHARGES }) },
      paid(`${whole(FEW)} pending`, few),
      paid(`${whole(pending)} pending`, many),
    ],
    ROUNDS,
    UNTIL_COMPILED,
  );
  for (const program of [sqlite, few, many]) await program.end();
  const [inserts, fewPending, manyPending] = series as [Series, Series, Series];
  return {
    figures: [rateFigure("timers", fewPending, inserts), rateFigure("timers-pending", manyPending, fewPending)],
    tables: [seriesTable(`${whole(CHARGES)} charges paid in one advance`, null, series)],
  };
}

/** Charges are made, which is not timed, and paid by an advance. */
function paid(name: string, server: Server): Contestant {
  const turn = async () => {
    await makeCharges(server.url, CHARGES);
    return advanced(server, { timers: CHARGES });
  };
  return { name, turn };
}
