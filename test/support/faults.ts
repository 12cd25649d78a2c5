/** Fault rules of a test, what they counted, and calls whose answers they lose or spoil. */
import { expect } from "vitest";
import type { JournalEntryInfo, WorldClient } from "../../src/index.ts";
import { type Merchant, times } from "./merchant.ts";

/** A rule by hand as `GET /faults` shows it. */
interface FaultInfo {
  readonly id: string;
  readonly inject: Readonly<Record<string, unknown>>;
  readonly at: string | null;
  readonly ends_at: string | null;
  readonly matched: number;
  readonly fired: number;
}

/** An address of this machine, on Linux, that webhooks do not come from. */
export const WRONG_ADDRESS = "127.0.0.66";

/** Replaces the rules by hand of a world. */
export async function inject(world: WorldClient, ...rules: readonly object[]): Promise<readonly FaultInfo[]> {
  return (await world.call<{ rules: FaultInfo[] }>("PUT", "/faults", { rules })).rules;
}

/** Takes all rules by hand away. */
export async function removeFaults(world: WorldClient): Promise<void> {
  await world.call("DELETE", "/faults");
}

/** The rules by hand of a world. */
export async function faultsOf(world: WorldClient): Promise<readonly FaultInfo[]> {
  return (await world.call<{ rules: FaultInfo[] }>("GET", "/faults")).rules;
}

/** How often each rule by hand matched and struck. */
export async function countsOf(world: WorldClient): Promise<(readonly [matched: number, fired: number])[]> {
  return (await faultsOf(world)).map(({ matched, fired }) => [matched, fired] as const);
}

/** How often each rule of the one scenario of a world matched and struck. */
export async function ruleCountsOf(world: WorldClient): Promise<(readonly [matched: number, fired: number])[]> {
  const [scenario] = await world.all<{ rules: { matched: number; fired: number }[] }>("/scenarios");
  return (scenario?.rules ?? []).map(({ matched, fired }) => [matched, fired] as const);
}

/** The journal's entries of rules that struck. */
export async function strikesOf(world: WorldClient): Promise<JournalEntryInfo[]> {
  return (await world.journal()).filter(({ kind }) => kind === "fault.injected");
}

/** The statuses of so many calls, one after another; for the fees unless another path is given. */
export async function statusesOf(merchant: Merchant, calls: number, path = "/v2/account/fees"): Promise<number[]> {
  return (await times(calls, () => merchant.call("GET", path))).map(({ status }) => status);
}

/** The message that rules are refused with. */
export async function refusalOf(world: WorldClient, body: unknown): Promise<string> {
  try {
    await world.call("PUT", "/faults", body);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`These rules were taken: ${JSON.stringify(body).slice(0, 200)}`);
}

/** Holds if a call got no answer: the connection was closed. */
export function expectLost(call: Promise<unknown>): Promise<void> {
  return expect(call).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
}

/** A call whose answer may be no JSON. */
export async function textOf(merchant: Merchant, method: string, path: string, body?: unknown) {
  const headers = { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${merchant.baseUrl}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
