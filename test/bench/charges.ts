/** Charges per second, beside a server that answers the same nothing every time. */
import { connectSandbox } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { median, ratio, table, whole } from "./figures.ts";
import { cpuSeconds, load, type Server, residentMiB, startConstant, startSandboxServer } from "./programs.ts";

const ROUNDS = 3;
const WARM_UP_S = 1;
const ROUND_S = 2;

interface Contestant {
  readonly name: string;
  readonly server: Server;
  readonly token: string;
  readonly perSecond: number[];
  /** Per second of the server's own processor time: what a machine with other work to do shows as well. */
  readonly perCpuSecond: number[];
  readonly busy: number[];
}

/** The rows of the table; servers take turns, so that what disturbs the machine disturbs all. */
export async function measureCharges(settings: string, dataFolder: string): Promise<string> {
  const common = ["--settings", settings];
  const contestants = [
    await contestant("Hono, a constant answer", await startConstant(), "none"),
    await contestant("sandbox in memory", await startSandboxServer(...common)),
    await contestant("sandbox with --data", await startSandboxServer(...common, "--data", dataFolder)),
  ];
  for (let round = 0; round <= ROUNDS; round++) for (const each of contestants) await measure(each, round);
  for (const { server } of contestants) await server.end();
  return chargeTable(contestants);
}

/** The constant answer asks for no token. */
async function contestant(name: string, server: Server, token?: string): Promise<Contestant> {
  return { name, server, token: token ?? (await tokenOf(server.url)), perSecond: [], perCpuSecond: [], busy: [] };
}

/** A token of the default account of the world at an address. */
export async function tokenOf(baseUrl: string): Promise<string> {
  return (await Merchant.of(await (await connectSandbox(baseUrl)).defaultWorld())).token;
}

async function measure({ server, token, perSecond, perCpuSecond, busy }: Contestant, round: number): Promise<void> {
  const before = cpuSeconds(server);
  const seconds = round === 0 ? WARM_UP_S : ROUND_S;
  const result = await load({ url: server.url, token, prefix: `round-${round}`, seconds });
  const after = cpuSeconds(server);
  if (round === 0) return;
  perSecond.push(result.answered / result.seconds);
  if (before !== null && after !== null) perCpuSecond.push(result.answered / (after - before));
  busy.push(result.busy);
}

/** A load program that is busy for more of its time than this is what holds the figure down. */
const LOAD_IS_BUSY = 0.9;

function chargeTable(contestants: readonly Contestant[]): string {
  const [constant] = contestants.map(comparable);
  const rows = contestants.map((each) => [
    each.name,
    (median(each.busy) > LOAD_IS_BUSY ? "at least " : "") + whole(median(each.perSecond)),
    whole(median(each.perCpuSecond)),
    ratio(comparable(each) / (constant ?? Number.NaN)),
    ratio(median(each.busy)),
  ]);
  const title = `Charges, 16 connections, token checked, every row written (median of ${ROUNDS} rounds of ${ROUND_S} s)`;
  return table(title, ["", "per second", "per CPU second", "ratio", "load's own core"], rows);
}

/** Processor time where the system tells it: it does not count what else the machine is doing, nor a busy load. */
function comparable({ perSecond, perCpuSecond }: Contestant): number {
  return median(perCpuSecond.length > 0 ? perCpuSecond : perSecond);
}

/** Resident memory of a fresh sandbox, and after so many charges. */
export async function measureMemory(settings: string, charges: number): Promise<string> {
  const server = await startSandboxServer("--settings", settings);
  const token = await tokenOf(server.url);
  const idle = residentMiB(server);
  await load({ url: server.url, token, prefix: "memory", charges });
  const filled = residentMiB(server);
  await server.end();
  const rows = [
    ["idle", whole(idle)],
    [`after ${whole(charges)} charges in memory`, whole(filled)],
  ];
  return table("Resident memory", ["", "MiB"], rows);
}
