/** How pages tell the fields of a schema. */
import { expect, test } from "vitest";
import { inputTable, outputTable } from "../../src/pages/fields.ts";

const text = { type: "string" };
const variant = (title: string, properties: object) => ({ title, properties, required: Object.keys(properties) });
const rowsOf = (table: string) => table.split("\n").slice(2);

test("fields of several variants stand in the order in which each has them", () => {
  const pix = variant("PIX", { network: text, qr_code: text, expires_at: text });
  const crypto = variant("Crypto", { network: text, chain: text, address: text, expires_at: text });
  expect(rowsOf(outputTable({ anyOf: [pix, crypto] }))).toEqual([
    "| `network` | string |  |",
    "| `chain` | string | Only for: Crypto. |",
    "| `address` | string | Only for: Crypto. |",
    "| `qr_code` | string | Only for: PIX. |",
    "| `expires_at` | string |  |",
  ]);
});

test("values that variants name are one list", () => {
  const cashin = variant("Cash-in", { status: { enum: ["pending", "expired"] } });
  const cashout = variant("Cash-out", { status: { enum: ["pending", "failed"] } });
  expect(rowsOf(outputTable({ anyOf: [cashin, cashout] }))).toEqual([
    "| `status` | `pending`, `expired`, `failed` |  |",
  ]);
});

test("a list tells how long it may be", () => {
  const split = { anyOf: [{ type: "array", maxItems: 10, items: { properties: {} } }, { type: "null" }] };
  expect(rowsOf(inputTable({ properties: { split } }))).toEqual(["| `split` | list of objects, at most 10 |  |  |"]);
});
