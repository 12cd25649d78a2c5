/** A trigger whose own call a fault rule of its world strikes says so, and whether something may have come of it. */
import { describe, expect, test } from "vitest";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import {
  type FaultRule,
  SandboxClient,
  ServiceCallError,
  TriggerError,
  UnreachableError,
  type WorldClient,
} from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const CASHOUT = "POST /v2/transactions/cashout";
const REPLY = "POST /v2/account/infractions/reply";

async function worldUnder(request: string, inject: FaultRule["inject"]): Promise<WorldClient> {
  const world = await file.world();
  await world.faults.set([{ request, inject }]);
  return world;
}

describe("a call that is struck", () => {
  test.each([
    [{ status: 500 }, "(status: 500), and nothing came of it;", 0],
    [{ error: "RATE_LIMIT_EXCEEDED" }, "(error: RATE_LIMIT_EXCEEDED), and nothing came of it;", 0],
    [{ disconnect: "before" }, "(disconnect: before), and nothing came of it;", 0],
    [{ disconnect: "after" }, "(disconnect: after), though it may have been carried out;", 1],
    [{ malformed: true }, "(malformed: true), though it may have been carried out;", 1],
  ] as const)("%j", async (inject, words, made) => {
    const world = await worldUnder(CASHOUT, inject);
    const refusal = world.trigger("cashout.confirmed");
    await expect(refusal).rejects.toThrow(TriggerError);
    await expect(refusal).rejects.toThrow(
      `A fault rule of this world struck ${CASHOUT} ${words} take the rule out, or trigger again.`,
    );
    await expect(refusal).rejects.toMatchObject({ isWrongInput: false });
    expect(await world.transactions.list()).toHaveLength(made);
    await world.faults.clear();
    expect(await world.trigger("cashout.confirmed")).toMatchObject({ event: "cashout.confirmed" });
  });

  test("the reply to a dispute", async () => {
    const world = await worldUnder(REPLY, { status: 503 });
    const words = `struck ${REPLY} (status: 503), and nothing came of it`;
    await expect(world.trigger("chargeback.responded")).rejects.toThrow(words);
  });
});

test("what struck a call is looked for among the faults alone, however much else happened", async () => {
  const own = await worldUnder(CASHOUT, { status: 500 });
  const asked: string[] = [];
  const fetch: typeof patientFetch = (url, init) => {
    if (String(url).includes("/journal")) asked.push(String(url).split("/_sandbox")[1] ?? "");
    return patientFetch(url, init);
  };
  const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {});
  await expect((await client.world(own.id)).trigger("cashout.confirmed")).rejects.toThrow("(status: 500)");
  expect(asked).toEqual(["/journal?kind=fault.injected&limit=1000"]);
});

test("a call that is only answered later is refused for its own reason", async () => {
  const world = await worldUnder(CASHOUT, { latency: "1ms" });
  const refusal = world.trigger("cashout.confirmed", { set: { amount: "20000" } });
  await expect(refusal).rejects.toThrow(ServiceCallError);
  await expect(refusal).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
});

test("a connection that broke off by itself is told as such, whatever struck the call before", async () => {
  const world = await worldUnder(CASHOUT, { status: 500 });
  await expect(world.trigger("cashout.confirmed")).rejects.toThrow(TriggerError);
  const fetch: typeof patientFetch = async (url, init) => {
    const isCashout = url.endsWith("/v2/transactions/cashout");
    if (isCashout) throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    return patientFetch(url, init);
  };
  const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {});
  const refusal = (await client.world(world.id)).trigger("cashout.confirmed");
  await expect(refusal).rejects.toThrow(UnreachableError);
});

test("a rule for other calls changes nothing of a refusal, whose hint is passed on", async () => {
  const world = await worldUnder("POST /v2/transactions/cashin", { status: 500 });
  const refusal = world.trigger("cashout.confirmed", { set: { amount: "20000" } });
  await expect(refusal).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  const struck = world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: "1.00" });
  await expect(struck).rejects.toMatchObject({ hint: expect.stringContaining("A fault rule of this world struck") });
});
