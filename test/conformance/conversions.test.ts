/** Conversions: spot rates, simulations, executions, the quotes between them, and reversals. */
import { describe, expect, test } from "vitest";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, setStage } from "../support/signing.ts";

const file = useSandbox();

const RATE = "/v2/conversions/rate";
const SIMULATE = "/v2/conversions/simulate";
const PAIR = { amount: 1000, base_currency: "BRL", destination_currency: "USDT" };

/** Amounts with all the decimals that a currency has, and its scale. */
const sides = {
  BRL: [123.45, 2],
  USDT: [123.456789, 6],
  USDC: [77.777777, 6],
  BTC: [0.01234567, 8],
  ETH: [0.12345678, 8],
  SOL: [1.23456789, 8],
  BNB: [0.12345678, 8],
} as const;
type Code = keyof typeof sides;
const codes = Object.keys(sides) as Code[];
const pairs = codes.flatMap((from) => codes.filter((to) => to !== from).map((to) => [from, to] as const));

const simulate = (merchant: SigningMerchant, body: object) => merchant.call("POST", SIMULATE, body);

/** The literal of a member in the text of an answer. */
function literalOf(text: string, name: string): string | undefined {
  return new RegExp(`"${name}":("[^"]*"|[^",}]+)`).exec(text)?.[1];
}

