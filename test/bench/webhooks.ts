/** Webhooks per second in one call of advance, which does nothing else, to one receiver that answers at once. */
import { connectSandbox } from "../../src/index.ts";
import { advanced } from "./advances.ts";
import { whole } from "./figures.ts";
import { calls, makeCharges } from "./load.ts";
import { cpuSeconds, used } from "./processes.ts";
import { type Server, startProgram } from "./programs.ts";
import { type Measured, rateFigure } from "./results.ts";
import { noted, seriesTable } from "./series-table.ts";
import { startReceiver, startSandboxServer } from "./servers.ts";
import type { Turn } from "./timed.ts";
import { type Contestant, type Series, takeTurns, UNTIL_COMPILED } from "./turns.ts";
import type { PostOrder } from "./yardsticks/undici.ts";

const ROUNDS = 5;
const WEBHOOKS = 5_000;
const AT_ONCE = 16;
const DELAY = "1h";

/** Rows "webhooks-sequential", "webhooks-16". */
export async function measureWebhooks(): Promise<Measured> {
  const receiver = await startReceiver();
  const undici = startProgram<PostOrder, Turn>("measured", "yardsticks/undici.ts");
  const sequential = await startDelaying();
  const concurrent = await startDelaying("--webhook-concurrency", String(AT_ONCE));
  const post = (atOnce: number) => undici.order({ url: receiver.url, count: WEBHOOKS, atOnce });
  const contestants: Contestant[] = [
    { name: "undici, one after another", turn: () => post(1) },
    { name: "sandbox, one after another", turn: () => delivered(sequential, receiver) },
    { name: `undici, ${AT_ONCE} at once`, turn: () => post(AT_ONCE) },
    { name: `sandbox, ${AT_ONCE} at once`, turn: () => delivered(concurrent, receiver) },
  ];
  const series = await takeTurns(
    contestants.map((each) => watched(each, receiver)),
    ROUNDS,
    UNTIL_COMPILED,
  );
  for (const program of [undici, sequential, concurrent, receiver]) await program.end();
  const [one, oneSandbox, many, manySandbox] = series as [Series, Series, Series, Series];
  return {
    figures: [
      noted(rateFigure("webhooks-sequential", oneSandbox, one, true), "the receiver", one),
      noted(rateFigure("webhooks-16", manySandbox, many), "the receiver", many),
    ],
    tables: [seriesTable(`${whole(WEBHOOKS)} webhooks in one advance`, "receiver", series)],
  };
}

/** A sandbox that holds webhooks of payments back for as long as it takes to make and pay them. */
async function startDelaying(...args: string[]): Promise<Server> {
  const server = await startSandboxServer(...args);
  const world = await (await connectSandbox(server.url)).defaultWorld();
  await world.faults.set([{ delivery: "cashin.confirmed", inject: { delay: DELAY } }]);
  return server;
}

/**
 * Charges are made and paid, which is not timed: it is a row of its own. An advance delivers the webhook of each. Those
 * to one address go one after another, so that each charge names one of sixteen.
 */
async function delivered(server: Server, receiver: Server): Promise<Turn> {
  const { body } = calls.cashin;
  const addressed = `${body.slice(0, -1)},"postback_url":"${receiver.url}/{lane}"}`;
  await makeCharges(server.url, WEBHOOKS, { ...calls.cashin, body: addressed });
  await advanced(server, { timers: WEBHOOKS });
  return advanced(server, { delivered: WEBHOOKS }, DELAY);
}

/** The same turn, and how busy the receiver was. */
function watched({ name, turn }: Contestant, receiver: Server): Contestant {
  const watchedTurn = async (round: number): Promise<Turn> => {
    const before = cpuSeconds(receiver.pid);
    const done = await turn(round);
    const busySeconds = used(before, cpuSeconds(receiver.pid));
    return busySeconds === null ? done : { ...done, helperBusy: busySeconds / done.seconds };
  };
  return { name, turn: watchedTurn };
}
