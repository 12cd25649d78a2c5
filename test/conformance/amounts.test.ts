/** Amounts: how they come in, how they are shown, what is charged on them, and their limits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { EXTENDED } from "./unprotected.ts";

const file = useSandbox();

const PLACE: Readonly<Record<string, string>> = { USDT: "tron", USDC: "base", ETH: "ethereum" };

/** D01, and the shipped limits and fees of a cash-in: one per cent, at least the minimum. */
const currencies = [
  { currency: "BRL", scale: 2, min: "1.00", max: "1000000.00", minimumFee: "0.30" },
  { currency: "MXN", scale: 2, min: "1.00", max: "1000000.00", minimumFee: "5.00" },
  { currency: "USDT", scale: 6, min: "1.000000", max: "1000000.000000", minimumFee: "0.500000" },
  { currency: "USDC", scale: 6, min: "1.000000", max: "1000000.000000", minimumFee: "0.500000" },
  { currency: "BTC", scale: 8, min: "0.00010000", max: "100.00000000", minimumFee: "0.00002000" },
  { currency: "ETH", scale: 8, min: "0.00100000", max: "1000.00000000", minimumFee: "0.00050000" },
  { currency: "SOL", scale: 8, min: "0.01000000", max: "10000.00000000", minimumFee: "0.00500000" },
  { currency: "BNB", scale: 8, min: "0.00100000", max: "1000.00000000", minimumFee: "0.00100000" },
  { currency: "POL", scale: 8, min: "1.00000000", max: "1000000.00000000", minimumFee: "0.25000000" },
];

const minor = (text: string) => BigInt(text.replace(".", ""));

