import { base58 } from "@scure/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AddressFormat } from "../../../src/domain/identifiers/chain-address.ts";
import { isTransactionHash, makeTransactionHash } from "../../../src/domain/identifiers/transaction-hash.ts";
import { anyEntropy } from "./arbitraries.ts";

const FORMS: [AddressFormat, RegExp][] = [
  ["evm", /^0x[0-9a-f]{64}$/],
  ["tron", /^[0-9a-f]{64}$/],
  ["bitcoin", /^[0-9a-f]{64}$/],
  ["solana", /^[1-9A-HJ-NP-Za-km-z]{64,88}$/],
];

test.each(FORMS)("D67 every made %s transaction hash has the form of its chain", (format, form) => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      const hash = makeTransactionHash(format, entropy);
      expect(hash).toMatch(form);
      expect(isTransactionHash(format, hash)).toBe(true);
    }),
  );
});

test("D67 a solana transaction hash is base58 of 64 bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 60, maxLength: 68 }), (bytes) => {
      expect(isTransactionHash("solana", base58.encode(bytes))).toBe(bytes.length === 64);
    }),
  );
});

test.each<[AddressFormat, string]>([
  ["bitcoin", "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"],
  ["tron", "4A5E1E4BAAB89F3A32518A88C31BC87F618F76673E2CC77AB2127B7AFDEDA33B"],
  ["evm", "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"],
  ["solana", "1".repeat(64)],
])("D67 a %s transaction hash is taken: %s", (format, text) => {
  expect(isTransactionHash(format, text)).toBe(true);
});

test.each<[AddressFormat, string, string]>([
  ["evm", "no 0x", "a".repeat(64)],
  ["evm", "63 digits", `0x${"a".repeat(63)}`],
  ["tron", "0x", `0x${"a".repeat(64)}`],
  ["bitcoin", "65 digits", "a".repeat(65)],
  ["bitcoin", "another letter", `${"a".repeat(63)}g`],
  ["bitcoin", "a line break", `${"a".repeat(64)}\n`],
  ["solana", "a letter base58 lacks", "0".repeat(87)],
  ["solana", "an address", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["solana", "nothing", ""],
])("D67 a wrong %s transaction hash is refused: %s", (format, _, text) => {
  expect(isTransactionHash(format, text)).toBe(false);
});