/** A decimal text as digits and scale. */
function decimal(text: string): { digits: bigint; scale: number } {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** A decimal text in minor units of a scale. */
function minor(text: string, scale: number): bigint {
  const { digits, scale: own } = decimal(text);
  return digits * 10n ** BigInt(scale - own);
}

/** amount × rate, cut to a scale, in its minor units. */
function product(amount: string, rate: string, scale: number): bigint {
  const [left, right] = [decimal(amount), decimal(rate)];
  return (left.digits * right.digits * 10n ** BigInt(scale)) / 10n ** BigInt(left.scale + right.scale);
}

describe.each([RATE, SIMULATE])("%s", (path) => {
  test("RATE-01 SIM-01 Bearer without signature suffices, nothing does not", async () => {
    await using stage = await setStage(file);
    expect((await stage.merchant.call("POST", path, PAIR)).status).toBe(200);
    const anonymous = await stage.merchant.call("POST", path, PAIR, { Authorization: undefined });
    expect(refusal(anonymous)).toEqual([401, "UNAUTHORIZED"]);
  });

  test.each(Object.keys(PAIR))(
    "RATE-02 RATE-03 RATE-04 SIM-02 without %s it is refused, and the field is named",
    async (field) => {
      await using stage = await setStage(file);
      const answer = await stage.merchant.call("POST", path, { ...PAIR, [field]: undefined });
      expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
      expect(answer.body.error.message).toContain(field);
    },
  );

  test("RATE-02 SIM-02 D01 D09 amount is a JSON number of the currency's scale above zero", async () => {
    await using stage = await setStage(file);
    for (const amount of ['"1000"', "0", "-1", "10.001", "1000.00000000000000001", "true", "null", "[1000]"]) {
      const body = `{"amount":${amount},"base_currency":"BRL","destination_currency":"USDT"}`;
      expect(refusal(await stage.merchant.call("POST", path, body)), amount).toEqual([400, "INVALID_REQUEST"]);
    }
  });

  test("D01 D15 D20 an amount that its currency cannot have is invalid, whatever the other currency is", async () => {
    await using stage = await setStage(file);
    for (const destination_currency of ["BRL", "MXN", "XYZ"]) {
      const answer = await stage.merchant.call("POST", path, { ...PAIR, amount: 10.001, destination_currency });
      expect(refusal(answer), destination_currency).toEqual([400, "INVALID_REQUEST"]);
    }
    const both = await stage.merchant.call("POST", path, { ...PAIR, amount: 10.001, destination_currency: "" });
    expect(both.body.error.message).toBe(
      "destination_currency must not be empty; amount must have at most 2 decimals.",
    );
  });

  test("D25 D41 CUR-02 MXN, an unknown code or twice the same is INVALID_CURRENCY", async () => {
    await using stage = await setStage(file);
    for (const [base_currency, destination_currency] of [
      ["MXN", "BRL"],
      ["BRL", "MXN"],
      ["XYZ", "BRL"],
      ["BRL", "POL"],
      ["BRL", "BRL"],
    ]) {
      const answer = await stage.merchant.call("POST", path, { amount: 100, base_currency, destination_currency });
      expect(refusal(answer), `${base_currency} to ${destination_currency}`).toEqual([422, "INVALID_CURRENCY"]);
    }
  });
});

describe("the spot rate", () => {
  test("RATE-05 RATE-06 RATE-08 D28 the answer, exactly and in order", async () => {
    await using stage = await setStage(file);
    await stage.world.advance("90s");
    const answer = await stage.merchant.call("POST", RATE, { ...PAIR, amount: 1000.5 });
    expect(answer.text).toBe(
      '{"success":true,"data":{"base_currency":"BRL","destination_currency":"USDT","amount":"1000.50","rate":"0.2",' +
        '"estimated_amount":"200.100000","timestamp":"2026-01-01T12:01:30.000Z"}}',
    );
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{24}$/);
  });

  test("RATE-07 it follows a change of the rates at once, without fees or spread", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.1847" } });
    const { data } = (await stage.merchant.call("POST", RATE, PAIR)).body;
    expect([data.rate, data.estimated_amount]).toEqual(["0.1847", "184.700000"]);
    const simulated = (await simulate(stage.merchant, PAIR)).body.data;
    expect(simulated.rate).toBe("0.1847");
    expect(Number(simulated.to_amount)).toBeLessThan(184.7);
  });

  test("RATE-07 a change of some rates leaves those that were changed before", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.1847" } });
    await stage.world.call("PUT", "/rates", { rates: { BTC: "120000" } });
    const of = async (base_currency: string) =>
      (await stage.merchant.call("POST", RATE, { ...PAIR, base_currency, amount: 1 })).body.data.rate;
    expect([await of("BRL"), await of("BTC")]).toEqual(["0.1847", "120000"]);
  });

  test.each([{}, { currencies: "extended" }])(
    "D02 D41 with %j the rates are those of its currencies alone",
    async (settings) => {
      await using stage = await setStage(file, { settings });
      const { rates } = await stage.world.call<{ rates: object }>("GET", "/rates");
      const further = "currencies" in settings ? ["MXN", "POL"] : ["MXN"];
      expect(Object.keys(rates).sort()).toEqual([...codes, ...further].sort());
    },
  );

  test("CONV-04 D40a rates have 12 significant digits at most, as plain decimals", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.1847", BTC: "97531.2468", USDT: "0.9998" } });
    const rateOf = async (base_currency: string, destination_currency: string) =>
      (await stage.merchant.call("POST", RATE, { amount: 1, base_currency, destination_currency })).body.data.rate;
    expect(await rateOf("BRL", "BTC")).toBe("0.0000018937520647");
    expect(await rateOf("BTC", "BRL")).toBe("528052.229561");
    expect(await rateOf("BRL", "USDT")).toBe("0.184736947389");
  });

  test("D02 D41 POL converts with currencies: extended", async () => {
    await using stage = await setStage(file, { settings: { currencies: "extended" } });
    const body = { amount: 100, base_currency: "BRL", destination_currency: "POL" };
    expect((await stage.merchant.call("POST", RATE, body)).body.data.rate).toBe("0.4");
    expect((await stage.merchant.convert(body)).status).toBe(200);
  });
});

