/** Generated requests at every endpoint: a documented answer, never a fault of ours, and the ledger holds after each. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { endpoints } from "../../src/http/endpoints.ts";
import { type ErrorCode, errorCatalogue } from "../../src/index.ts";
import type { Answer } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { setStage, signed } from "../support/signing.ts";

const file = useSandbox();

/** Values that are right somewhere, and wrong nearly everywhere. */
const value = fc.oneof(
  fc.constantFrom("BRL", "MXN", "USDT", "BTC", "POL", "XYZ", "tron", "TRC20", "globex", "acme", "fixed", "percentage"),
  fc.constantFrom(
    "12345678909",
    "maria@example.com",
    "032180000118359719",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  ),
  fc.constantFrom("150.00", "0.01", "0", "-1", "1e3", "0.125", "NaN", "", "x".repeat(300), "\u0000", "é😀"),
  fc.constantFrom(1, 10, 150, 0, -5, 0.125, 1e21, 999_999_999_999_999, 2026, true, false, null),
  fc.constantFrom([], {}, [null], [{ username: "globex", percentage: 10 }], { name: "Maria", document: "12345678909" }),
  fc.string({ maxLength: 20 }),
);

const field = fc.constantFrom(
  ...["currency", "amount", "external_id", "payer", "chain", "network", "postback_url", "split", "key", "key_type"],
  ...["username", "description", "base_currency", "destination_currency", "client_id", "client_secret", "grant_type"],
  ...["page", "page_size", "type", "status", "source", "created_from", "created_to", "transaction_id", "__proto__"],
);

/** Bodies that are nearly right, so that some get through. */
const nearlyRight = fc.record(
  {
    currency: fc.constantFrom("BRL", "MXN", "USDT", "SOL"),
    amount: fc.constantFrom(10, "10.00", 12.5, "0.5"),
    key: fc.constantFrom("12345678909", "032180000118359719", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    username: fc.constantFrom("globex", "acme", "nobody"),
    base_currency: fc.constantFrom("BRL", "USDT", "BTC"),
    destination_currency: fc.constantFrom("USDC", "ETH", "BRL"),
    chain: fc.constantFrom("tron", "ethereum", "solana", undefined),
  },
  { requiredKeys: ["currency", "amount", "base_currency", "destination_currency"] },
);

const body = fc
  .tuple(nearlyRight, fc.dictionary(field, value, { maxKeys: 4 }), fc.boolean())
  .map(([right, wrong, keep]) => (keep ? { ...right, ...wrong } : wrong));

function expectDocumented(answer: Answer): void {
  if (answer.status < 300) return;
  const { code } = answer.body.error as { code: ErrorCode };
  expect(errorCatalogue[code], code).toBeDefined();
  expect(answer.status, answer.text).toBeLessThan(500);
}

test.each(endpoints.map(({ method, path, signed: isSigned }) => ({ method, path, isSigned: isSigned === true })))(
  "ENV-03 $method $path answers generated requests as documented, and the ledger holds",
  async ({ method, path, isSigned }) => {
    const { world, merchant } = await setStage(file);
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        if (isSigned) expectDocumented(await signed(merchant, world.credentials.signingKey, path, given));
        else if (method === "POST") expectDocumented(await merchant.call(method, path, given));
        else {
          const texts = Object.entries(given).map(([name, each]): [string, string] => [name, String(each)]);
          expectDocumented(await merchant.call(method, `${path}?${new URLSearchParams(texts)}`));
        }
        expect((await world.checkLedger()).ok).toBe(true);
      }),
      { numRuns: 25, seed: 20_260_101 },
    );
  },
);