function decimal(amount: bigint, scale: number): string {
  const digits = amount.toString().padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A charge whose amount is written into the body as it stands. */
function chargeOf(merchant: Merchant, currency: string, amount: string): Promise<Answer> {
  const chain = PLACE[currency] ? `,"chain":"${PLACE[currency]}"` : "";
  return merchant.call("POST", "/v2/transactions/cashin", `{"currency":"${currency}","amount":${amount}${chain}}`);
}

/** TABLE: everything that takes an amount, in BRL, with the amount written into the body as it stands. */
const takers: Readonly<Record<string, (merchant: SigningMerchant, amount: string) => Promise<Answer>>> = {
  "a cash-in": (merchant, amount) => chargeOf(merchant, "BRL", amount),
  "a cash-out": (merchant, amount) => merchant.cashout(`{"currency":"BRL","key":"12345678909","amount":${amount}}`),
  "a transfer": (merchant, amount) => merchant.transfer(`{"currency":"BRL","username":"globex","amount":${amount}}`),
  "a split": (merchant, amount) => {
    const split = `[{"username":"globex","type":"fixed","amount":${amount}}]`;
    return merchant.call("POST", "/v2/transactions/cashin", `{"currency":"BRL","amount":1000,"split":${split}}`);
  },
  "a rate": (merchant, amount) => merchant.call("POST", "/v2/conversions/rate", pairOf(amount)),
  "a simulation": (merchant, amount) => merchant.call("POST", "/v2/conversions/simulate", pairOf(amount)),
  "a conversion": (merchant, amount) => merchant.convert(pairOf(amount)),
};

function pairOf(amount: string): string {
  return `{"base_currency":"BRL","destination_currency":"USDT","amount":${amount}}`;
}

/** The limit of cash-ins in BRL alone. */
const limited = (limit: object) => ({
  settings: {
    protections: "off",
    fixtures: {
      limits: [
        {
          currency: "BRL",
          operation: "cashin",
          daily_limit: "1000.00",
          per_operation_min: "1.00",
          per_operation_max: "600.00",
          ...limit,
        },
      ],
    },
  },
});

describe.each(Object.entries(takers))("%s", (what, call) => {
  const takesTexts = !["a rate", "a simulation", "a conversion"].includes(what);

  test("D01 D09 D20 what is no amount is INVALID_REQUEST by the name of its field, and leaves everything alone", async () => {
    const world = await file.world(EXTENDED);
    const merchant = await SigningMerchant.ofAccount(world);
    const before = await stateOf(world);
    const bad = ["0", "-1", "0.00", "1.001", "1.000", "100.00000000000000001", "1234567890123456", "1e-3"];
    const none = ['"0"', '"-1"', '"1.000"', '"1e2"', '"ten"', '"1,50"', '" 1"', '""', "null", "true", "[1]", "{}"];
    for (const amount of [...bad, ...none, ...(takesTexts ? [] : ['"100"'])]) {
      expectRefusal(await call(merchant, amount), 400, "INVALID_REQUEST", "amount");
    }
    expect(await stateOf(world)).toEqual(before);
  });

  test("D09 the same number comes to the same, however it is written, as a text too where it may be one", async () => {
    const world = await file.world(EXTENDED);
    const merchant = await SigningMerchant.ofAccount(world);
    const texts = takesTexts ? ['"100.5"', '"100.50"', '"0100.5"'] : [];
    for (const amount of ["100.5", "100.50", "1.005e2", ...texts]) {
      const { body } = await call(merchant, amount);
      expect([amount, body.error]).toEqual([amount, undefined]);
      const { amount: shown, from_amount, amount_from } = body.data;
      expect([amount, Number(from_amount ?? amount_from ?? shown)]).toEqual([
        amount,
        what === "a split" ? 1000 : 100.5,
      ]);
    }
  });
});

describe("D01 D09 what is an amount", () => {
  test.each([
    ["BRL", "150", "150.00"],
    ["BRL", "150.5", "150.50"],
    ["BRL", "150.50", "150.50"],
    ["BRL", '"150"', "150.00"],
    ["BRL", '"150.5"', "150.50"],
    ["BRL", '"150.50"', "150.50"],
    ["BRL", "1e2", "100.00"],
    ["BRL", "1.5E+2", "150.00"],
    ["BRL", "12345e-2", "123.45"],
    ["BRL", "0.1e2", "10.00"],
    // Zeros in front are no significant digits.
    ["BRL", "0.000000000000000015e18", "15.00"],
    ["BRL", "999999.99", "999999.99"],
    ["USDT", "1.000001", "1.000001"],
    ["BTC", "0.0015", "0.00150000"],
    ["BTC", '"0.00150000"', "0.00150000"],
    ["BTC", "0.29", "0.29000000"],
    ["BTC", "1.1", "1.10000000"],
    ["ETH", '"999.99999999"', "999.99999999"],
    ["SOL", '"9999.99999999"', "9999.99999999"],
  ])("TX-08 %s %s is shown as %s", async (currency, amount, shown) => {
    const data = expectSuccess(await chargeOf(await Merchant.of(await file.world()), currency, amount));
    expect(data.amount).toBe(shown);
  });

  test("D09 a number and a string of the same amount give equal charges", async () => {
    const merchant = await Merchant.of(await file.world());
    const [number, text] = [
      expectSuccess(await chargeOf(merchant, "BRL", "100.5")),
      expectSuccess(await chargeOf(merchant, "BRL", '"100.50"')),
    ];
    const { amount, fee, amount_net } = number;
    expect(text).toMatchObject({ amount, fee, amount_net });
  });

  const bad = [
    ...["0", "-0", "0.00", "0e5", "-1", "-0.01", "-150.00", "-1e2"],
    ...["0.125", "150.000", "1e-3", "1.000", "0.001", "1500e-3"],
    ...["1e999", "1e400", "1E+309", "-1e999", "1e-999", "1e99999999999999999999"],
    ...["100.00000000000000001", "1234567890123456", "9007199254740993", "0.1234567890123456"],
    ...['"0"', '"0.00"', '"-1"', '"-150.00"', '"0.125"', '"150.000"', '"1e2"', '"1E2"', '"+1"', '"1_000"'],
    ...['"NaN"', '"nan"', '"Infinity"', '"-Infinity"', '"null"', '"true"', '"0x10"', '"0b1"', '"1n"', '"abc"'],
    ...['""', '" "', '" 10"', '"10 "', '"10\\n"', '"1 000"', '"1,000.00"', '"150,00"', '"."', '"10."', '".5"', '"-"'],
    ...['"١٥٠"', '"１５０"', '"150€"', '"R$ 150"', '"1.2.3"', '"10\\u0000"', '"−10"', `"${"9".repeat(70)}"`],
    ...["true", "false", "[]", "[150]", "{}", '{"value":150}', "null"],
  ];
  test("D01 D20 what is none is INVALID_REQUEST, never rounded, and leaves everything alone", async () => {
    const world = await file.world(EXTENDED);
    const merchant = await Merchant.of(world);
    const before = await stateOf(world);
    for (const amount of bad) {
      const answer = await chargeOf(merchant, "BRL", amount);
      expect([amount, answer.status]).toEqual([amount, 400]);
      expectRefusal(answer, 400, "INVALID_REQUEST", "amount");
    }
    expectRefusal(await merchant.cashin({ currency: "BRL" }), 400, "INVALID_REQUEST", "amount is missing");
    expect(await stateOf(world)).toEqual(before);
  });

  test("D01 what is no number of JSON is no JSON", async () => {
    const world = await file.world(EXTENDED);
    const merchant = await Merchant.of(world);
    for (const amount of [
      "NaN",
      "Infinity",
      "-Infinity",
      "+1",
      "01",
      ".5",
      "1.",
      "0x10",
      "1_0",
      "undefined",
      "'1'",
      "",
    ]) {
      expectRefusal(await chargeOf(merchant, "BRL", amount), 400, "INVALID_REQUEST");
    }
    expect((await stateOf(world)).transactions).toEqual([]);
  });

  test.each(currencies)("D01 $currency takes $scale decimals and no more", async ({ currency, scale, min }) => {
    const merchant = await Merchant.of(await file.world(EXTENDED));
    const full = `2.${"0".repeat(scale - 1)}1`;
    for (const amount of [full, `"${full}"`]) {
      expect(expectSuccess(await chargeOf(merchant, currency, amount)).amount).toBe(full);
      const longer = amount.endsWith('"') ? `"${full}0"` : `${full}0`;
      expectRefusal(await chargeOf(merchant, currency, longer), 400, "INVALID_REQUEST", "amount");
    }
    expect(min.split(".")[1]).toHaveLength(scale);
  });
});

describe("fees", () => {
  test.each([
    ["100.00", "1.00", "99.00"],
    ["30.00", "0.30", "29.70"],
    ["29.99", "0.30", "29.69"],
    ["1.00", "0.30", "0.70"],
    ["100.49", "1.00", "99.49"],
    ["100.50", "1.01", "99.49"],
    ["999999.99", "10000.00", "989999.99"],
  ])("D03 D07 TX-09 TX-10 BRL %s: fee %s half-up, net %s", async (amount, fee, amount_net) => {
    const data = expectSuccess(await chargeOf(await Merchant.of(await file.world()), "BRL", amount));
    expect(data).toMatchObject({ amount, fee, amount_net });
  });

  test("D07 a fee above the amount takes all of it, and no more", async () => {
    const fees = [{ currency: "BRL", operation: "cashin", percentage: "0", fixed: "50.00", minimum: "75.00" }];
    const world = await file.world({ settings: { fixtures: { fees } } });
    const merchant = await Merchant.of(world);
    const data = expectSuccess(await chargeOf(merchant, "BRL", "20"));
    expect(data).toMatchObject({ amount: "20.00", fee: "20.00", amount_net: "0.00" });
    await world.act(data.transaction_id, "pay");
    expect(await merchant.balance("BRL")).toMatchObject({ balance: "10000.00" });
    expect((await world.checkLedger()).ok).toBe(true);
    expect(expectSuccess(await chargeOf(merchant, "BRL", "100"))).toMatchObject({ fee: "75.00", amount_net: "25.00" });
  });

  test("D01 D46 fees are shown with the full scale of their currency", async () => {
    const row = { operation: "cashin", percentage: "1", minimum: "0" };
    const fees = ["BRL", "USDT"].map((currency) => ({ ...row, currency, fixed: "0.3" }));
    const merchant = await Merchant.of(await file.world({ settings: { fixtures: { fees } } }));
    const shown: Record<string, string>[] = expectSuccess(await merchant.call("GET", "/v2/account/fees")).fees;
    expect(shown.map(({ fixed, minimum }) => [fixed, minimum])).toEqual([
      ["0.30", "0.00"],
      ["0.300000", "0.000000"],
    ]);
  });

  test.each(["fixed", "minimum", "percentage"])(
    "D07 a fee whose %s is too long to reckon with makes no world",
    async (field) => {
      const row = {
        currency: "BRL",
        operation: "cashin",
        percentage: "1",
        fixed: "0",
        minimum: "0",
        [field]: `0.${"0".repeat(70)}1`,
      };
      await expect(file.world({ settings: { fixtures: { fees: [row] } } })).rejects.toThrow(
        `settings.fixtures.fees.0.${field} must be a decimal string of`,
      );
    },
  );

  test("D07 without a row for the currency there is no fee", async () => {
    const merchant = await Merchant.of(await file.world({ settings: { fixtures: { fees: [] } } }));
    const data = expectSuccess(await chargeOf(merchant, "BTC", "0.5"));
    expect(data).toMatchObject({ fee: "0.00000000", amount_net: "0.50000000" });
  });

  test("D01 D03 D07 TX-09 TX-10 any amount of any currency is shown exactly, its fee is the formula's", async () => {
    const merchant = await Merchant.of(await file.world(EXTENDED));
    const anyAmount = fc.constantFrom(...currencies).chain((row) =>
      fc.record({
        row: fc.constant(row),
        // A quarter of what is allowed: many runs stay below the limit of a day.
        amount: fc.bigInt({ min: minor(row.min), max: minor(row.max) / 4n }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyAmount, async ({ row, amount }) => {
        const text = decimal(amount, row.scale);
        const data = expectSuccess(await chargeOf(merchant, row.currency, `"${text}"`));
        const proportional = (amount + 50n) / 100n;
        const fee = proportional > minor(row.minimumFee) ? proportional : minor(row.minimumFee);
        expect([data.amount, data.fee]).toEqual([text, decimal(fee < amount ? fee : amount, row.scale)]);
        expect(minor(data.fee) + minor(data.amount_net)).toBe(amount);
      }),
      { numRuns: 150 },
    );
  });
});

describe("LIM-08 D26 limits", () => {
  test.each(currencies)("$currency: $min and $max are taken, a minor unit beyond is not", async (row) => {
    const world = await file.world(EXTENDED);
    const merchant = await Merchant.of(world);
    const send = (amount: bigint) => chargeOf(merchant, row.currency, `"${decimal(amount, row.scale)}"`);
    expect(expectSuccess(await send(minor(row.min))).amount).toBe(row.min);
    expect(expectSuccess(await send(minor(row.max))).amount).toBe(row.max);
    const before = await stateOf(world);
    expectRefusal(await send(minor(row.min) - 1n), 409, "LIMIT_EXCEEDED");
    expectRefusal(await send(minor(row.max) + 1n), 409, "LIMIT_EXCEEDED");
    expect(await stateOf(world)).toEqual(before);
  });

  test.each(['"99999999999999999999999999"', "1e15", "1e20", "1e60", `"${"9".repeat(60)}.99"`])(
    "an absurd amount of %s is over the maximum",
    async (amount) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      expectRefusal(await chargeOf(merchant, "BRL", amount), 409, "LIMIT_EXCEEDED");
      expect((await stateOf(world)).transactions).toEqual([]);
    },
  );

  test.each([
    ["without any limits", []],
    [
      "with limits without end",
      limited({ daily_limit: "9".repeat(50), per_operation_max: "9".repeat(50) }).settings.fixtures.limits,
    ],
  ])("%s the ledger and the PIX text still have theirs", async (_, limits) => {
    const world = await file.world({ settings: { protections: "off", fixtures: { limits } } });
    const merchant = await Merchant.of(world);
    expect(expectSuccess(await chargeOf(merchant, "BRL", '"9999999999.99"')).amount).toBe("9999999999.99");
    const before = await stateOf(world);
    for (const amount of ['"10000000000.00"', '"99999999999999999.99"', `"${"9".repeat(40)}"`]) {
      expectRefusal(await chargeOf(merchant, "BRL", amount), 409, "LIMIT_EXCEEDED");
    }
    expectRefusal(await chargeOf(merchant, "BTC", `"${"9".repeat(20)}"`), 409, "LIMIT_EXCEEDED");
    expect(await stateOf(world)).toEqual(before);
  });

  test("CONST-10 the daily limit is used up to the last cent, and is there again at 00:00 UTC", async () => {
    const world = await file.world({
      ...limited({}),
      clock: { start: "2026-03-10T23:00:00.000Z" },
      scenarios: ["happy-path"],
    });
    const merchant = await Merchant.of(world);
    const send = (amount: string) => chargeOf(merchant, "BRL", amount);
    expectSuccess(await send("600"));
    expectRefusal(await send("400.01"), 409, "LIMIT_EXCEEDED");
    expectSuccess(await send("400"));
    expectRefusal(await send("1"), 409, "LIMIT_EXCEEDED");
    await world.advance({ to: "2026-03-10T23:59:59.999Z" });
    expectRefusal(await send("1"), 409, "LIMIT_EXCEEDED");
    await world.advance("1ms");
    await merchant.authenticate();
    expectSuccess(await send("600"));
    expectSuccess(await send("400"));
    expectRefusal(await send("1"), 409, "LIMIT_EXCEEDED");
  });

  test("CONST-11 the monthly limit goes on over midnight, and is there again on the 1st, UTC", async () => {
    const world = await file.world({
      ...limited({ monthly_limit: "1500.00" }),
      clock: { start: "2026-02-27T12:00:00.000Z" },
      scenarios: ["happy-path"],
    });
    const merchant = await Merchant.of(world);
    const days: [string, string[], number][] = [
      ["2026-02-27T12:00:00.000Z", ["600", "400"], 200],
      ["2026-02-28T00:00:00.000Z", ["500"], 200],
      ["2026-02-28T00:00:00.000Z", ["1"], 409],
      ["2026-02-28T23:59:59.999Z", ["1"], 409],
      ["2026-03-01T00:00:00.000Z", ["600", "400"], 200],
    ];
    for (const [to, amounts, status] of days) {
      await world.advance({ to });
      await merchant.authenticate();
      for (const amount of amounts) expect((await chargeOf(merchant, "BRL", amount)).status).toBe(status);
    }
  });

  test("D26 what was refused uses up nothing", async () => {
    const merchant = await Merchant.of(await file.world(limited({})));
    for (const amount of ["600.01", "0.99", "0.125"]) await chargeOf(merchant, "BRL", amount);
    const postback_url = "ftp://nowhere";
    await merchant.cashin({ currency: "BRL", amount: 500, postback_url });
    expectSuccess(await chargeOf(merchant, "BRL", "600"));
    expectSuccess(await chargeOf(merchant, "BRL", "400"));
  });

  test("LIM-09 D46 the limits are the credential's, not the account's", async () => {
    const world = await file.world(limited({}));
    const first = await Merchant.of(world);
    const second = await secondCredential(world);
    for (const merchant of [first, second]) {
      expectSuccess(await chargeOf(merchant, "BRL", "600"));
      expectSuccess(await chargeOf(merchant, "BRL", "400"));
      expectRefusal(await chargeOf(merchant, "BRL", "1"), 409, "LIMIT_EXCEEDED");
    }
  });
});

async function secondCredential(world: WorldClient): Promise<Merchant> {
  const made = await world.call<{ client_id: string; client_secret: string }>("POST", "/accounts/acme/credentials", {});
  const merchant = new Merchant(world, { clientId: made.client_id, clientSecret: made.client_secret });
  await merchant.authenticate();
  return merchant;
}
