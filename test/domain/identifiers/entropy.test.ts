import fc from "fast-check";
import { expect, test } from "vitest";
import { makeAddress } from "../../../src/domain/identifiers/chain-address.ts";
import { makeClabe } from "../../../src/domain/identifiers/clabe.ts";
import { makeEndToEndId, makeReturnId } from "../../../src/domain/identifiers/end-to-end-id.ts";
import { drawCharacters, stretchEntropy } from "../../../src/domain/identifiers/entropy.ts";
import { makeEvp } from "../../../src/domain/identifiers/pix-key.ts";
import { makeCnpj, makeCpf } from "../../../src/domain/identifiers/tax-id.ts";
import { makeTrackingKey } from "../../../src/domain/identifiers/tracking-key.ts";
import { makeTransactionHash } from "../../../src/domain/identifiers/transaction-hash.ts";
import { anyEntropy, entropyOf } from "./arbitraries.ts";

const moment = { ispb: "12345678", instant: "2026-01-01T12:00:00.000Z" };

const MAKERS: Record<string, (entropy: Uint8Array) => string> = {
  cpf: makeCpf,
  cnpj: makeCnpj,
  evp: makeEvp,
  clabe: (entropy) => makeClabe({ bank: "999", plaza: "180", entropy }),
  "end-to-end id": (entropy) => makeEndToEndId({ ...moment, entropy }),
  "return id": (entropy) => makeReturnId({ ...moment, entropy }),
  "tracking key": makeTrackingKey,
  "evm address": (entropy) => makeAddress("evm", entropy),
  "tron address": (entropy) => makeAddress("tron", entropy),
  "bitcoin address": (entropy) => makeAddress("bitcoin", entropy),
  "solana address": (entropy) => makeAddress("solana", entropy),
  "evm transaction": (entropy) => makeTransactionHash("evm", entropy),
  "tron transaction": (entropy) => makeTransactionHash("tron", entropy),
  "bitcoin transaction": (entropy) => makeTransactionHash("bitcoin", entropy),
  "solana transaction": (entropy) => makeTransactionHash("solana", entropy),
};

test.each(Object.entries(MAKERS))("the same entropy makes the same %s again, other entropy another one", (_, make) => {
  expect(make(entropyOf(7))).toBe(make(entropyOf(7)));
  expect(make(entropyOf(7))).not.toBe(make(entropyOf(8)));
});

test.each(Object.entries(MAKERS))("a %s is not made of entropy that is too short or too long", (_, make) => {
  expect(() => make(new Uint8Array(31))).toThrow(RangeError);
  expect(() => make(new Uint8Array(33))).toThrow(RangeError);
  expect(() => make(new Uint8Array(0))).toThrow(RangeError);
});

test.each(Object.entries(MAKERS))("making a %s leaves the entropy as it was", (_, make) => {
  const entropy = entropyOf(5);
  make(entropy);
  expect(entropy).toEqual(entropyOf(5));
});

test("labels keep kinds apart: one entropy gives unrelated bytes", () => {
  expect(stretchEntropy(entropyOf(1), "one", 32)).not.toEqual(stretchEntropy(entropyOf(1), "two", 32));
  const transactions = ["tron", "bitcoin"].map((format) => MAKERS[`${format} transaction`]!(entropyOf(1)));
  expect(transactions[0]).not.toBe(transactions[1]);
});

test("stretched entropy has the length asked for, and a shorter stretch is the beginning of a longer one", () => {
  fc.assert(
    fc.property(anyEntropy, fc.nat(100), fc.nat(100), (entropy, one, other) => {
      const [short, long] = [Math.min(one, other), Math.max(one, other)];
      expect(stretchEntropy(entropy, "label", long)).toHaveLength(long);
      expect(stretchEntropy(entropy, "label", long).slice(0, short)).toEqual(stretchEntropy(entropy, "label", short));
    }),
  );
});

test("drawn characters come from the alphabet, and all of it is used", () => {
  const text = drawCharacters(entropyOf(3), "label", "abc", 300);
  expect(text).toMatch(/^[abc]{300}$/);
  expect(new Set(text)).toEqual(new Set("abc"));
});
