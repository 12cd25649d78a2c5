/** What the fuzzer found, each by the request that showed it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

const shipped = JSON.parse(readFileSync(new URL("../../fixtures/rates.json", import.meta.url), "utf8"));

/** Statuses and codes of the three calls that need a rate. */
async function convertedAt(merchant: SigningMerchant): Promise<unknown[]> {
  const pair = { amount: 100, base_currency: "USDT", destination_currency: "BRL" };
  const answers = [
    await merchant.call("POST", "/v2/conversions/rate", pair),
    await merchant.call("POST", "/v2/conversions/simulate", pair),
    await merchant.convert(pair),
  ];
  return answers.map(({ status, body }) => [status, body.error?.code]);
}

const RATE = "must be a decimal above zero, with at most 15 digits before the point and 15 after it";

// The numbers passed the check of texts by, and conversions were answered 500 from then on, or with money below zero.
test.each(["0", "-0", "0.00", "-1", "0e2", "1e309", "0.0000000000000000000000001", `1${"0".repeat(40)}`])(
  "PUT /rates takes no number that is no rate: %s",
  async (number) => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await SigningMerchant.ofAccount(world);
    const before = (await control(world, "GET", "/rates")).body;
    for (const rate of [number, `"${number}"`, "null"]) {
      const { status, body } = await control(world, "PUT", "/rates", `{"rates": {"BRL": ${rate}}}`);
      expect([status, body.error.message]).toEqual([400, `rates.BRL ${RATE}.`]);
    }
    expect((await control(world, "GET", "/rates")).body).toEqual(before);
    expect(await convertedAt(merchant)).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
    ]);
  },
);

test.each([
  ["1e2", "100"],
  ["1E-3", "0.001"],
])("PUT /rates takes the number %s for the decimal that it is, and no text that reads so", async (number, rate) => {
  const world = await file.world();
  const { status, body } = await control(world, "PUT", "/rates", `{"rates": {"BRL": ${number}}}`);
  expect([status, body.rates.BRL]).toEqual([200, rate]);
  const text = await control(world, "PUT", "/rates", `{"rates": {"BRL": "${number}"}}`);
  expect([text.status, text.body.error.message]).toEqual([400, `rates.BRL ${RATE}.`]);
});

test("PUT /rates takes a number as it was written", async () => {
  const world = await file.world();
  const { status, body } = await control(world, "PUT", "/rates", '{"rates": {"BRL": 0.250}}');
  expect([status, body.rates.BRL]).toEqual([200, "0.250"]);
});

// Conversions were answered 500: the data of a world may leave a currency without a rate, or give it one of zero.
test.each([
  ["zero", { ...shipped, BRL: "0.00" }],
  ["none", { ...shipped, BRL: undefined }],
])("D40a a currency whose rate is %s is not converted, and can be once it has one", async (_what, rates) => {
  const world = await file.world({ settings: { protections: "off", fixtures: { rates } } });
  const merchant = await SigningMerchant.ofAccount(world);
  const refused = [422, "INVALID_CURRENCY"];
  expect(await convertedAt(merchant)).toEqual([refused, refused, refused]);
  await control(world, "PUT", "/rates", { rates: { BRL: "0.2" } });
  expect(await convertedAt(merchant)).toEqual([
    [200, undefined],
    [200, undefined],
    [200, undefined],
  ]);
});

const { pix, spei } = JSON.parse(readFileSync(new URL("../../fixtures/banks.json", import.meta.url), "utf8"));
const currencies = JSON.parse(readFileSync(new URL("../../fixtures/currencies.json", import.meta.url), "utf8"));
const withScale = (scale: number) =>
  currencies.map((row: { currency: string }) => (row.currency === "BRL" ? { ...row, scale } : row));

// Charges in reais were answered 500.
test.each([
  ["banks.pix.location", { banks: { pix: { ...pix, location: "BRL" }, spei } }],
  ["banks.pix.location", { banks: { pix: { ...pix, location: `pix.example.com/${"x".repeat(60)}` }, spei } }],
  ["banks.pix.merchant_name", { banks: { pix: { ...pix, merchant_name: "" }, spei } }],
  ["banks.pix.merchant_city", { banks: { pix: { ...pix, merchant_city: "\u6771\u4eac" }, spei } }],
  ["currencies.0.scale", { currencies: withScale(4) }],
])("D31 data that no PIX text can be made of is refused with its place: %s", async (place, fixtures) => {
  const body = { id: "odd", settings: { fixtures } };
  const { status, body: answer } = await control({ baseUrl: file.sandbox.baseUrl }, "POST", "/worlds", body);
  expect(status).toBe(422);
  expect(answer.error.message).toMatch(place.split(".").slice(1).join("."));
});

test("D27 what would be later than the last instant is told as the last instant", async () => {
  const world = await file.world({ clock: { start: "9999-12-31T23:59:59Z" } });
  const merchant = await SigningMerchant.ofAccount(world);
  const { body } = await merchant.call("GET", "/v2/account/limits");
  expect(body.data.reset_at).toBe("9999-12-31T23:59:59.999Z");
  const charge = await merchant.call("POST", "/v2/transactions/cashin", { currency: "BRL", amount: 10 });
  expect(charge.body.data.expires_at).toBe("9999-12-31T23:59:59.999Z");
});

// Each call left a listener behind for as long as the process ran.
test("HEAD of the journal's stream answers at once", async () => {
  const world = await file.world();
  const answer = await fetch(`${world.baseUrl}/_sandbox/journal/stream`, { method: "HEAD" });
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    200,
    "text/event-stream",
    "",
  ]);
});

// They were shown as they came, in an answer whose description knows no such values.
test.each([
  ["at", "+275760-09-13T00:00:00.000Z", "journal.0.at must be like 2026-01-01T12:00:00.000Z."],
  ["at", "", "journal.0.at must be like 2026-01-01T12:00:00.000Z."],
  ["sequence", -1, "journal.0.sequence"],
])("a bundle whose journal has an entry that no world has is damaged: %s %j", async (field, value, told) => {
  const bundle = await (await file.world()).export();
  const [entry, ...entries] = bundle.journal;
  const replay = { ...bundle, journal: [{ ...entry, [field]: value }, ...entries] };
  const { status, body } = await control({ baseUrl: file.sandbox.baseUrl }, "POST", "/worlds", { replay });
  expect([status, body.error.message]).toEqual([422, expect.stringContaining(`This bundle is damaged: ${told}`)]);
});

// It was told that it must be one of nothing.
test.each([
  ["", "must be an object"],
  [null, "must be an object"],
  [{ text: 5 }, "is none that can be taken"],
])("a bundle with a call whose body is no bytes is damaged: %j", async (body, words) => {
  const world = await file.world();
  await SigningMerchant.ofAccount(world);
  const bundle = (await world.export()) as { inputs: { kind: string }[] };
  const inputs = bundle.inputs.map((input) => (input.kind === "request" ? { ...input, body } : input));
  const replay = { ...bundle, inputs };
  const refused = await control({ baseUrl: file.sandbox.baseUrl }, "POST", "/worlds", { replay });
  expect([refused.status, refused.body.error.message]).toEqual([
    422,
    `This bundle is damaged: inputs.0.body ${words}.`,
  ]);
});
