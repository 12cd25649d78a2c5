/** Limits per operation, day and month: what they show, what they refuse, when they begin anew. */
import { describe, expect, test } from "vitest";
import type { WorldOptions } from "../../src/index.ts";
import type { Answer } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, type Stage, setStage } from "../support/signing.ts";
import { deposit } from "../support/wallets.ts";

const file = useSandbox();

/** Each limited operation, in BRL. */
const operations: Record<string, (merchant: SigningMerchant, amount: string) => Promise<Answer>> = {
  cashin: (merchant, amount) => merchant.cashin({ currency: "BRL", amount }),
  cashout: (merchant, amount) => merchant.cashout({ currency: "BRL", amount, key: "12345678909" }),
  internal_transfer: (merchant, amount) => merchant.transfer({ username: "globex", currency: "BRL", amount }),
  conversion: (merchant, amount) =>
    merchant.convert({ amount: Number(amount), base_currency: "BRL", destination_currency: "USDT" }),
};
const names = Object.keys(operations);

/** A stage whose credential has small limits in BRL for one operation. */
async function limited(operation: string, limits: object, options: WorldOptions = {}): Promise<Stage> {
  const stage = await setStage(file, options);
  await setLimits(stage, [{ currency: "BRL", operation, ...limits }]);
  return stage;
}

function setLimits(stage: Stage, limits: readonly object[], clientId = stage.merchant.clientId): Promise<unknown> {
  return stage.world.call("PATCH", `/credentials/${clientId}`, { limits });
}

/** Tries amounts one after another. @returns true where one was accepted, else the error code. */
async function outcomes(merchant: SigningMerchant, operation: string, ...amounts: string[]): Promise<unknown[]> {
  const results = [];
  for (const amount of amounts) {
    const answer = (await operations[operation]?.(merchant, amount)) as Answer;
    results.push(answer.body.success || answer.body.error.code);
  }
  return results;
}

/** Goes to an instant, with a token that is good there. */
async function goTo({ world, merchant }: Stage, instant: string): Promise<void> {
  await world.advance(instant);
  await merchant.authenticate();
}

