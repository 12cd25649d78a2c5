/** What many transactions that are there already do to new ones, and to lists. */
import { emptied, keeping, yardstick } from "./charges.ts";
import { whole } from "./figures.ts";
import { calls, makeCharges } from "./load.ts";
import { type Measured, rateFigure, type Scale } from "./results.ts";
import { noted, seriesTable } from "./series-table.ts";
import { newFolder, startConstant, startSandboxServer } from "./servers.ts";
import { type Series, takeTurns, UNTIL_COMPILED } from "./turns.ts";

const ROUNDS = 4;
const FAR_PAGE = 10_000;
const USUAL_PAGE_SIZE = 20;

const list = (page: number, pageSize: number) =>
  ({
    method: "POST",
    path: "/v2/account/transactions/list",
    body: JSON.stringify({ page, page_size: pageSize }),
  }) as const;

/** Rows "cashin-filled", "list-first", "list-far". The transactions are made over HTTP, as any others are. */
export async function measureFilled({ transactions }: Scale): Promise<Measured> {
  const pageSize = Math.max(1, Math.min(USUAL_PAGE_SIZE, Math.floor(transactions / FAR_PAGE)));
  const constant = await startConstant();
  const empty = await startSandboxServer("--data", newFolder());
  const filled = await startSandboxServer("--data", newFolder());
  await makeCharges(filled.url, transactions);
  const load = [
    emptied("cash-in, none there", empty),
    keeping(`cash-in, ${whole(transactions)} there`, filled, calls.cashin),
  ];
  // Not between those: a server that has just answered lists has other things at hand than one that takes charges.
  const lists = [
    yardstick("constant", constant, list(1, pageSize)),
    keeping(`list of ${pageSize}, page 1`, filled, list(1, pageSize)),
    keeping(`list of ${pageSize}, page ${whole(FAR_PAGE)}`, filled, list(FAR_PAGE, pageSize)),
  ];
  const charged = await takeTurns(load, ROUNDS, UNTIL_COMPILED);
  const listed = await takeTurns(lists, ROUNDS, UNTIL_COMPILED);
  for (const server of [constant, empty, filled]) await server.end();
  const [none, many] = charged as [Series, Series];
  const [answers, first, far] = listed as [Series, Series, Series];
  return {
    figures: [
      rateFigure("cashin-filled", many, none),
      noted(rateFigure("list-first", first, answers), "the load", answers),
      rateFigure("list-far", far, first),
    ],
    tables: [seriesTable(`With ${whole(transactions)} transactions, --data`, "load", [...charged, ...listed])],
  };
}
