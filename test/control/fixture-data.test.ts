/** Data in place of `fixtures/`: what does not fit its form or the rest of the world makes no world. */
import { describe, expect, test } from "vitest";
import { incoherenceOf } from "../../src/world/fixture-coherence.ts";
import { type Fixtures, loadFixtures, readShipped } from "../../src/world/fixtures.ts";
import { expectRefusal, expectSuccess } from "../support/answers.ts";
import { control } from "../support/control.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { provision } from "../support/wallets.ts";

const file = useSandbox();

/** The shipped data, some of it changed. */
function changed(change: (data: Record<keyof Fixtures, never>) => unknown): Partial<Record<keyof Fixtures, unknown>> {
  return change(JSON.parse(JSON.stringify(loadFixtures()))) as object;
}

const fee = { currency: "BRL", operation: "cashin", percentage: "1", fixed: "0.00", minimum: "0.30" };
const limit = {
  currency: "BRL",
  operation: "cashin",
  daily_limit: "100.00",
  per_operation_min: "1.00",
  per_operation_max: "50.00",
};

/** TABLE: data, and the one sentence that its refusal is. */
const refusals: readonly (readonly [what: string, fixtures: object, sentence: string])[] = [
  [
    "a field left out",
    { terms: { wallets_per_credential: 3 } },
    "settings.fixtures.terms.conversion_spread_percentage is missing.",
  ],
  [
    "a field that there is not",
    { terms: { conversion_spread_percentage: "1", wallet_per_credential: 3, wallets_per_credential: 3 } },
    'unknown field "settings.fixtures.terms.wallet_per_credential"; did you mean "wallets_per_credential"?',
  ],
  [
    "a field of a row that there is not",
    { fees: [{ ...fee, network: "PIX" }] },
    'unknown field "settings.fixtures.fees.0.network"; known are currency, operation, percentage, fixed and minimum.',
  ],
  [
    "several faults, all of them",
    { terms: { conversion_spread_percentag: "1", wallets_per_credential: 3 }, rates: { BRL: "abc" } },
    [
      "settings.fixtures.terms.conversion_spread_percentage is missing",
      'unknown field "settings.fixtures.terms.conversion_spread_percentag"; did you mean "conversion_spread_percentage"?',
      "settings.fixtures.rates.BRL must be a decimal string of at most 64 characters, without a sign, such as 0.185.",
    ].join("; "),
  ],
  ["no data", { limit: [] }, 'settings.fixtures.limit: there is no such data; did you mean "limits"?'],
  ["a number", { rates: { BRL: 0.5 } }, 'settings.fixtures.rates.BRL must be a text; put it in quotes: "0.5".'],
  ["a word of another kind", { fees: {} }, "settings.fixtures.fees must be a list."],
  [
    "a fee of no currency",
    { fees: [{ ...fee, currency: "BLR" }] },
    'settings.fixtures.fees.0.currency cannot have the currency "BLR"; did you mean "BRL"?',
  ],
  [
    "a fee of internal transfers, which none is charged for (D38)",
    { fees: [{ ...fee, operation: "internal_transfer" }] },
    "settings.fixtures.fees.0.percentage must be zero: internal transfers have no fee.",
  ],
  [
    "two fees of one operation",
    { fees: [fee, { ...fee, percentage: "2" }] },
    "settings.fixtures.fees.1 is of BRL cashin, as fees.0 is; give each once.",
  ],
  [
    "a fee that would be shown as another",
    { fees: [{ ...fee, fixed: "0.005" }] },
    "settings.fixtures.fees.0.fixed must have at most 2 decimals.",
  ],
  [
    "a limit of no currency",
    { limits: [{ ...limit, currency: "USTD" }] },
    'settings.fixtures.limits.0.currency cannot have the currency "USTD"; did you mean "USDT"?',
  ],
  [
    "two limits of one operation",
    { limits: [limit, { ...limit, operation: "cashout" }, limit] },
    "settings.fixtures.limits.2 is of BRL cashin, as limits.0 is; give each once.",
  ],
  [
    "a limit that would be cut",
    { limits: [{ ...limit, daily_limit: "100.001" }] },
    "settings.fixtures.limits.0.daily_limit must have at most 2 decimals.",
  ],
  [
    "bounds that let nothing through",
    { limits: [{ ...limit, per_operation_min: "50.01" }] },
    "settings.fixtures.limits.0.per_operation_min must not be above per_operation_max, which is 50.00.",
  ],
  [
    "a rate of no currency",
    { rates: { BRLL: "0.2" } },
    'settings.fixtures.rates cannot have the currency "BRLL"; did you mean "BRL"?',
  ],
  [
    "a rate that PUT /rates would not take back",
    { rates: { BRL: "0.0000000000000001" } },
    "settings.fixtures.rates.BRL must be a decimal above zero, with at most 15 digits before the point and 15 after it.",
  ],
  [
    "an account twice",
    changed(({ accounts: { accounts, balances } }: Fixtures) => ({
      accounts: { accounts: [...accounts, accounts[0]], balances },
    })),
    "settings.fixtures.accounts.accounts.2 is of acme, as accounts.0 is; give each once.",
  ],
  [
    "an opening balance of no currency",
    changed(({ accounts: { accounts } }: Fixtures) => ({ accounts: { accounts, balances: { BLR: "1.00" } } })),
    'settings.fixtures.accounts.balances cannot have the currency "BLR"; did you mean "BRL"?',
  ],
  [
    "an opening balance that would be cut",
    changed(({ accounts: { accounts } }: Fixtures) => ({ accounts: { accounts, balances: { BRL: "1.001" } } })),
    "settings.fixtures.accounts.balances.BRL must have at most 2 decimals.",
  ],
  [
    "a currency on a chain that there is not",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: currencies.map((row) => (row.currency === "BTC" ? { ...row, chains: ["bitcoins"] } : row)),
    })),
    'settings.fixtures.currencies.4.chains cannot have the chain "bitcoins"; did you mean "bitcoin"?',
  ],
  [
    "a currency twice",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: [...currencies, currencies[0]],
    })),
    "settings.fixtures.currencies.9 is of BRL, as currencies.0 is; give each once.",
  ],
  [
    "chains without one that a currency is on",
    changed(({ chains }: { chains: Fixtures["chains"] }) => ({
      chains: chains.filter(({ chain }) => chain !== "tron"),
    })),
    "settings.fixtures.chains must have tron, which is a chain of USDT.",
  ],
  [
    "a fiat currency without a method",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: [{ ...currencies[0], method: null }],
    })),
    "settings.fixtures.currencies.0.method must be PIX or SPEI where the currency is fiat.",
  ],
  [
    "a currency by PIX with other decimals than its texts have",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: [{ ...currencies[0], scale: 3 }],
    })),
    "settings.fixtures.currencies.0.scale must be 2 where the method is PIX, whose texts have two decimals.",
  ],
  [
    "a crypto currency without a chain",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: [{ ...currencies[0], currency_type: "crypto" }],
    })),
    "settings.fixtures.currencies.0.chains must have a chain where the currency is crypto.",
  ],
  [
    "a chain of another form",
    changed(({ chains }: { chains: Fixtures["chains"] }) => ({ chains: [{ ...chains[0], chain: "Tron-2" }] })),
    "settings.fixtures.chains.0.chain must be a name of lower-case letters, such as tron.",
  ],
  [
    "a label of another form",
    changed(({ chains }: { chains: Fixtures["chains"] }) => ({ chains: [{ ...chains[0], network: "trc 20" }] })),
    "settings.fixtures.chains.0.network must be a label of capital letters and digits, such as TRC20.",
  ],
  [
    "a currency of another form",
    changed(({ currencies }: { currencies: Fixtures["currencies"] }) => ({
      currencies: [{ ...currencies[0], currency: "brl" }],
    })),
    "settings.fixtures.currencies.0.currency must be a code of three or four capital letters, such as BRL.",
  ],
  [
    "an account of another form",
    changed(({ accounts }: { accounts: Fixtures["accounts"] }) => ({
      accounts: { ...accounts, accounts: [{ ...accounts.accounts[0], username: "ACME" }] },
    })),
    "settings.fixtures.accounts.accounts.0.username must match [a-z0-9][a-z0-9._-]{0,62}.",
  ],
  [
    "a PIX bank of another form",
    changed(({ banks }: { banks: Fixtures["banks"] }) => ({
      banks: { ...banks, pix: { ...banks.pix, ispb: "1234" } },
    })),
    "settings.fixtures.banks.pix.ispb must be an ISPB of eight digits or capital letters.",
  ],
  [
    "a SPEI bank of another form",
    changed(({ banks }: { banks: Fixtures["banks"] }) => ({
      banks: { ...banks, spei: { ...banks.spei, bank: "64" } },
    })),
    "settings.fixtures.banks.spei.bank must be three digits, as in a CLABE.",
  ],
];

