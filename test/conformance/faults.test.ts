import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("ERR-11 PROVIDER_ERROR is 502 and retryable, creates nothing, and the repetition succeeds", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const rule = { request: "POST /v2/transactions/wallet", inject: { error: "PROVIDER_ERROR" }, times: 1 };
  await world.call("PUT", "/faults", { rules: [rule] });

  const refused = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  expect(refused.status).toBe(502);
  expect(refused.body).toEqual({
    success: false,
    error: { code: "PROVIDER_ERROR", message: expect.any(String), group: "PROVIDER", retryable: true },
  });
  expect(refused.headers.get("x-sandbox-hint")).toContain("fault");
  expect(await world.all("/wallets")).toEqual([]);

  const repeated = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  expect(repeated.status).toBe(200);
  expect(await world.all("/wallets")).toHaveLength(1);
});

test("a fault by status carries the common failure body, and ends on the clock", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const rule = { request: "GET /v2/account/*", inject: { status: 503 }, for: "30s" };
  await world.call("PUT", "/faults", { rules: [rule] });

  const refused = await merchant.call("GET", "/v2/account/fees");
  expect(refused.status).toBe(503);
  expect(refused.body.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", group: "PROVIDER", retryable: true });
  await world.advance("30s");
  expect((await merchant.call("GET", "/v2/account/fees")).status).toBe(200);
});

test("a fault rule that is none is refused with what would be right, and changes nothing", async () => {
  const world = await file.world();
  const set = (rules: object[]) => world.call("PUT", "/faults", { rules });
  await expect(set([{ request: "POST /v2/x", inject: { error: "PROVIDER_EROR" } }])).rejects.toThrow("PROVIDER_ERROR");
  await expect(set([{ request: "POST /v2/x", inject: {} }])).rejects.toThrow("exactly one of error, status");
  await expect(set([{ reqest: "POST /v2/x", inject: { status: 503 } }])).rejects.toThrow('did you mean "request"');
  expect(await world.call("GET", "/faults")).toEqual({ rules: [] });
});

test("R4 a magic value is told in the header X-Sandbox-Hint, never in the body", async () => {
  const world = await file.world({ scenarios: ["happy-path", "magic-values"] });
  const merchant = await Merchant.of(world);
  const magic = await merchant.cashin({ currency: "BRL", amount: 10, external_id: "magic-expire-1" });
  expect(magic.headers.get("x-sandbox-hint")).toBe("Scenario magic-values: the charge expires unpaid.");
  expect(magic.text).not.toContain("magic-values");
  const plain = await merchant.cashin({ currency: "BRL", amount: 10 });
  expect(plain.headers.get("x-sandbox-hint")).toBeNull();
});

test("ERR-18 a client that backs off 1, 2, 4, 8 s gets through an outage of 502 and 503", async () => {
  for (const [status, code] of [
    [502, "PROVIDER_ERROR"],
    [503, "SERVICE_UNAVAILABLE"],
  ] as const) {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const rule = { request: "POST /v2/transactions/cashin", inject: { status }, for: "10s" };
    await world.call("PUT", "/faults", { rules: [rule] });
    const charge = { currency: "BRL", amount: 10, external_id: "order-1" };
    for (const wait of ["1s", "2s", "4s", "8s"]) {
      const refused = await merchant.cashin(charge);
      expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([status, code, true]);
      await world.advance(wait);
    }
    expect((await merchant.cashin(charge)).status).toBe(200);
    expect(await world.all("/transactions")).toHaveLength(1);
  }
});

test("ERR-17 a client that repeats before Retry-After is refused again, one that waits it out is served", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const transfer = () =>
    merchant.call("POST", "/v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: 1 });
  for (let count = 0; count < 10; count++) expect((await transfer()).status).toBe(200);
  const refused = await transfer();
  expect(refused.status).toBe(429);
  const retryAfterS = Number(refused.headers.get("retry-after"));
  await world.advance(`${retryAfterS - 1}s`);
  expect((await transfer()).status).toBe(429);
  await world.advance("1s");
  expect((await transfer()).status).toBe(200);
});