describe("the simulation", () => {
  test("SIM-04 SIM-05 SIM-06 SIM-08 the answer, exactly and in order", async () => {
    await using stage = await setStage(file);
    const answer = await simulate(stage.merchant, PAIR);
    expect(answer.text).toContain(
      '{"success":true,"data":{"base_currency":"BRL","destination_currency":"USDT","from_amount":"1000.00",' +
        '"to_amount":"198.000000","rate":"0.2","spread":"1.000000","fee":"1.000000",' +
        '"expires_at":"2026-01-01T12:01:00.000Z"},"request_id":"req_',
    );
    expect(Object.keys(answer.body)).toEqual(["success", "data", "request_id", "timestamp"]);
  });

  test("SIM-03 nothing is executed", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    const look = async () => [
      await merchant.money("BRL"),
      await merchant.money("USDT"),
      await merchant.limit("BRL", "conversion"),
      (await merchant.call("POST", "/v2/account/transactions/list", {})).body.data,
      await stage.world.all("/conversions"),
    ];
    const before = await look();
    await simulate(merchant, PAIR);
    expect(await look()).toEqual(before);
    await stage.world.advance("idle");
    expect(stage.receiver.received).toEqual([]);
  });

  test("D03 fee and spread are rounded half-up, what is credited is cut", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { USDT: "5", BRL: "0.05" } });
    // 1.25 USDT are 125.00 BRL; half a percent is 0.625.
    const { data } = (
      await simulate(stage.merchant, { amount: 1.25, base_currency: "USDT", destination_currency: "BRL" })
    ).body;
    expect([data.spread, data.fee, data.to_amount]).toEqual(["0.63", "0.63", "123.74"]);
  });

  test("D40a an amount of which nothing would be left is refused", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "1000000" } });
    const body = { amount: 1, base_currency: "USDT", destination_currency: "BRL" };
    expect(refusal(await simulate(stage.merchant, body))).toEqual([400, "INVALID_REQUEST"]);
    expect(refusal(await stage.merchant.convert(body))).toEqual([400, "INVALID_REQUEST"]);
  });

  test("D20 D40a that is told also where there is no balance for it", async () => {
    await using stage = await setStage(file, { accounts: [{ username: "acme" }] });
    const body = { amount: 1, base_currency: "USDT", destination_currency: "BRL" };
    expect(refusal(await stage.merchant.convert(body))).toEqual([422, "INSUFFICIENT_BALANCE"]);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "1000000" } });
    expect(refusal(await stage.merchant.convert(body))).toEqual([400, "INVALID_REQUEST"]);
  });

  test("ERR-08 the most that can be held comes to as much, and no more is taken", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.0001" } });
    const of = (amount: string) =>
      stage.merchant.call(
        "POST",
        SIMULATE,
        `{"amount": ${amount}, "base_currency": "BRL", "destination_currency": "USDT"}`,
      );
    const { data } = (await of("1e15")).body;
    expect(data).toMatchObject({ from_amount: "1000000000000000.00", rate: "0.0001" });
    expect(refusal(await of("1.00000000000001e15"))).toEqual([409, "LIMIT_EXCEEDED"]);
  });
});