describe("D07 data in place of fixtures/ that makes no world is refused in one sentence with its place", () => {
  test.each(refusals)("%s", async (_what, fixtures, sentence) => {
    const root = { baseUrl: file.sandbox.baseUrl };
    const { status, body } = await control(root, "POST", "/worlds", { settings: { fixtures } });
    expect([status, body.error]).toEqual([422, { code: "INVALID_REQUEST", message: sentence, details: {} }]);
  });
});

test("D07 the shipped data holds together, also where any of it is named as a replacement of itself", () => {
  const shipped = readShipped();
  expect(incoherenceOf(shipped, Object.keys(shipped))).toBeNull();
});

test("D07 data of scenarios and of the call is put together, each kind by itself", async () => {
  const scenario = (name: string, fixtures: object) => ({ scenario: name, settings: { fixtures }, rules: [] });
  const spread = (percentage: string) => ({ conversion_spread_percentage: percentage, wallets_per_credential: 3 });
  const below = scenario("below", { fees: [{ ...fee, percentage: "10" }], terms: spread("1") });
  const world = await file.world({
    scenarios: [below, scenario("above", { terms: spread("2") })],
    settings: { fixtures: { rates: { BRL: "0.5" } } },
  });
  const { settings } = await world.info();
  const { fees } = below.settings.fixtures as { fees?: object };
  expect(settings.fixtures).toEqual({ fees, terms: spread("2"), rates: { BRL: "0.5" } });
});

