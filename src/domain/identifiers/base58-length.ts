import { base58 } from "@scure/base";

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/**
 * Gives how many bytes a base58 text holds, or null when it is empty, no base58 or longer than `longest` characters.
 *
 * Decoding costs the square of the length, hence the bound, which is looked at first.
 */
export function base58Length(text: string, longest: number): number | null {
  return text.length <= longest && BASE58.test(text) ? base58.decode(text).length : null;
}
