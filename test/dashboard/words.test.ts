/** Instants, amounts, names and bodies as the dashboard writes them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountText, atScale, changedRates, sizeText } from "../../src/dashboard/words/amounts.ts";
import { eventsOfWorld } from "../../src/dashboard/words/events.ts";
import { fromNow, shortText, spanText } from "../../src/dashboard/words/instants.ts";
import { layOut } from "../../src/dashboard/words/json-tokens.ts";
import { aboutOf, viewOfId } from "../../src/dashboard/words/places.ts";
import { says, soughtText } from "../../src/dashboard/words/sought.ts";
import { timerText } from "../../src/dashboard/words/timers.ts";
import { visible } from "../../src/dashboard/words/visible.ts";
import { eventKinds, eventNames } from "../../src/domain/events.ts";

const source = fileURLToPath(new URL("../../src", import.meta.url));

test.each([
  [0, "0s"],
  [250, "250ms"],
  [5_000, "5s"],
  [65_250, "1m 5s"],
  [1_800_000, "30m"],
  [90_061_000, "1d 1h"],
])("%d ms are %s", (spanMs, text) => expect(spanText(spanMs)).toBe(text));

test("instants are told from now, and without what goes without saying", () => {
  const now = Date.parse("2026-01-01T12:00:00.000Z");
  expect(fromNow("2026-01-01T12:04:55.000Z", now)).toBe("in 4m 55s");
  expect(fromNow("2026-01-01T11:59:57.000Z", now)).toBe("3s ago");
  expect(fromNow("2026-01-01T12:00:00.000Z", now)).toBe("now");
  expect(shortText("2026-01-01T12:00:05.000Z", "2026-01-01")).toBe("12:00:05");
  expect(shortText("2026-01-02T12:00:05.250Z", "2026-01-01")).toBe("01-02 12:00:05.250");
  expect(shortText("2027-01-02T12:00:05.000Z", "2026-01-01")).toBe("2027-01-02 12:00:05");
});

const PAYMENT = "019b796dd6000000014792654fafbf01";

test.each([
  ["req_0njve8k740", "", "requests"],
  ["evt_0njve8k740", "cashin.confirmed", "webhooks"],
  ["inf_0njve8k740", "chargeback.opened", "disputes"],
  ["1001", "wallet.created", "wallets"],
  ["daily/0", "", "scenarios"],
  [PAYMENT, "cashout", "transactions"],
  [PAYMENT, "conversion.confirmed", "conversions"],
  [PAYMENT, "transfer.confirmed", "transfers"],
  [PAYMENT, "webhook.delivered", undefined],
  [PAYMENT, "", undefined],
  ["acme", "", undefined],
  ["12345", "account.funded", undefined],
])("%s, of %j, is shown in %s", (id, of, view) => expect(viewOfId(id, of)).toBe(view));

test.each([
  ["account.funded", {}, "12345", undefined],
  ["control", { call: "POST /accounts/12345/fund" }, "12345", undefined],
  ["control", { call: "POST /wallets/1001/deposit" }, "1001", "wallets"],
  ["control", { call: "POST /clock/advance" }, "evt_1", "webhooks"],
  ["transition", { resource: "wallet" }, "1001", "wallets"],
  ["rule.fired", { on: "cashin.created" }, PAYMENT, "transactions"],
])("an entry of kind %s, with %j, about %s, is about what is shown in %s", (kind, data, subject, view) =>
  expect(viewOfId(subject, aboutOf({ kind, data }))).toBe(view),
);

test("all events can be chosen from, with the names of the glossary where the world has them", () => {
  expect(eventsOfWorld(false).toSorted()).toEqual(eventKinds.toSorted());
  expect(eventsOfWorld(true).toSorted()).toEqual(eventNames.toSorted());
});

const timerKinds = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [...readFileSync(join(source, file), "utf8").matchAll(/^export const \w+_TIMER = "(.+)";$/gm)])
  .map(([, kind = ""]) => kind);

test("what every kind of timer does is told in words", () => {
  expect(timerKinds.length).toBeGreaterThan(0);
  expect(timerKinds.filter((kind) => timerText(kind) === kind)).toEqual([]);
});

test("amounts keep every digit", () => {
  expect(amountText("1234567.00")).toBe("1\u202f234\u202f567.00");
  expect(amountText("-900.00")).toBe("-900.00");
  expect(amountText("12345678901234567890.12345678")).toBe(
    "12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890.12345678",
  );
  expect(amountText("ten")).toBe("ten");
  expect(sizeText(1_500)).toBe("1.5 kB");
  expect([sizeText(999_949), sizeText(999_950)]).toEqual(["999.9 kB", "1.0 MB"]);
});

test("rates are taken as they were typed or copied from the page, where they are others than before", () => {
  const typed: Record<string, string> = { BTC: " 97\u202f000.5 ", MXN: "0.05", BRL: "0.18" };
  expect(changedRates({ BTC: "97000", MXN: "0.05", BRL: "0.18" }, (currency) => typed[currency] ?? "")).toEqual({
    BTC: "97000.5",
  });
});

test("amounts that are numbers have no exponent, however small they are", () => {
  expect(amountText(0.00000002)).toBe("0.00000002");
  expect(amountText(0.000000123456789012)).toBe("0.000000123456789012");
  expect([amountText(0), amountText(-0.0000001), amountText(1_500.5)]).toEqual(["0", "-0.0000001", "1\u202f500.5"]);
});

test("a search finds texts as they are read, in quotes too, and as JSON has them", () => {
  const thing = JSON.stringify({ external_id: 'say "hi" \\ there', body: '{"amount":150}', status: 200 });
  for (const words of ['say "hi"', "\\ there", '"amount":150', '"status":200', ""])
    expect(says(thing, words)).toBe(true);
  expect(says(thing, '"hello"')).toBe(false);
});

test.each([
  [
    { type: "cashout", amount: "1250.00", currency: "BRL" },
    ["cash-out", "1250.00 brl", "1\u202f250.00 brl", "cashout"],
  ],
  [{ type: "cashin", status: "under_review" }, ["charge", "under review", '"type":"cashin"']],
  [{ method: "POST", path: "/v2/transactions/cashin" }, ["post /v2/transactions/cashin"]],
  [{ method: "POST", path: "/v2/transactions/cashin", status: 0 }, ["no answer", '"status":0']],
  [
    { amount_from: 1_250, currency_from: "BRL", amount_to: 0.0023, currency_to: "BTC" },
    ["1250 brl", "1250.00 brl", "1\u202f250.00 brl", "0.00230000 btc"],
  ],
])("%j is found by what is shown of it", (item, words) => {
  const places: Record<string, number> = { BRL: 2, BTC: 8 };
  const scaled = (amount: unknown, currency: string) => atScale(amount, places[currency] ?? 0);
  for (const sought of words) expect(says(soughtText(item, scaled), sought), sought).toBe(true);
});

test("what cannot be seen is written out, but ends of lines and what joins the parts of one sign", () => {
  expect(visible('{"name": "\u202eanA\u0000"}\r\n\t')).toBe('{"name": "⟨U+202E⟩anA⟨U+0000⟩"}\r\n\t');
  expect(visible("a\u2066b\ufeffc\u200bd")).toBe("a⟨U+2066⟩b⟨U+FEFF⟩c⟨U+200B⟩d");
  expect(visible("order\u00ad-\u20601")).toBe("order⟨U+00AD⟩-⟨U+2060⟩1");
  expect(visible("👩\u200d💻 é")).toBe("👩\u200d💻 é");
});

describe("a body", () => {
  const text = (json: string) =>
    layOut(json)
      ?.map((token) => token.text)
      .join("");

  test("is laid out as JSON.stringify would, whatever it holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(text(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  test("keeps numbers as they were written", () => {
    expect(text('{"amount":12345678901234567890.10}')).toBe('{\n  "amount": 12345678901234567890.10\n}');
  });

  test("that is no JSON is left as it is", () => expect(layOut("{oops")).toBeNull());
});
