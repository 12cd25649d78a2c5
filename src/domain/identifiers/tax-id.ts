import { drawCharacters } from "./entropy.ts";

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const DIGITS = "0123456789";
const HEAD_OFFICE = "0001";

/**
 * True for a CPF: eleven digits without punctuation, not all equal, both check digits right (D36).
 *
 * Remainders 0 and 1 both give check digit 0, so a few one-digit errors go unseen when the first check digit is 0:
 * `22345678909` is as valid as `12345678909`. That is a weakness of the official rule.
 */
export function isCpf(text: string): boolean {
  return CPF.test(text) && !isOneCharacterRepeated(text) && text.endsWith(checkDigits(text.slice(0, 9), 11));
}

/**
 * True for a CNPJ, numeric or alphanumeric: twelve digits or upper-case letters and two check digits, without
 * punctuation, not all equal (D36).
 *
 * Letters count as their ASCII code minus 48; characters eleven apart (`6` and `A`, `A` and `L`) look alike to the
 * check digits.
 */
export function isCnpj(text: string): boolean {
  return CNPJ.test(text) && !isOneCharacterRepeated(text) && text.endsWith(checkDigits(text.slice(0, 12), 9));
}

/** Says which Brazilian tax id a text is, or null when it is neither (D36). */
export function taxIdKind(text: string): "cpf" | "cnpj" | null {
  if (isCpf(text)) return "cpf";
  return isCnpj(text) ? "cnpj" : null;
}

/**
 * Makes a valid CPF of eleven digits. It may by chance be a real person's: show it to no real bank.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeCpf(entropy: Uint8Array): string {
  const digits = drawCharacters(entropy, "cpf", DIGITS, 8);
  const step = 1 + Number(drawCharacters(entropy, "cpf region", "012345678", 1));
  // The ninth digit differs from the eighth, so that the eleven are never all equal.
  const base = digits + String((Number(digits.at(-1)) + step) % 10);
  return base + checkDigits(base, 11);
}

/**
 * Makes a valid numeric CNPJ of a head office (`0001`), fourteen digits.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeCnpj(entropy: Uint8Array): string {
  const base = drawCharacters(entropy, "cnpj", DIGITS, 8) + HEAD_OFFICE;
  return base + checkDigits(base, 9);
}

function checkDigits(base: string, heaviest: number): string {
  const first = checkDigit(base, heaviest);
  return first + checkDigit(base + first, heaviest);
}

/** Mod-11 check digit: weights 2, 3, 4 … up to `heaviest` from the right, then from 2 again. */
function checkDigit(base: string, heaviest: number): string {
  let sum = 0;
  for (let index = 0; index < base.length; index++) {
    const weight = 2 + ((base.length - 1 - index) % (heaviest - 1));
    sum += (base.charCodeAt(index) - 48) * weight;
  }
  const remainder = sum % 11;
  return remainder < 2 ? "0" : String(11 - remainder);
}

function isOneCharacterRepeated(text: string): boolean {
  return text === text[0]!.repeat(text.length);
}
