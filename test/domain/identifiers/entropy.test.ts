import fc from "fast-check";
import { expect, test } from "vitest";
import { makeAddress } from "../../../src/domain/identifiers/chain-address.ts";
import { makeClabe } from "../../../src/domain/identifiers/clabe.ts";
import { makeEndToEndId } from "../../../src/domain/identifiers/end-to-end-id.ts";
import { bytesOf, drawCharacters, stretchEntropy } from "../../../src/domain/identifiers/entropy.ts";
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

const SAMPLES = 20_000;

/** Texts as a world draws them, and entropies that differ in one byte. */
const NEIGHBOURS: Record<string, (index: number) => Uint8Array> = {
  "texts that differ in a counter": (index) => bytesOf(`1/webhook/${index}`, 32),
  "texts that differ in their beginning": (index) => bytesOf(`${index}/webhook/1`, 32),
  "entropies that differ in two bytes": (index) => {
    const entropy = new Uint8Array(32);
    [entropy[3], entropy[30]] = [index & 255, index >>> 8];
    return stretchEntropy(entropy, "cpf", 32);
  },
};

test.each(Object.entries(NEIGHBOURS))("%s give bytes that are evenly spread, whatever their place", (_, make) => {
  const counts = Array.from({ length: 32 }, () => new Array<number>(256).fill(0));
  const flips = new Array<number>(256).fill(0);
  let before = make(SAMPLES);
  for (let index = 0; index < SAMPLES; index++) {
    const bytes = make(index);
    for (const [place, byte] of bytes.entries()) {
      (counts[place] as number[])[byte]! += 1;
      for (let bit = 0; bit < 8; bit++) flips[place * 8 + bit]! += ((byte ^ before[place]!) >> bit) & 1;
    }
    before = bytes;
  }
  const even = SAMPLES / 256;
  for (const count of counts) {
    // Chi squared with 255 degrees of freedom: beyond 375 once in a million times.
    expect(count.reduce((sum, times) => sum + (times - even) ** 2 / even, 0)).toBeLessThan(375);
  }
  for (const flipped of flips) expect(Math.abs(flipped / SAMPLES - 0.5)).toBeLessThan(0.02);
});

test("no two of many neighbouring texts give the same 56 bits", () => {
  const seen = new Set(Array.from({ length: SAMPLES }, (_, index) => bytesOf(`1/transaction/${index}`, 7).join()));
  expect(seen.size).toBe(SAMPLES);
});
