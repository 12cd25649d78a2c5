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
