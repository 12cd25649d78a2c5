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

function chargeTable(contestants: readonly Contestant[]): string {
  const [constant] = contestants;
  const share = (values: readonly number[], of: readonly number[] = []) => ratio(median(values) / median(of));
  const rows = contestants.map(({ name, perSecond, perCpuSecond, busy }) => [
    name,
    whole(median(perSecond)),
    share(perSecond, constant?.perSecond),
    whole(median(perCpuSecond)),
    share(perCpuSecond, constant?.perCpuSecond),
    ratio(median(busy)),
  ]);
  const title = `Charges, 16 connections, token checked, every row written (median of ${ROUNDS} rounds of ${ROUND_S} s)`;
  return table(title, ["", "per second", "ratio", "per CPU second", "ratio", "load's own core"], rows);
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