describe("the execution", () => {
  test("D03 D40a the fee is rounded once, as the spread is: of the same percentage they are the same", async () => {
    await using stage = await setStage(file);
    for (const amount of [1, 2.21, 150.37]) {
      const { data } = (await simulate(stage.merchant, { ...PAIR, amount })).body;
      expect([amount, data.fee]).toEqual([amount, data.spread]);
    }
  });

  test("CONV-18 CONV-19 CONV-20 CONV-06 STATE-16 the answer, exactly, in order, with JSON numbers", async () => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.convert({ ...PAIR, amount: 123.45 });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      /^\{"success":true,"data":\{"conversion_id":"[0-9a-f]{32}","amount_from":123.45,"currency_from":"BRL","amount_to":24.4431,"currency_to":"USDT","rate":0.2,"fee":0.12345,"completed_at":"2026-01-01T12:00:00.000Z"\},"request_id":"req_[0-9a-z]{24}","timestamp":"2026-01-01T12:00:00.000Z"\}$/,
    );
  });

  test("CONV-01 CONV-02 CONV-03 CONV-07 CONV-13 CONV-14 CONV-15 the balances have moved when it is answered", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const globex = await SigningMerchant.ofAccount(stage.world, "globex");
    const ids = [];
    for (let count = 0; count < 2; count++) ids.push((await merchant.convert(PAIR)).body.data.conversion_id);
    expect(new Set(ids).size).toBe(2);
    expect(await merchant.money("BRL")).toEqual(["8000.00", "0.00"]);
    expect(await merchant.money("USDT")).toEqual(["10396.000000", "0.000000"]);
    expect(await globex.money("BRL")).toEqual(["10000.00", "0.00"]);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("D29 CONV-19 numbers of more than 15 digits are exact literals, as in the event", async () => {
    await using stage = await setStage(file);
    await stage.world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1000000.00" });
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.1847", BTC: "0.0012345" } });
    const answer = await stage.merchant.convert({ ...PAIR, amount: 999999.99, destination_currency: "BTC" });
    const [webhook] = await stage.events("conversion.confirmed");
    const { amount_to, rate, fee } = webhook?.body.data ?? {};
    expect(amount_to.replace(".", "").length).toBeGreaterThan(15);
    expect(literalOf(answer.text, "amount_to")).toBe(amount_to);
    expect(literalOf(answer.text, "rate")).toBe(rate);
    expect(literalOf(answer.text, "fee")).toBe(fee.replace(/0+$/, ""));
    expect((await stage.merchant.money("BTC"))[0]).toBe(plus("1.00000000", amount_to, 8));
  });

  test("CONV-19 D40a a rate of a whole number keeps its zeros, in simulation, answer and event alike", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BTC: "120000", USDT: "1" } });
    const body = { amount: 0.01, base_currency: "BTC", destination_currency: "USDT" };
    const simulated = await simulate(stage.merchant, body);
    const answer = await stage.merchant.convert(body);
    const [webhook] = await stage.events("conversion.confirmed");
    expect([simulated.body.data.rate, webhook?.body.data.rate]).toEqual(["120000", "120000"]);
    expect(literalOf(answer.text, "rate")).toBe("120000");
  });

  test("CONV-19 D40a a very small rate is a plain decimal, in simulation, answer and event alike", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BRL: "0.01", BTC: "100000" } });
    const body = { amount: 10_000, base_currency: "BRL", destination_currency: "BTC" };
    const simulated = await simulate(stage.merchant, body);
    const answer = await stage.merchant.convert(body);
    const [webhook] = await stage.events("conversion.confirmed");
    expect([simulated.body.data.rate, webhook?.body.data.rate]).toEqual(["0.0000001", "0.0000001"]);
    expect(literalOf(answer.text, "rate")).toBe("0.0000001");
  });

  test("CONV-16 TX-03 external_id is optional, and carried by the event", async () => {
    await using stage = await setStage(file);
    await stage.merchant.convert(PAIR);
    await stage.merchant.convert({ ...PAIR, external_id: "fx-1" });
    const events = await stage.events("conversion.confirmed");
    expect(events.map(({ body }) => body.data.external_id)).toEqual([null, "fx-1"]);
  });

  test.each(Object.keys(PAIR))("CONV-13 CONV-14 CONV-15 without %s it is refused", async (field) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.convert({ ...PAIR, [field]: undefined });
    expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.message).toContain(field);
  });

  test("CONV-13 D09 a quoted amount is refused, one more digit than a number may have too", async () => {
    await using stage = await setStage(file);
    for (const amount of ['"1000"', "1000.00000000000000001", "10.001", "0", "-5"]) {
      const body = `{"amount":${amount},"base_currency":"BRL","destination_currency":"USDT"}`;
      expect(refusal(await stage.merchant.convert(body)), amount).toEqual([400, "INVALID_REQUEST"]);
    }
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
  });

  test.each([
    ["CONV-21", "BRL", "BRL"],
    ["CONV-22", "MXN", "USDT"],
    ["CONV-22", "USDT", "MXN"],
    ["CONV-22", "XYZ", "BRL"],
    ["CONV-22", "BRL", "XYZ"],
    ["CONV-22", "BRL", "POL"],
  ])("%s ERR-04 %s to %s is INVALID_CURRENCY", async (_clause, base_currency, destination_currency) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.convert({ amount: 100, base_currency, destination_currency });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: "INVALID_CURRENCY", group: "BUSINESS", retryable: false });
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
  });

  test("ERR-05 ENV-06 EVT-08 over the balance it is INSUFFICIENT_BALANCE, and no event comes", async () => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.convert({ ...PAIR, amount: 10000.01 });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: "INSUFFICIENT_BALANCE", group: "BUSINESS", retryable: false });
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    expect(await stage.merchant.money("USDT")).toEqual(["10000.000000", "0.000000"]);
    expect((await stage.merchant.convert({ ...PAIR, amount: 10000 })).status).toBe(200);
    expect(await stage.events("conversion.confirmed")).toHaveLength(1);
  });

  test("ERR-08 an amount that the sandbox could not hold is refused, and nothing moves", async () => {
    await using stage = await setStage(file);
    await stage.world.call("PUT", "/rates", { rates: { BTC: "0.000000000001" } });
    const answer = await stage.merchant.convert({ ...PAIR, amount: 9999, destination_currency: "BTC" });
    expect(refusal(answer)).toEqual([409, "LIMIT_EXCEEDED"]);
    expect(refusal(await simulate(stage.merchant, { ...PAIR, destination_currency: "BTC" }))[0]).toBe(409);
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
  });

  test.each([10_000_000_000_000, 99_999_999_999_999])(
    "D21 %d is refused before it is too much to keep",
    async (amount) => {
      await using stage = await setStage(file);
      const large = { amount, base_currency: "USDT", destination_currency: "BRL" };
      expect(refusal(await simulate(stage.merchant, large))).toEqual([409, "LIMIT_EXCEEDED"]);
      expect(refusal(await stage.merchant.convert(large))).toEqual([409, "LIMIT_EXCEEDED"]);
      expect((await stage.merchant.call("POST", "/v2/conversions/rate", large)).status).toBe(200);
    },
  );
});

