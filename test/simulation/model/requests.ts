/** Arbitraries of requests: right ones, and now and then what is refused. */
import fc from "fast-check";
import { chainsOf, currencyNames } from "./facts.ts";

/** An amount as it is written, and whether as a JSON number. */
export interface WrittenAmount {
  readonly text: string;
  readonly number: boolean;
  /** Whether it is written for any currency: of coins that are dear it is a thousandth. */
  readonly fair: boolean;
}

const fairText = fc
  .tuple(fc.integer({ min: 1, max: 900 }), fc.constantFrom("", "0", "5", "37", "99"))
  .map(([whole, decimals]) => (decimals === "" ? String(whole) : `${whole}.${decimals}`));
const small = fc.integer({ min: 1, max: 99 }).map((units) => `0.${String(units).padStart(2, "0")}`);
const edges = fc.constantFrom(
  "0",
  "-1",
  "0.01",
  "1.00",
  "4000.00",
  "1000000.01",
  "0.000000001",
  "0.0001",
  "1e3",
  "ten",
);

/** Amounts of any currency; few are too small, too much, too fine, or none at all. */
export const amount: fc.Arbitrary<WrittenAmount> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ text: fairText, number: fc.boolean(), fair: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ text: small, number: fc.boolean(), fair: fc.constant(false) }) },
  { weight: 2, arbitrary: fc.record({ text: edges, number: fc.boolean(), fair: fc.constant(false) }) },
);

const dear: readonly string[] = ["BTC", "ETH", "SOL", "BNB"];

/** The text of an amount in a currency. */
export function amountText({ text, fair }: WrittenAmount, code: string): string {
  if (!fair || !dear.includes(code)) return text;
  const [whole = "", decimals = ""] = text.split(".");
  const digits = whole.padStart(4, "0");
  return `${digits.slice(0, -3)}.${digits.slice(-3)}${decimals}`;
}

/** As it stands in a body. */
export function written(given: WrittenAmount, code: string): string | number {
  const text = amountText(given, code);
  const isPlain = /^\d+(\.\d+)?$/.test(text) && !String(Number(text)).includes("e");
  return given.number && isPlain ? Number(text) : text;
}

export const currency = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("BRL", "BRL", "BRL", "BRL", "MXN", "USDT", "BTC") },
  { weight: 5, arbitrary: fc.constantFrom(...currencyNames) },
  { weight: 1, arbitrary: fc.constantFrom("POL", "XXX") },
);

/** Of a currency's chains the one of this number; now and then none, or one that it has not. */
export function chainOf(name: string, number: number): { chain?: string } {
  const chains = chainsOf(name);
  if (chains.length === 0 || number === 11) return {};
  if (number === 10) return { chain: "solarium" };
  return { chain: chains[number % chains.length] ?? "" };
}

/** Few, so that they come again. */
export const externalId = fc.option(
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("a-1", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7", "a-8") },
    { weight: 1, arbitrary: fc.constant("x".repeat(65)) },
  ),
  { nil: undefined },
);

/** Now and then one of these. */
export function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Where a charge's own webhooks go. */
export const ownPostback = seldom(fc.constantFrom("own", "own", "other", "inbox", "inbox", "public http"));

export function postbackUrl(name: string | undefined, receiverUrl: string): { postback_url?: string } {
  if (name === undefined) return {};
  const urls: Record<string, string> = {
    own: `${receiverUrl}/own`,
    other: `${receiverUrl}/other`,
    inbox: "sandbox://inbox",
    "public http": "http://shop.example.com/hook",
  };
  return { postback_url: urls[name] ?? "" };
}

/** Of whom one is another account than the caller's, mostly. */
export const [NOBODY, ONESELF] = [23, 22];
export const otherAccount = fc.nat(NOBODY);

/** Shares of a charge: percentages and fixed amounts, to others, to oneself and to nobody. */
export const shares = fc.option(
  fc.array(
    fc.record({
      to: otherAccount,
      percentage: fc.constantFrom(0.5, 1, 5, 10, 33.33, 33.33, 60, 96),
      fixed: fc.option(fc.constantFrom("0.5", "1", "20"), { nil: undefined, freq: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { nil: undefined, freq: 2 },
);
