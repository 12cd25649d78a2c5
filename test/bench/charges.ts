/** Charges and balances per second, beside the yardsticks; and how long the slowest of them take. */
import { join } from "node:path";
import { connectSandbox } from "../../src/index.ts";
import { ratio } from "./figures.ts";
import { type Call, calls, loaded, tokenOf } from "./load.ts";
import type { Server } from "./programs.ts";
import { type Measured, rateFigure, type Table, timeFigure } from "./results.ts";
import { noted, notedIfShared, seriesTable } from "./series-table.ts";
import { newFolder, startConstant, startMinimal, startSandboxServer } from "./servers.ts";
import { type Contestant, middle, p99, type Series, takeTurns, UNTIL_COMPILED } from "./turns.ts";

const ROUNDS = 5;
const ROUND_S = 1.2;
/** Calls of a round that warms up: what is compiled hangs on how often it ran, and a slow machine runs it seldom. */
const WARM_UP_CALLS = 10_000;

/** How long the load of a round is. */
const lengthOf = (round: number) => (round > 0 ? { seconds: ROUND_S } : { count: WARM_UP_CALLS });

/** A server that needs no token, under a call. */
export function yardstick(name: string, server: Server, call: Call): Contestant {
  return {
    name,
    turn: (round) => loaded(server, { call, token: "none", prefix: `round-${round}`, ...lengthOf(round) }),
  };
}

/** A sandbox under cash-ins, empty at the beginning of each turn. */
export function emptied(name: string, server: Server): Contestant {
  const turn = async (round: number) => {
    await (await (await connectSandbox(server.url)).defaultWorld()).reset();
    return sandboxTurn(server, calls.cashin, round);
  };
  return { name, turn };
}

/** A sandbox under a call, with all that the turns before have left in it. */
export function keeping(name: string, server: Server, call: Call): Contestant {
  return { name, turn: (round) => sandboxTurn(server, call, round) };
}

async function sandboxTurn(server: Server, call: Call, round: number) {
  const token = await tokenOf(server.url);
  return loaded(server, { call, token, prefix: `round-${round}`, ...lengthOf(round) });
}

/** Rows "cashin-memory", "cashin-data", "cashin-p99". */
export async function measureCharges(): Promise<Measured> {
  const servers = {
    constant: await startConstant(),
    minimal: await startMinimal(),
    minimalOnFile: await startMinimal(join(newFolder(), "minimal.db")),
    memory: await startSandboxServer(),
    data: await startSandboxServer("--data", newFolder()),
  };
  const series = await takeTurns(
    [
      yardstick("constant", servers.constant, calls.cashin),
      yardstick("minimal, in memory", servers.minimal, calls.cashin),
      yardstick("minimal, on a file", servers.minimalOnFile, calls.cashin),
      emptied("sandbox, in memory", servers.memory),
      emptied("sandbox, --data", servers.data),
    ],
    ROUNDS,
    UNTIL_COMPILED,
  );
  for (const server of Object.values(servers)) await server.end();
  const [constant, , , memory, data] = series as [Series, Series, Series, Series, Series];
  return {
    figures: [
      noted(rateFigure("cashin-memory", memory, constant), "the load", constant),
      noted(rateFigure("cashin-data", data, constant), "the load", constant),
      notedIfShared(timeFigure("cashin-p99", memory, constant, p99, false), constant, memory),
    ],
    tables: [seriesTable("Cash-ins over 16 connections", "load", series), p99Table(series)],
  };
}

function p99Table(series: readonly Series[]): Table {
  const rows = series.map((each) => [each.name, ratio(middle(each, p99))]);
  return { title: "99 of 100 cash-ins answered within", head: ["", "ms"], rows };
}

/** Row "balance". */
export async function measureBalance(): Promise<Measured> {
  const servers = [await startConstant(), await startSandboxServer()] as const;
  const series = await takeTurns(
    [yardstick("constant", servers[0], calls.balance), keeping("sandbox, in memory", servers[1], calls.balance)],
    ROUNDS,
    UNTIL_COMPILED,
  );
  for (const server of servers) await server.end();
  const [constant, balance] = series as [Series, Series];
  return {
    figures: [noted(rateFigure("balance", balance, constant), "the load", constant)],
    tables: [seriesTable("Balances over 16 connections", "load", series)],
  };
}
