import fc from "fast-check";
import type { AddressFormat } from "../../../src/domain/identifiers/chain-address.ts";

/** Every format that the address of a chain may have. */
export const FORMATS: AddressFormat[] = ["evm", "tron", "bitcoin", "solana"];

/** Thirty-two bytes, as a caller would derive them from a world's seed. */
export const anyEntropy = fc.uint8Array({ minLength: 32, maxLength: 32 });

/** Thirty-two equal bytes, for examples. */
export function entropyOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}

/** A value with exactly one character replaced by another one of the alphabet. */
export function oneCharacterChanged(value: string, alphabet: string): fc.Arbitrary<string> {
  return fc
    .record({ index: fc.nat(value.length - 1), character: fc.constantFrom(...alphabet) })
    .filter(({ index, character }) => value[index] !== character)
    .map(({ index, character }) => replaceAt(value, index, character));
}

/** Every text that differs from the value in exactly one character, drawn from the alphabet. */
export function everyChange(value: string, alphabet: string): string[] {
  return [...value].flatMap((old, index) =>
    [...alphabet].filter((character) => character !== old).map((character) => replaceAt(value, index, character)),
  );
}

function replaceAt(value: string, index: number, character: string): string {
  return value.slice(0, index) + character + value.slice(index + 1);
}

export const DIGITS = "0123456789";
export const HEXADECIMAL = "0123456789abcdef";
export const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");
