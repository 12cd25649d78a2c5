/** The load: calls that the load program makes, and the charges among them. */
import { connectSandbox } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { cpuSeconds, used } from "./processes.ts";
import { type Program, type Server, startProgram } from "./programs.ts";
import type { Turn } from "./timed.ts";

/** A call; in its body `{id}` stands for an external id of its own, `{lane}` for a number from 0 to 15. */
export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** TABLE: what is called. A million charges come to less than a day's limit. */
export const calls = {
  cashin: {
    method: "POST",
    path: "/v2/transactions/cashin",
    body: '{"currency":"BRL","amount":1.23,"external_id":"{id}"}',
  },
  balance: { method: "GET", path: "/v2/account/balance?currency=BRL" },
} as const satisfies Record<string, Call>;

/** What the load program is to do: so many calls, or as many as there is time for. */
export interface LoadOrder {
  readonly url: string;
  readonly call: Call;
  readonly token: string;
  /** First part of every external id. */
  readonly prefix: string;
  readonly count?: number;
  readonly seconds?: number;
}

/** What the load program did. */
export interface Load {
  readonly answered: number;
  readonly seconds: number;
  readonly p99Ms: number;
  /** How much of its core the load program itself was busy, 0 to 1. */
  readonly busy: number;
}

let program: Program<LoadOrder, Load> | undefined;

/** Has the load program do an order; it is started by the first one. */
function load(order: LoadOrder): Promise<Load> {
  program ??= startProgram("measuring", "load-program.ts");
  return program.order(order);
}

/** Ends the load program. */
export async function endLoad(): Promise<void> {
  await program?.end();
  program = undefined;
}

/** A turn of a server under load. */
export async function loaded(server: Server, order: Omit<LoadOrder, "url">): Promise<Turn> {
  const before = cpuSeconds(server.pid);
  const { answered, seconds, p99Ms, busy } = await load({ ...order, url: server.url });
  const usedSeconds = used(before, cpuSeconds(server.pid));
  return { count: answered, seconds, cpuSeconds: usedSeconds, p99Ms, helperBusy: busy };
}

/** A token of the default account of the world at an address. */
export async function tokenOf(baseUrl: string): Promise<string> {
  return (await Merchant.of(await (await connectSandbox(baseUrl)).defaultWorld())).token;
}

let batches = 0;

/** Makes so many charges in the world at an address. */
export async function makeCharges(url: string, count: number, call: Call = calls.cashin): Promise<void> {
  await load({ url, call, token: await tokenOf(url), prefix: `batch-${batches++}`, count });
}