describe("GET /v2/account/limits", () => {
  const read = async (merchant: SigningMerchant) => (await merchant.call("GET", "/v2/account/limits")).body.data;

  test("LIM-01 LIM-02 LIM-03 it takes a token and nothing else; limits and the next midnight in UTC", async () => {
    await using stage = await setStage(file);
    const data = await read(stage.merchant);
    expect(Object.keys(data)).toEqual(["limits", "reset_at"]);
    expect(data.reset_at).toBe("2026-01-02T00:00:00.000Z");
    const anonymous = await stage.merchant.call("GET", "/v2/account/limits", undefined, { Authorization: undefined });
    expect(refusal(anonymous)).toEqual([401, "UNAUTHORIZED"]);
    await goTo(stage, "2026-01-31T23:59:59.999Z");
    expect((await read(stage.merchant)).reset_at).toBe("2026-02-01T00:00:00.000Z");
    await stage.world.advance("1ms");
    expect((await read(stage.merchant)).reset_at).toBe("2026-02-02T00:00:00.000Z");
  });

  test("LIM-04 D49 one entry per currency and operation, all four operations, conversions but of MXN", async () => {
    await using stage = await setStage(file);
    const entries: Record<string, string>[] = (await read(stage.merchant)).limits;
    const keys = entries.map(({ currency, operation }) => `${currency} ${operation}`);
    const expected = ["BRL", "MXN", "USDT", "USDC", "BTC", "ETH", "SOL", "BNB"]
      .flatMap((currency) => names.map((name) => `${currency} ${name}`))
      .filter((key) => key !== "MXN conversion");
    expect([...keys].sort()).toEqual(expected.sort());
  });

  test("LIM-05 LIM-06 LIM-07 LIM-08 every figure is a decimal string; some entries lack some, left out, not null", async () => {
    await using stage = await setStage(file);
    const entries: Record<string, unknown>[] = (await read(stage.merchant)).limits;
    const order = [
      "currency",
      "operation",
      "daily_limit",
      "daily_used",
      "daily_remaining",
      "monthly_limit",
      "monthly_used",
      "per_operation_min",
      "per_operation_max",
    ];
    for (const { currency, operation, ...figures } of entries) {
      for (const figure of Object.values(figures)) expect(figure).toMatch(/^\d+\.\d{2,8}$/);
      const shown = ["currency", "operation", ...Object.keys(figures)];
      expect(shown, `${currency} ${operation}`).toEqual(order.filter((name) => shown.includes(name)));
      expect(shown.includes("monthly_limit")).toBe(shown.includes("monthly_used"));
    }
    for (const name of ["daily_remaining", "monthly_limit"]) {
      const having = entries.filter((entry) => name in entry).length;
      expect([having > 0, having < entries.length], name).toEqual([true, true]);
    }
  });

  test.each(names)("LIM-05 LIM-07 D49 %s raises its own figures by its amount", async (operation) => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    expect(await outcomes(merchant, operation, "100.00", "23.45")).toEqual([true, true]);
    for (const name of names) {
      const entry = await merchant.limit("BRL", name);
      const used = name === operation ? "123.45" : "0.00";
      expect([entry.daily_used, entry.monthly_used, entry.daily_remaining], name).toEqual([
        used,
        name === "internal_transfer" ? undefined : used,
        name === "cashin" ? undefined : (1e7 - Number(used)).toFixed(2),
      ]);
    }
  });

  test.each(["expire", "cancel", "fail"])(
    "D49 a charge gives its limits back by %s, in the windows of the day it was made on",
    async (action) => {
      await using stage = await setStage(file, { clock: { start: "2026-01-31T23:59:00Z" } });
      const { merchant, world } = stage;
      const made = async (amount: string) => {
        const { body } = await merchant.cashin({ currency: "BRL", amount });
        return body.data.transaction_id as string;
      };
      const used = async () => {
        const { daily_used, monthly_used } = await merchant.limit("BRL", "cashin");
        return [daily_used, monthly_used];
      };
      const first = await made("100.00");
      const late = await made("30.00");
      const paid = await made("5.00");
      expect(await used()).toEqual(["135.00", "135.00"]);
      await world.act(first, action);
      expect(await used()).toEqual(["35.00", "35.00"]);
      await world.act(paid, "pay");
      expect(await used()).toEqual(["35.00", "35.00"]);
      await world.advance("2m");
      await made("7.00");
      await world.act(late, action);
      expect(await used()).toEqual(["7.00", "7.00"]);
    },
  );

  test("D49 what is given back was counted before, also where no limit of the month was set by then", async () => {
    const bounds = { daily_limit: "900.00", per_operation_min: "1.00", per_operation_max: "900.00" };
    const limits = [{ currency: "BRL", operation: "cashin", shows_daily_remaining: false, ...bounds }];
    await using stage = await setStage(file, { settings: { fixtures: { limits } } });
    const { merchant, world } = stage;
    const first = await merchant.cashin({ currency: "BRL", amount: "100.00" });
    await setLimits(stage, [{ currency: "BRL", operation: "cashin", monthly_limit: "500.00" }]);
    expect((await merchant.limit("BRL", "cashin")).monthly_used).toBe("100.00");
    expect(await outcomes(merchant, "cashin", "50.00")).toEqual([true]);
    await world.act(first.body.data.transaction_id, "fail");
    expect((await merchant.limit("BRL", "cashin")).monthly_used).toBe("50.00");
    expect(await outcomes(merchant, "cashin", "450.01", "450.00")).toEqual(["LIMIT_EXCEEDED", true]);
  });

  test("D49 the end of a deposit gives nothing back, as it had used nothing", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    await merchant.cashin({ currency: "USDT", chain: "tron", amount: "50" });
    const { body } = await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
    const { transaction_id: sent } = await deposit(world, body.data.wallet_id, { amount: "20" });
    await world.act(sent, "fail");
    expect((await merchant.limit("USDT", "cashin")).daily_used).toBe("50.000000");
  });

  test("D49 a conversion counts on the base currency only", async () => {
    await using stage = await setStage(file);
    await outcomes(stage.merchant, "conversion", "100.00");
    expect((await stage.merchant.limit("USDT", "conversion")).daily_used).toBe("0.000000");
  });

  test("LIM-08 D26 what is refused counts nothing", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    expect(await outcomes(merchant, "cashout", "20000.00", "0.50")).toEqual(["INSUFFICIENT_BALANCE", "LIMIT_EXCEEDED"]);
    expect((await merchant.limit("BRL", "cashout")).daily_used).toBe("0.00");
  });
});