describe("every pair", () => {
  test("D41 CUR-01 to CUR-08 D40a SIM-06 CONV-04 CONV-05 the figures agree to the last digit", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    await stage.world.call("PUT", "/rates", {
      rates: {
        BRL: "0.1847",
        USDT: "0.9998",
        USDC: "1.0001",
        BTC: "97531.2468",
        ETH: "3579.11",
        SOL: "187.3",
        BNB: "613.57",
      },
    });
    const rates = new Map<string, string>();
    for (const [from, to] of pairs) {
      const why = `${from} to ${to}`;
      const [amount, fromScale] = sides[from];
      const [, toScale] = sides[to];
      const body = { amount, base_currency: from, destination_currency: to };
      const spot = (await merchant.call("POST", RATE, body)).body.data;
      const simulated = (await simulate(merchant, body)).body.data;
      const before = [(await merchant.money(from))[0], (await merchant.money(to))[0]] as const;
      const executed = await merchant.convert(body);
      expect(executed.status, why).toBe(200);
      const after = [(await merchant.money(from))[0], (await merchant.money(to))[0]] as const;

      const significant = spot.rate.replace(".", "").replace(/^0+/, "");
      expect(spot.rate, why).toMatch(/^\d+(\.\d+)?$/);
      expect(significant.length, why).toBeLessThanOrEqual(12);
      rates.set(why, spot.rate);
      expect(simulated.rate, why).toBe(spot.rate);
      const estimate = product(simulated.from_amount, spot.rate, toScale);
      expect(minor(spot.estimated_amount, toScale), why).toBe(estimate);
      const charges = minor(simulated.spread, toScale) + minor(simulated.fee, toScale);
      expect(minor(simulated.to_amount, toScale), why).toBe(estimate - charges);

      const figure = (name: string) => literalOf(executed.text, name) ?? "";
      for (const name of ["amount_from", "amount_to", "rate", "fee"])
        expect(figure(name), why).toMatch(/^\d+(\.\d+)?$/);
      expect(figure("rate"), why).toBe(spot.rate);
      expect(minor(figure("fee"), toScale), why).toBe(minor(simulated.fee, toScale));
      expect(minor(figure("amount_to"), toScale), why).toBe(minor(simulated.to_amount, toScale));
      expect(minor(before[0], fromScale) - minor(after[0], fromScale), why).toBe(minor(String(amount), fromScale));
      expect(minor(after[1], toScale) - minor(before[1], toScale), why).toBe(minor(simulated.to_amount, toScale));
    }
    for (const [from, to] of pairs) {
      const inverse = Number(rates.get(`${from} to ${to}`)) * Number(rates.get(`${to} to ${from}`));
      expect(inverse, `${from} and ${to}`).toBeCloseTo(1, 9);
    }
    const events = await stage.events("conversion.confirmed");
    expect(events).toHaveLength(pairs.length);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });
});

