/** D20: of a request in which several fields are at fault every one is named, whatever it is that is wrong with them. */
import { expect, test } from "vitest";
import { expectRefusal, stateOf } from "../support/answers.ts";
import { reply } from "../support/disputes.ts";
import { useSandbox } from "../support/sandbox.ts";
import { setStage } from "../support/signing.ts";

const file = useSandbox();

const cashin = "/v2/transactions/cashin";
const cashout = "/v2/transactions/cashout";
const transfer = "/v2/internal_transfers/payment";
const simulate = "/v2/conversions/simulate";
const conversion = "/v2/conversions/new";
const long = "x".repeat(65);
const abroad = "http://example.com/hook";

/** Where, what, and the fields that are to be named. */
const requests: readonly [string, object, readonly string[]][] = [
  [cashin, {}, ["currency", "amount"]],
  [cashin, { amount: "abc" }, ["currency", "amount"]],
  [cashin, { currency: 5, amount: "-1" }, ["currency", "amount"]],
  [cashin, { currency: "BRL", amount: "abc", external_id: long }, ["amount", "external_id"]],
  [cashin, { currency: "BRL", amount: "10.001", payer: { name: 5, document: "1" } }, ["amount", "payer.name"]],
  [cashin, { currency: "BRL", amount: -1, postback_url: abroad }, ["amount", "postback_url"]],
  [cashin, { currency: "USDT", amount: 1e-7, chain: 7, postback_url: abroad }, ["amount", "chain", "postback_url"]],
  [
    cashin,
    { currency: "BRL", amount: "5", payer: 1, split: [{ username: "globex" }] },
    ["payer", "split[0].percentage"],
  ],
  [
    cashin,
    { currency: "BRL", amount: "0", split: [{ username: "globex" }, { username: "nobody", percentage: -1 }] },
    ["amount", "split[0].percentage", "split[1].username", "split[1].percentage"],
  ],
  [
    cashin,
    { currency: "BRL", amount: "9", split: [{ username: 5 }, { username: "acme", type: "fixed", amount: "1.001" }] },
    ["split[0].username", "split[0].percentage", "split[1].username", "split[1].amount"],
  ],
  [
    cashin,
    { currency: "BRL", amount: "9", split: [5, { username: 5 }] },
    ["split[0]", "split[1].username", "split[1].percentage"],
  ],
  [
    cashin,
    { currency: "BRL", amount: "9", postback_url: abroad, split: [{ username: "globex", type: "fixed", amount: "9" }] },
    ["postback_url", "split"],
  ],
  // A list is no text, and an empty one is none that is too short either.
  [
    cashin,
    { currency: [], amount: "9", payer: { name: [], document: [] } },
    ["currency", "payer.name", "payer.document"],
  ],
  [cashout, { currency: "BRL", amount: "0", key: "nokey" }, ["amount", "key"]],
  [cashout, { currency: "MXN", amount: "1.234", key: "1", key_type: 5 }, ["amount", "key", "key_type"]],
  [cashout, { currency: "BRL", amount: "x", key: "52998224725", key_type: "email" }, ["amount", "key_type"]],
  // A kind that no key of the method is of is at fault whatever the key.
  [cashout, { currency: "BRL", amount: "5", key: "nokey", key_type: "clabe" }, ["key", "key_type"]],
  [cashout, { currency: "MXN", amount: "5", key_type: "cpf" }, ["key", "key_type"]],
  [cashout, { amount: "1.5.5", postback_url: abroad }, ["currency", "key", "amount", "postback_url"]],
  [transfer, { currency: "BRL", amount: "abc" }, ["username", "amount"]],
  [transfer, { username: "acme", currency: "BRL", amount: "0" }, ["username", "amount"]],
  [transfer, { username: "acme", description: 1 }, ["username", "description", "currency", "amount"]],
  [simulate, { amount: 0, base_currency: "BRL" }, ["amount", "destination_currency"]],
  [conversion, { amount: 0 }, ["amount", "base_currency", "destination_currency"]],
  [
    conversion,
    { amount: 0.001, base_currency: "BRL", destination_currency: "USDT", external_id: 5 },
    ["amount", "external_id"],
  ],
];