test("D02 D07 fees and limits of a currency that the world's setting leaves out are no fault: they wait for it", async () => {
  const fixtures = {
    fees: [{ ...fee, currency: "POL" }],
    limits: [{ ...limit, currency: "POL" }],
    rates: { POL: "0.5" },
  };
  const world = await file.world({ settings: { fixtures } });
  expect((await control(world, "GET", "")).status).toBe(200);
});

test("D07 currencies alone make a world: the shipped balances in those that it does not have are none", async () => {
  const [brl] = loadFixtures().currencies;
  const world = await file.world({ settings: { fixtures: { currencies: [brl] } } });
  const { accounts } = await world.info();
  expect(accounts.map(({ balances }) => balances.map(({ currency }) => currency))).toEqual([["BRL"], ["BRL"]]);
  expect(accounts[0]?.balances[0]?.balance).toBe("10000.00");
});

describe("D07 D25 an operation that the data of a currency leaves out is refused in that currency", () => {
  /** TABLE: by operation, the call in BTC, and what it is refused with where it is left out. */
  const calls = {
    cashin: [(merchant) => merchant.cashin({ currency: "BTC", amount: "0.1" }), "INVALID_CURRENCY"],
    cashout: [(merchant) => merchant.cashout({ currency: "BTC", amount: "0.1", key: "x" }), "INVALID_CURRENCY"],
    wallet: [(merchant) => provision(merchant, { currency: "BTC", chain: "bitcoin" }), "UNSUPPORTED_CURRENCY"],
    conversion: [
      (merchant) => merchant.convert({ amount: 0.1, base_currency: "BTC", destination_currency: "BRL" }),
      "INVALID_CURRENCY",
    ],
  } as const satisfies Record<string, [(merchant: SigningMerchant) => Promise<Answer>, string]>;
  const operations = Object.keys(calls) as (keyof typeof calls)[];

  test.each(operations)("%s, and no other", async (left) => {
    const currencies = loadFixtures().currencies.map((row) =>
      row.currency === "BTC" ? { ...row, operations: row.operations.filter((operation) => operation !== left) } : row,
    );
    const world = await file.world({ settings: { fixtures: { currencies } } });
    const merchant = await SigningMerchant.ofAccount(world);
    for (const operation of operations) {
      const [call, code] = calls[operation];
      const answer = await call(merchant);
      if (operation === left) expectRefusal(answer, 422, code);
      else expect([operation, answer.body.error]).toEqual([operation, undefined]);
    }
  });
});

test("D49 without limits nothing is given back, however much it would come to", async () => {
  const world = await file.world({ settings: { protections: "off", fixtures: { limits: [] } } });
  const merchant = await Merchant.of(world);
  for (let count = 0; count < 93; count++) {
    const charge = expectSuccess(await merchant.cashin({ currency: "MXN", amount: "1000000000000000.00" }));
    await world.act(charge.transaction_id, "cancel");
  }
  expect(await world.transactions.list({ status: "canceled" })).toHaveLength(93);
});

test("D26 limits as wide as can be: what is used of them is counted as far as it can be held, and nothing told is lost", async () => {
  const huge = "9".repeat(30);
  const wide = { currency: "MXN", operation: "cashin", per_operation_min: "1.00" };
  const limits = [{ ...wide, daily_limit: huge, per_operation_max: huge }];
  const world = await file.world({ settings: { protections: "off", fixtures: { limits } } });
  const merchant = await Merchant.of(world);
  const charge = () =>
    merchant.call("POST", "/v2/transactions/cashin", { currency: "MXN", amount: "1000000000000000.00" });
  for (let count = 0; count < 92; count++) expectSuccess(await charge());
  const { status, body } = await charge();
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    "LIMIT_EXCEEDED",
    "What is used of the limits in MXN would come to more than can be held.",
  ]);
  await world.takeSnapshot();
  expect(await world.transactions.list()).toHaveLength(92);
});
