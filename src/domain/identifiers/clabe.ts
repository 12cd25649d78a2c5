import { drawCharacters } from "./entropy.ts";

const CLABE = /^\d{18}$/;
const FIRST_SEVENTEEN = /^\d{17}$/;
const THREE_DIGITS = /^\d{3}$/;
const WEIGHTS = [3, 7, 1] as const;

/** True for a CLABE: eighteen digits, the last one the right control digit (CIN-06). Any bank and plaza will do. */
export function isClabe(text: string): boolean {
  return CLABE.test(text) && text.endsWith(clabeControlDigit(text.slice(0, 17)));
}

/**
 * Makes a CLABE (CIN-06): bank, plaza, eleven digits of account, control digit.
 *
 * A bank code that does not exist, such as `999`, keeps a made-up account unmistakable.
 * @throws {RangeError} when bank or plaza are not three digits or the entropy is not 32 bytes long.
 */
export function makeClabe(account: { bank: string; plaza: string; entropy: Uint8Array }): string {
  if (!THREE_DIGITS.test(account.bank)) throw new RangeError("the bank of a CLABE must be three digits");
  if (!THREE_DIGITS.test(account.plaza)) throw new RangeError("the plaza of a CLABE must be three digits");
  const number = drawCharacters(account.entropy, "clabe", "0123456789", 11);
  const first17 = account.bank + account.plaza + number;
  return first17 + clabeControlDigit(first17);
}

/**
 * Gives the control digit of a CLABE's first seventeen digits (weights 3, 7, 1, each product mod 10; CIN-06).
 * @throws {RangeError} when the argument is not seventeen digits.
 */
export function clabeControlDigit(first17: string): string {
  if (!FIRST_SEVENTEEN.test(first17)) throw new RangeError("a CLABE's control digit needs seventeen digits");
  let sum = 0;
  for (let index = 0; index < 17; index++) {
    sum += (Number(first17[index]) * WEIGHTS[index % 3]!) % 10;
  }
  return String((10 - (sum % 10)) % 10);
}
