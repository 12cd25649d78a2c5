/** `external_id` on all four calls that take it: the same request once, however often and whenever it is sent. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import type { Answer } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, setStage } from "../support/signing.ts";

const file = useSandbox();

interface Call {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The same with another amount. */
  readonly other: object;
  readonly status: number;
  readonly signed: boolean;
  readonly id: string;
  /** acme's balance and balance_locked in BRL after one of them. */
  readonly after: readonly [string, string];
}

const CONVERSION = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };

const calls: Record<string, Call> = {
  cashin: {
    path: "/v2/transactions/cashin",
    body: { currency: "BRL", amount: "100.00" },
    other: { amount: "100.01" },
    status: 200,
    signed: false,
    id: "transaction_id",
    after: ["10000.00", "0.00"],
  },
  cashout: {
    path: "/v2/transactions/cashout",
    body: { currency: "BRL", amount: "100.00", key: "12345678909" },
    other: { key: "11144477735" },
    status: 202,
    signed: true,
    id: "transaction_id",
    after: ["9900.00", "100.00"],
  },
  conversion: {
    path: "/v2/conversions/new",
    body: CONVERSION,
    other: { amount: 100.01 },
    status: 200,
    signed: true,
    id: "conversion_id",
    after: ["9900.00", "0.00"],
  },
  transfer: {
    path: "/v2/internal_transfers/payment",
    body: { username: "globex", currency: "BRL", amount: "100.00" },
    other: { description: "Another" },
    status: 200,
    signed: false,
    id: "transaction_id",
    after: ["9900.00", "0.00"],
  },
};
const each = Object.entries(calls);

/** Makes a call with a body; a fresh nonce where it is signed. */
function send(merchant: SigningMerchant, { path, signed }: Call, body: unknown): Promise<Answer> {
  return signed ? merchant.signed(path, body) : merchant.call("POST", path, body);
}