describe("quotes", () => {
  const setRate = (stage: Awaited<ReturnType<typeof setStage>>, BRL: string) =>
    stage.world.call("PUT", "/rates", { rates: { BRL } });
  const rateOf = async (merchant: SigningMerchant, body: object = PAIR) => {
    const answer = await merchant.convert(body);
    return answer.body.data?.rate ?? answer.body.error.code;
  };

  test("D40 SIM-07 the latest simulation counts once, with it the earlier ones are done with", async () => {
    await using stage = await setStage(file);
    await simulate(stage.merchant, PAIR);
    await setRate(stage, "0.3");
    await simulate(stage.merchant, PAIR);
    await setRate(stage, "0.4");
    expect([await rateOf(stage.merchant), await rateOf(stage.merchant)]).toEqual([0.3, 0.4]);
  });

  test("D40 without a simulation of this pair and amount by this account it is the spot rate", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    await simulate(await SigningMerchant.ofAccount(world, "globex"), PAIR);
    await simulate(merchant, { ...PAIR, amount: 999 });
    await simulate(merchant, { ...PAIR, destination_currency: "USDC" });
    await setRate(stage, "0.4");
    expect(await rateOf(merchant)).toBe(0.4);
    expect(await rateOf(merchant, { ...PAIR, amount: 999 })).toBe(0.2);
    expect(await rateOf(merchant, { ...PAIR, destination_currency: "USDC" })).toBe(0.2);
  });

  test("D40 another credential of the account may use the quote", async () => {
    await using stage = await setStage(file);
    const second = await SigningMerchant.second(stage.world);
    await simulate(stage.merchant, PAIR);
    await setRate(stage, "0.4");
    expect(await rateOf(second)).toBe(0.2);
  });

  test("D40 D26a SIM-07 ERR-09 it is good for up to 60 s, then RATE_EXPIRED until simulated again", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    await simulate(merchant, PAIR);
    await setRate(stage, "0.3");
    await world.advance("59999ms");
    expect(await rateOf(merchant)).toBe(0.2);
    await simulate(merchant, PAIR);
    await world.advance("60s");
    const expired = await merchant.convert(PAIR);
    expect(expired.status).toBe(409);
    expect(expired.body.error).toMatchObject({ code: "RATE_EXPIRED", group: "BUSINESS", retryable: false });
    expect(expired.headers.get("x-sandbox-hint")).toBe(
      "The quote is that of the simulation of 2026-01-01T12:00:59.999Z, the last of this pair and amount; it ended at 2026-01-01T12:01:59.999Z.",
    );
    await world.advance("10m");
    expect(await rateOf(merchant)).toBe("RATE_EXPIRED");
    expect((await merchant.money("BRL"))[0]).toBe("9000.00");
    await simulate(merchant, PAIR);
    expect(await rateOf(merchant)).toBe(0.3);
  });

  test("D40 D26a an expired one is forgotten after 24 h", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    await simulate(merchant, PAIR);
    await setRate(stage, "0.3");
    await world.advance("60s");
    await world.advance("86399999ms");
    await merchant.authenticate();
    expect(await rateOf(merchant)).toBe("RATE_EXPIRED");
    await world.advance("1ms");
    expect(await rateOf(merchant)).toBe(0.3);
  });

  test("D40 a refused execution leaves the quote as it was", async () => {
    await using stage = await setStage(file);
    const much = { ...PAIR, amount: 20_000 };
    await simulate(stage.merchant, much);
    await setRate(stage, "0.3");
    expect(await rateOf(stage.merchant, much)).toBe("INSUFFICIENT_BALANCE");
    await stage.world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "20000.00" });
    expect(await rateOf(stage.merchant, much)).toBe(0.2);
  });

  test("D40 with quotes: ignore it is always the spot rate, with quote_ttl the life of a quote is another", async () => {
    await using ignoring = await setStage(file, { settings: { quotes: "ignore" } });
    await simulate(ignoring.merchant, PAIR);
    await setRate(ignoring, "0.3");
    expect(await rateOf(ignoring.merchant)).toBe(0.3);
    await ignoring.world.advance("61s");
    expect(await rateOf(ignoring.merchant)).toBe(0.3);

    await using short = await setStage(file, { settings: { quote_ttl: "5s" } });
    const quote = await simulate(short.merchant, PAIR);
    expect(quote.body.data.expires_at).toBe("2026-01-01T12:00:05.000Z");
    await short.world.advance("5s");
    expect(await rateOf(short.merchant)).toBe("RATE_EXPIRED");
  });
});