test.each(requests)("D20 %s %j names every field at fault", async (path, body, fields) => {
  await using stage = await setStage(file);
  const before = await stateOf(stage.world);
  const answer = await stage.merchant.signed(path, body);
  expectRefusal(answer, 400, "INVALID_REQUEST", ...fields);
  // Each once, and no other one.
  const named = answer.body.error.message.match(/(?<=^|; )[\w.[\]]+(?=:| is | must | contradicts )/g);
  expect(named.sort()).toEqual([...fields].sort());
  expect(await stateOf(stage.world)).toEqual(before);
});

test("D01 D09 D20 what would be right is told as it is: conversions take no text, a share is an object", async () => {
  await using stage = await setStage(file);
  const messageOf = async (path: string, body: string) => (await stage.merchant.signed(path, body)).body.error.message;
  const pair = '"base_currency": "BRL", "destination_currency": "USDT"';
  for (const path of ["/v2/conversions/rate", simulate, conversion]) {
    expect(await messageOf(path, `{${pair}}`)).toBe("amount is missing.");
    expect(await messageOf(path, `{${pair}, "amount": "5"}`)).toBe("amount must be a JSON number.");
    expect(await messageOf(path, `{${pair}, "amount": 1234567890123.456}`)).toBe(
      "amount must have at most 15 significant digits as a JSON number.",
    );
  }
  expect(await messageOf(cashin, '{"currency": "BRL", "amount": 9, "split": [null]}')).toBe(
    "split[0] must be an object.",
  );
});

test("D15 D20 what is invalid is told before what is not supported, and that alone", async () => {
  await using stage = await setStage(file);
  const { merchant } = stage;
  const odd = { currency: "XYZ", amount: "0", postback_url: abroad };
  expectRefusal(await merchant.cashin(odd), 400, "INVALID_REQUEST", "amount", "postback_url");
  expectRefusal(await merchant.cashin({ currency: "XYZ", amount: "1.001" }), 422, "INVALID_CURRENCY", "XYZ");
  const chained = { currency: "USDT", amount: "1", chain: "dogechain" };
  expectRefusal(await merchant.cashin({ ...chained, postback_url: abroad }), 400, "INVALID_REQUEST", "postback_url");
  expectRefusal(await merchant.cashin(chained), 422, "UNSUPPORTED_CHAIN");
});

test("D25 D38 of a currency and a receiver that there are not the currency is told first", async () => {
  await using stage = await setStage(file);
  const body = { username: "nobody", currency: "XYZ", amount: "1" };
  expectRefusal(await stage.merchant.transfer(body), 422, "INVALID_CURRENCY");
  expectRefusal(await stage.merchant.transfer({ ...body, currency: "BRL" }), 404, "NOT_FOUND");
});

test("D15 D20 D35 shares that come to too much are told before a limit that the amount is over", async () => {
  await using stage = await setStage(file);
  const share = { username: "globex", type: "fixed", amount: "2000000.00" };
  const answer = await stage.merchant.cashin({ currency: "BRL", amount: "2000000.00", split: [share] });
  expectRefusal(answer, 400, "INVALID_REQUEST", "split");
  expectRefusal(await stage.merchant.cashin({ currency: "BRL", amount: "2000000.00" }), 409, "LIMIT_EXCEEDED");
});

test("D25 D36 what is not known is refused by its own code, also where it is long", async () => {
  await using stage = await setStage(file);
  const { merchant } = stage;
  const currency = "A".repeat(40);
  expectRefusal(await merchant.cashin({ currency, amount: "1" }), 422, "INVALID_CURRENCY");
  expectRefusal(await merchant.call("GET", `/v2/account/balance?currency=${currency}`), 422, "INVALID_CURRENCY");
  expectRefusal(await merchant.call("POST", "/v2/transactions/wallet", { currency }), 422, "INVALID_CURRENCY");
  const chain = { currency: "USDT", amount: "25", chain: "tron" };
  expect((await merchant.cashout({ ...chain, key: "T".repeat(300) })).status).toBe(202);
});

test("D20 D51 a reply names its missing fields and every file of another kind", async () => {
  await using stage = await setStage(file);
  const { merchant } = stage;
  const files = ["a", "b"].map((name) => ({ name, content: Buffer.from(name) }));
  const answer = await reply(merchant, { files });
  expectRefusal(answer, 400, "INVALID_REQUEST", "infraction_id", "text", "files[0]", "files[1]");
});