describe.each(each)("%s", (name, call) => {
  const named = { ...call.body, external_id: "order-1" };

  test("D24 TX-04 CONV-17 ENV-04 the same again gives the original, and moves money once", async () => {
    await using stage = await setStage(file);
    const { merchant, receiver, world } = stage;
    const answers = [];
    for (let count = 0; count < 3; count++) {
      answers.push(await send(merchant, call, named));
      await world.advance("1m");
    }
    expect(answers.map(({ status }) => status)).toEqual([call.status, call.status, call.status]);
    const [first, ...again] = answers.map(({ body }) => body);
    for (const body of again) expect(body.data).toEqual(first.data);
    expect(new Set([first, ...again].map(({ request_id }) => request_id)).size).toBe(3);
    expect(await merchant.money("BRL")).toEqual(call.after);
    const ids = receiver.received.map(({ body }) => body.transaction_id);
    expect(ids.length).toBe(name === "conversion" || name === "transfer" ? 1 : 0);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("D24 keys in another order, spacing, and numbers written otherwise are the same body", async () => {
    await using stage = await setStage(file);
    const first = await send(stage.merchant, call, named);
    const reordered = Object.fromEntries(Object.entries(named).reverse());
    const spaced = JSON.stringify(reordered, null, 4).replace('"amount": 100,', '"amount": 1.000e2,');
    expect((await send(stage.merchant, call, spaced)).body.data).toEqual(first.body.data);
  });

  test.each([
    ["short", {}],
    ["long", { metadata: "m".repeat(300) }],
  ])("ERR-12 D24 D23 another body than a %s one is DUPLICATE_EXTERNAL_ID, and moves nothing", async (_, more) => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    const body = { ...named, ...more };
    const first = await send(merchant, call, body);
    for (const other of [
      { ...body, ...call.other },
      { ...body, unknown_field: 1 },
      { ...body, metadata: "other" },
    ]) {
      const refused = await send(merchant, call, other);
      expect(refused.status).toBe(409);
      expect(refused.body.error).toMatchObject({ code: "DUPLICATE_EXTERNAL_ID", group: "BUSINESS", retryable: false });
    }
    expect(await merchant.money("BRL")).toEqual(call.after);
    expect((await send(merchant, call, body)).body.data).toEqual(first.body.data);
  });

  test.each([
    ["below zero", "-100"],
    ["of too many decimals", "100.001"],
    ["of more digits than a double keeps", "100.00000000000000000001"],
  ])(
    "D15 D01 D09 D24 another body with an amount %s is INVALID_REQUEST before it is a duplicate",
    async (_, amount) => {
      await using stage = await setStage(file);
      const { merchant } = stage;
      const body = JSON.stringify({ ...named, amount: 100 });
      const first = await send(merchant, call, body);
      const refused = await send(merchant, call, body.replace('"amount":100', `"amount":${amount}`));
      expect(refusal(refused)).toEqual([400, "INVALID_REQUEST"]);
      expect(refused.body.error.message).toMatch(/^amount must/);
      expect(await merchant.money("BRL")).toEqual(call.after);
      expect((await send(merchant, call, body)).body.data).toEqual(first.body.data);
    },
  );

  test("D23 with duplicate_status: 422 it has this status", async () => {
    await using stage = await setStage(file, { settings: { duplicate_status: 422 } });
    await send(stage.merchant, call, named);
    const refused = await send(stage.merchant, call, { ...named, ...call.other });
    expect(refusal(refused)).toEqual([422, "DUPLICATE_EXTERNAL_ID"]);
  });

  test("D24 TX-04 an id is one account's across all four calls; another account may use it", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    await send(merchant, call, named);
    for (const [other, row] of each) {
      if (other === name) continue;
      const refused = await send(merchant, row, { ...row.body, external_id: "order-1" });
      expect(refusal(refused), other).toEqual([409, "DUPLICATE_EXTERNAL_ID"]);
      expect(refused.body.error.message).toBe(`The external_id was used for another operation, a ${name}.`);
    }
    expect(await merchant.money("BRL")).toEqual(call.after);
    const globex = await SigningMerchant.ofAccount(world, "globex");
    const body = name === "transfer" ? { ...named, username: "acme" } : named;
    expect((await send(globex, call, body)).status).toBe(call.status);
  });

  test("D24 D46 a second credential of the account gets the original", async () => {
    await using stage = await setStage(file);
    const first = await send(stage.merchant, call, named);
    const second = await SigningMerchant.second(stage.world);
    expect((await send(second, call, named)).body.data).toEqual(first.body.data);
    expect(await second.money("BRL")).toEqual(call.after);
  });

  test("CONST-03 D24 64 characters are accepted, 65 refused", async () => {
    await using stage = await setStage(file);
    for (const character of ["x", "é", "💸"]) {
      const long = await send(stage.merchant, call, { ...call.body, external_id: character.repeat(65) });
      expect(refusal(long)).toEqual([400, "INVALID_REQUEST"]);
      expect(long.body.error.message).toContain("external_id");
    }
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    for (const character of ["x", "é", "💸"]) {
      const external_id = character.repeat(64);
      expect((await send(stage.merchant, call, { ...call.body, external_id })).status).toBe(call.status);
    }
  });

  test("D24 D20 null is no id: two of them are two", async () => {
    await using stage = await setStage(file);
    const ids = [];
    for (let count = 0; count < 2; count++) {
      ids.push((await send(stage.merchant, call, { ...call.body, external_id: null })).body.data[call.id]);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test("D24 CONV-17 ten at once are one", async () => {
    await using stage = await setStage(file);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(stage.merchant, call, named)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(call.status));
    expect(new Set(answers.map(({ body }) => body.data[call.id])).size).toBe(1);
    expect(await stage.merchant.money("BRL")).toEqual(call.after);
  });

  test("D24 two at once with different bodies: one is carried out, the other refused", async () => {
    await using stage = await setStage(file);
    const bodies = [named, { ...named, ...call.other }];
    const answers = await Promise.all(bodies.map((body) => send(stage.merchant, call, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([call.status, 409]);
  });

  test("D24 a request that was refused has not used its id", async () => {
    await using stage = await setStage(file);
    const wrong = { ...named, amount: name === "conversion" ? 99_999 : "1000000.01" };
    const refused = await send(stage.merchant, call, wrong);
    expect(refused.body.success).toBe(false);
    expect((await send(stage.merchant, call, named)).status).toBe(call.status);
  });
});

test("D24 ERR-12 a body that two calls take alike is another request to the second", async () => {
  await using stage = await setStage(file);
  const body = { currency: "BRL", amount: "100.00", key: "12345678909", username: "globex", external_id: "order-1" };
  const sent = async (name: string) => send(stage.merchant, calls[name] as Call, body);
  expect((await sent("cashin")).status).toBe(200);
  for (const name of ["cashout", "transfer"]) {
    expect(refusal(await sent(name)), name).toEqual([409, "DUPLICATE_EXTERNAL_ID"]);
  }
  expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
});

test("D24 the original is given in its present state, with the status code of the first answer", async () => {
  await using stage = await setStage(file);
  const { merchant, world } = stage;
  for (const [name, action, status] of [
    ["cashin", "pay", "confirmed"],
    ["cashout", "confirm", "confirmed"],
  ] as const) {
    const call = calls[name] as Call;
    const body = { ...call.body, external_id: `${name}-1` };
    const first = await send(merchant, call, body);
    await world.act(first.body.data.transaction_id, action);
    const again = await send(merchant, call, body);
    expect([again.status, again.body.data]).toEqual([call.status, { ...first.body.data, status }]);
  }
});

test("D24 a repetition is no new operation: neither limits nor balance nor an expired quote stand in its way", async () => {
  await using stage = await setStage(file);
  const { merchant, world } = stage;
  const all = { ...CONVERSION, amount: 10_000, external_id: "fx-1" };
  const first = await merchant.convert(all);
  await merchant.call("POST", "/v2/conversions/simulate", { ...CONVERSION, amount: 10_000 });
  const limits = [{ currency: "BRL", operation: "conversion", per_operation_max: "1.00" }];
  await world.call("PATCH", `/credentials/${merchant.clientId}`, { limits });
  await world.advance("2m");
  const again = await merchant.convert(all);
  expect([again.status, again.body.data]).toEqual([200, first.body.data]);
  expect((await merchant.limit("BRL", "conversion")).daily_used).toBe("10000.00");
});

test("D24 CONV-17 CONST-02 after a restart the originals are still there, and used nonces still used", async () => {
  const data = mkdtempSync(join(tmpdir(), "payments-sandbox-"));
  try {
    const nonce = "9b2f6c0e-3c3c-4c3c-8c3c-3c3c3c3c3c3c";
    const options = { data, settings: { protections: "off" as const }, scenarios: [] };
    const before = new Map<string, unknown>();
    {
      await using sandbox = await startSandbox(options);
      const merchant = await SigningMerchant.ofAccount(await sandbox.defaultWorld());
      for (const [name, call] of each) {
        before.set(name, (await send(merchant, call, { ...call.body, external_id: name })).body.data);
      }
      expect((await merchant.convert({ ...CONVERSION, external_id: "nonce" }, { nonce })).status).toBe(200);
    }
    await using sandbox = await startSandbox(options);
    const world = await sandbox.defaultWorld();
    const merchant = await SigningMerchant.ofAccount(world);
    const balance = await merchant.money("BRL");
    for (const [name, call] of each) {
      const again = await send(merchant, call, { ...call.body, external_id: name });
      expect([again.status, again.body.data]).toEqual([call.status, before.get(name)]);
      const other = await send(merchant, call, { ...call.body, ...call.other, external_id: name });
      expect(refusal(other)).toEqual([409, "DUPLICATE_EXTERNAL_ID"]);
    }
    const reused = await merchant.convert({ ...CONVERSION, external_id: "nonce" }, { nonce });
    expect(refusal(reused)).toEqual([401, "INVALID_SIGNATURE"]);
    expect(await merchant.money("BRL")).toEqual(balance);
    expect(balance).toEqual(["9600.00", "100.00"]);
    expect((await world.checkLedger()).ok).toBe(true);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