test("LIM-08 D01 the bound that an amount is beyond is told with the full scale of its currency", async () => {
  await using stage = await limited("cashin", { per_operation_min: "2", per_operation_max: "80" });
  const told = async (amount: string) => (await stage.merchant.cashin({ currency: "BRL", amount })).body.error.message;
  expect([await told("1"), await told("81")]).toEqual([
    "The amount is below the minimum of 2.00 BRL.",
    "The amount is above the maximum of 80.00 BRL.",
  ]);
});

describe.each(names)("%s", (operation) => {
  test("LIM-08 D26 per_operation_min and per_operation_max are accepted, a cent outside is LIMIT_EXCEEDED", async () => {
    await using stage = await limited(operation, { per_operation_min: "10.00", per_operation_max: "20.00" });
    const tried = await outcomes(stage.merchant, operation, "9.99", "10.00", "20.00", "20.01");
    expect(tried).toEqual(["LIMIT_EXCEEDED", true, true, "LIMIT_EXCEEDED"]);
    expect((await stage.merchant.limit("BRL", operation)).daily_used).toBe("30.00");
  });

  test("CONV-23 CONST-10 LIM-03 D26 ERR-08 the daily limit, until midnight in UTC", async () => {
    await using stage = await limited(operation, { daily_limit: "100.00" });
    const { merchant } = stage;
    await goTo(stage, "2026-01-01T23:59:59.999Z");
    const tried = await outcomes(merchant, operation, "60.00", "40.01", "40.00", "1.00");
    expect(tried).toEqual([true, "LIMIT_EXCEEDED", true, "LIMIT_EXCEEDED"]);
    const before = await merchant.money("BRL");
    const refused = (await operations[operation]?.(merchant, "1.00")) as Answer;
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: "The amount is above what is left of the daily limit of 100.00 BRL: 0.00.",
      group: "BUSINESS",
      retryable: false,
    });
    expect(await merchant.money("BRL")).toEqual(before);
    expect((await merchant.limit("BRL", operation)).daily_used).toBe("100.00");
    await stage.world.advance("1ms");
    expect((await merchant.limit("BRL", operation)).daily_used).toBe("0.00");
    expect(await outcomes(merchant, operation, "100.00", "1.00")).toEqual([true, "LIMIT_EXCEEDED"]);
  });

  test("CONV-24 CONST-11 LIM-07 D26 the monthly limit, over several days, until the 1st in UTC", async () => {
    const limits = { daily_limit: "100.00", monthly_limit: "150.00" };
    await using stage = await limited(operation, limits, { scenarios: ["happy-path"] });
    const { merchant } = stage;
    expect(await outcomes(merchant, operation, "100.00")).toEqual([true]);
    await goTo(stage, "2026-01-02T00:00:00Z");
    expect(await outcomes(merchant, operation, "50.01", "50.00", "1.00")).toEqual([
      "LIMIT_EXCEEDED",
      true,
      "LIMIT_EXCEEDED",
    ]);
    await goTo(stage, "2026-01-31T23:59:59.999Z");
    expect(await outcomes(merchant, operation, "1.00")).toEqual(["LIMIT_EXCEEDED"]);
    const { daily_used, monthly_limit, monthly_used } = await merchant.limit("BRL", operation);
    expect([daily_used, monthly_limit, monthly_used]).toEqual(["0.00", "150.00", "150.00"]);
    await stage.world.advance("1ms");
    expect((await merchant.limit("BRL", operation)).monthly_used).toBe("0.00");
    expect(await outcomes(merchant, operation, "1.00")).toEqual([true]);
  });
});