describe("events", () => {
  test("EVT-28 EVT-38 WH-12 D40b conversion.confirmed: its fields, exactly and in order, as in the answer", async () => {
    await using stage = await setStage(file);
    const { data } = (await stage.merchant.convert({ ...PAIR, external_id: "fx-1" })).body;
    const [webhook] = await stage.events("conversion.confirmed");
    expect(webhook?.body).toMatchObject({ event: "conversion.confirmed", transaction_id: data.conversion_id });
    expect(Object.entries(webhook?.body.data)).toEqual([
      ["conversion_id", data.conversion_id],
      ["external_id", "fx-1"],
      ["amount_from", "1000.00"],
      ["currency_from", "BRL"],
      ["amount_to", "198.000000"],
      ["currency_to", "USDT"],
      ["rate", "0.2"],
      ["fee", "1.000000"],
      ["status", "completed"],
      ["completed_at", data.completed_at],
    ]);
    expect([data.amount_from, data.amount_to, data.rate, data.fee]).toEqual([1000, 198, 0.2, 1]);
  });

  test("EVT-08 EVT-09 on their arrival both balances have moved", async () => {
    await using stage = await setStage(file);
    const seen: unknown[] = [];
    stage.receiver.answerWith(async (_request, response) => {
      seen.push([(await stage.merchant.money("BRL"))[0], (await stage.merchant.money("USDT"))[0]]);
      response.writeHead(200).end();
    });
    const { conversion_id } = (await stage.merchant.convert(PAIR)).body.data;
    await stage.world.settle();
    await stage.world.call("POST", `/conversions/${conversion_id}/refund`, {});
    expect(seen).toEqual([
      ["9000.00", "10198.000000"],
      ["10000.00", "10000.000000"],
    ]);
  });

  test("EVT-29 EVT-09 D40b conversion.refunded: its fields, exactly and in order", async () => {
    await using stage = await setStage(file);
    const { conversion_id: id } = (await stage.merchant.convert(PAIR)).body.data;
    await stage.world.advance("1h");
    await stage.world.call("POST", `/conversions/${id}/refund`, {});
    const [webhook] = await stage.events("conversion.refunded");
    const { data } = webhook?.body ?? {};
    expect(Object.entries(data)).toEqual([
      ["conversion_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["original_conversion_id", id],
      ["amount_reverted_from", "198.000000"],
      ["currency_reverted_from", "USDT"],
      ["amount_returned_to", "1000.00"],
      ["currency_returned_to", "BRL"],
      ["reason", "SUPPORT_MANUAL_REVERSAL"],
      ["refunded_at", "2026-01-01T13:00:00.000Z"],
    ]);
    expect(data.conversion_id).not.toBe(id);
    expect(webhook?.body.transaction_id).toBe(data.conversion_id);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });

  test("STATE-17 a refunded conversion is refunded, and not a second time; the reason may be given", async () => {
    await using stage = await setStage(file);
    const { conversion_id: id } = (await stage.merchant.convert(PAIR)).body.data;
    const status = async () => (await stage.world.call<{ status: string }>("GET", `/conversions/${id}`)).status;
    expect(await status()).toBe("completed");
    await stage.world.call("POST", `/conversions/${id}/refund`, { reason: "Wrong pair" });
    expect(await status()).toBe("refunded");
    const second = await control(stage.world, "POST", `/conversions/${id}/refund`, {});
    expect([second.status, second.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    const events = await stage.events("conversion.refunded");
    expect(events.map(({ body }) => body.data.reason)).toEqual(["Wrong pair"]);
  });

  test("D54a D52 a refund may take the balance below zero; every other debit is refused then", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const { conversion_id: id } = (await merchant.convert(PAIR)).body.data;
    await merchant.transfer({ username: "globex", currency: "USDT", amount: "10198" });
    await world.call("POST", `/conversions/${id}/refund`, {});
    expect(await merchant.money("USDT")).toEqual(["-198.000000", "0.000000"]);
    const back = { amount: 1, base_currency: "USDT", destination_currency: "BRL" };
    expect(refusal(await merchant.convert(back))).toEqual([422, "INSUFFICIENT_BALANCE"]);
    expect((await world.checkLedger()).ok).toBe(true);
  });
});

/** The sum of two decimal texts at a scale. */
function plus(left: string, right: string, scale: number): string {
  const digits = (minor(left, scale) + minor(right, scale)).toString().padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
