import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, createBase58check } from "@scure/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AddressFormat, isAddress, makeAddress } from "../../../src/domain/identifiers/chain-address.ts";
import { anyEntropy, everyChange, FORMATS, HEXADECIMAL, oneCharacterChanged } from "./arbitraries.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const EVM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SEGWIT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TAPROOT = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
const SOLANA = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const FORMS: Record<AddressFormat, RegExp> = {
  evm: /^0x[0-9a-fA-F]{40}$/,
  tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  bitcoin: /^bc1q[02-9ac-hj-np-z]{38}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};

test.each(FORMATS)("CIN-05 every made %s address has the form of its chain and of no other", (format) => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      const address = makeAddress(format, entropy);
      expect(address).toMatch(FORMS[format]);
      expect(FORMATS.filter((each) => isAddress(each, address))).toEqual([format]);
    }),
  );
});

test.each<[AddressFormat, string, string]>([
  ["tron", "USDT's contract", TRON],
  ["evm", "EIP-55 case", EVM],
  ["evm", "EIP-55 case, second", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  ["evm", "EIP-55 case, third", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"],
  ["evm", "EIP-55 case, fourth", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"],
  ["evm", "all lower case", EVM.toLowerCase()],
  ["evm", "all upper case", `0x${EVM.slice(2).toUpperCase()}`],
  ["evm", "digits alone", `0x${"0".repeat(40)}`],
  ["bitcoin", "P2PKH", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["bitcoin", "P2SH", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG"],
  ["bitcoin", "bech32 v0", SEGWIT],
  ["bitcoin", "bech32 v0 in upper case", SEGWIT.toUpperCase()],
  ["bitcoin", "bech32m v1", TAPROOT],
  ["bitcoin", "bech32m v1 of 40 bytes", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"],
  ["bitcoin", "bech32m v16", "BC1SW50QGDZ25J"],
  ["bitcoin", "bech32m v2", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
  ["solana", "USDC's mint", SOLANA],
  ["solana", "the system program", "1".repeat(32)],
])("D36 a right %s address is taken: %s", (format, _, address) => {
  expect(isAddress(format, address)).toBe(true);
});

test.each<[AddressFormat, string, string]>([
  ["evm", "wrong EIP-55 case", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ["evm", "no 0x", EVM.slice(2)],
  ["evm", "0X", `0X${EVM.slice(2)}`],
  ["evm", "a digit short", EVM.slice(0, -1)],
  ["evm", "a digit long", `${EVM.toLowerCase()}0`],
  ["evm", "another letter", `${EVM.toLowerCase().slice(0, -1)}g`],
  ["tron", "a wrong checksum", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
  ["tron", "22 bytes", createBase58check(sha256).encode(new Uint8Array(22).fill(0x41))],
  ["tron", "20 bytes", createBase58check(sha256).encode(new Uint8Array(20).fill(0x41))],
  ["tron", "hexadecimal", `41${"0".repeat(40)}`],
  ["tron", "a bitcoin address", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["bitcoin", "testnet P2PKH", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
  ["bitcoin", "testnet bech32", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
  ["bitcoin", "a tron address", TRON],
  ["bitcoin", "mixed case", `${SEGWIT.slice(0, -2)}T4`],
  ["bitcoin", "an upper-case prefix alone", `BC1${SEGWIT.slice(3)}`],
  ["bitcoin", "v1 in bech32", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd"],
  ["bitcoin", "v0 in bech32m", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh"],
  ["bitcoin", "version 17", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R"],
  ["bitcoin", "a program of one byte", "bc1pw5dgrnzv"],
  ["bitcoin", "a program of 41 bytes", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav"],
  ["bitcoin", "v0 with 16 bytes", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P"],
  ["bitcoin", "an empty program", "bc1gmk9yu"],
  ["bitcoin", "a letter bech32 lacks", "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4"],
  ["bitcoin", "padding of a whole group", bech32.encode("bc", [0, ...bech32.toWords(new Uint8Array(20)), 0])],
  ["solana", "31 bytes", base58.encode(new Uint8Array(31).fill(255))],
  ["solana", "33 bytes", base58.encode(new Uint8Array(33).fill(1))],
  ["solana", "31 zero bytes", "1".repeat(31)],
  ["solana", "a letter base58 lacks", SOLANA.replace("E", "0")],
  ["solana", "an EVM address", EVM],
])("D36 a wrong %s address is refused: %s", (format, _, address) => {
  expect(isAddress(format, address)).toBe(false);
});

test("D36 any one changed character makes a tron or bitcoin address invalid", () => {
  for (const changed of everyChange(TRON, BASE58)) expect(isAddress("tron", changed)).toBe(false);
  for (const changed of everyChange(SEGWIT, BECH32)) expect(isAddress("bitcoin", changed)).toBe(false);
  for (const changed of everyChange(TAPROOT, BECH32)) expect(isAddress("bitcoin", changed)).toBe(false);
  const anyTron = anyEntropy.map((entropy) => makeAddress("tron", entropy));
  const anyBitcoin = anyEntropy.map((entropy) => makeAddress("bitcoin", entropy));
  const changedTron = anyTron.chain((address) => oneCharacterChanged(address, BASE58));
  const changedBitcoin = anyBitcoin.chain((address) => oneCharacterChanged(address, BECH32));
  fc.assert(fc.property(changedTron, (changed) => !isAddress("tron", changed)));
  fc.assert(fc.property(changedBitcoin, (changed) => !isAddress("bitcoin", changed)));
});

test("D36 one changed digit makes a mixed-case EVM address invalid", () => {
  // EIP-55 holds about fifteen bits, so that a random change may go unseen: the example is a fixed one.
  for (const changed of everyChange(EVM.slice(2), HEXADECIMAL)) expect(isAddress("evm", `0x${changed}`)).toBe(false);
});

test("D36 one letter in the other case makes a mixed-case EVM address invalid", () => {
  fc.assert(
    fc.property(anyEntropy, fc.nat(39), (entropy, index) => {
      const address = makeAddress("evm", entropy);
      const letter = address[index + 2]!;
      const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const changed = address.slice(0, index + 2) + turned + address.slice(index + 3);
      fc.pre(changed !== address && changed.slice(2) !== changed.slice(2).toLowerCase());
      fc.pre(changed.slice(2) !== changed.slice(2).toUpperCase());
      expect(isAddress("evm", changed)).toBe(false);
    }),
  );
});