describe("whose limits they are", () => {
  test("LIM-09 D46 each credential of an account has its own figures and bounds", async () => {
    await using stage = await limited("conversion", { daily_limit: "100.00" });
    const second = await SigningMerchant.second(stage.world);
    expect(await outcomes(stage.merchant, "conversion", "100.00", "1.00")).toEqual([true, "LIMIT_EXCEEDED"]);
    expect(await second.limit("BRL", "conversion")).toMatchObject({ daily_limit: "10000000.00", daily_used: "0.00" });
    expect(await outcomes(second, "conversion", "200.00")).toEqual([true]);
    expect(await second.money("BRL")).toEqual(await stage.merchant.money("BRL"));
    expect((await stage.merchant.limit("BRL", "conversion")).daily_used).toBe("100.00");
  });

  test("LIM-09 what is not named stays as it was", async () => {
    await using stage = await setStage(file);
    const before = await stage.merchant.limit("BRL", "cashout");
    await setLimits(stage, [{ currency: "BRL", operation: "cashout", per_operation_max: "500.00" }]);
    expect(await stage.merchant.limit("BRL", "cashout")).toEqual({ ...before, per_operation_max: "500.00" });
    expect(await outcomes(stage.merchant, "cashin", "600.00")).toEqual([true]);
  });

  test("LIM-09 D49 a limit of one currency is none of another's", async () => {
    await using stage = await limited("cashin", { per_operation_max: "50.00" });
    const before = await stage.merchant.limit("MXN", "cashin");
    expect(Number(before?.per_operation_max)).toBeGreaterThan(50);
    expect((await stage.merchant.cashin({ currency: "MXN", amount: "50.01" })).status).toBe(200);
    expect(await outcomes(stage.merchant, "cashin", "50.01")).toEqual(["LIMIT_EXCEEDED"]);
  });

  test("LIM-09 D07 replaced data are what is read and enforced", async () => {
    const limits = [
      {
        currency: "BRL",
        operation: "cashin",
        daily_limit: "30.00",
        shows_daily_remaining: true,
        per_operation_min: "5.00",
        per_operation_max: "25.00",
      },
    ];
    await using stage = await setStage(file, { settings: { fixtures: { limits } } });
    const tried = await outcomes(stage.merchant, "cashin", "4.99", "25.00", "5.01", "5.00");
    expect(tried).toEqual(["LIMIT_EXCEEDED", true, "LIMIT_EXCEEDED", true]);
    const { data } = (await stage.merchant.call("GET", "/v2/account/limits")).body;
    expect(data.limits).toEqual([
      {
        currency: "BRL",
        operation: "cashin",
        daily_limit: "30.00",
        daily_used: "30.00",
        daily_remaining: "0.00",
        per_operation_min: "5.00",
        per_operation_max: "25.00",
      },
    ]);
    // What the data does not name has no limits.
    expect(await outcomes(stage.merchant, "internal_transfer", "0.01", "9999.99")).toEqual([true, true]);
  });

  test("LIM-05 D26 a limit lowered below what is used leaves nothing, never less", async () => {
    await using stage = await setStage(file);
    await outcomes(stage.merchant, "cashout", "100.00");
    await setLimits(stage, [{ currency: "BRL", operation: "cashout", daily_limit: "50.00" }]);
    const { daily_used, daily_remaining } = await stage.merchant.limit("BRL", "cashout");
    expect([daily_used, daily_remaining]).toEqual(["100.00", "0.00"]);
    const refused = (await operations.cashout?.(stage.merchant, "10.00")) as Answer;
    expect(refused.body.error.message).toMatch(/ daily limit of 50\.00 BRL: 0\.00\.$/);
  });
});
