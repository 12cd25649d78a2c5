import { hash } from "node:crypto";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Length in bytes of the entropy that every maker of this folder takes. */
export const ENTROPY_BYTES = 32;

/**
 * Stretches entropy to `length` bytes: SHA-256 over entropy, label and block number, one block after another.
 *
 * The label keeps kinds apart: the same entropy gives unrelated bytes to a CPF and to an address.
 * Throws RangeError when the entropy is not 32 bytes long.
 */
export function stretchEntropy(entropy: Uint8Array, label: string, length: number): Uint8Array {
  if (entropy.length !== ENTROPY_BYTES) {
    throw new RangeError(`entropy must be ${ENTROPY_BYTES} bytes long, not ${entropy.length}`);
  }
  const blocks: Uint8Array[] = [];
  for (let made = 0; made < length; made += 32) {
    blocks.push(hash("sha256", concatBytes(entropy, utf8ToBytes(`${label}/${blocks.length}`)), "buffer"));
  }
  return concatBytes(...blocks).slice(0, length);
}

/**
 * Draws `count` characters of `alphabet` (at most 256 characters) out of entropy.
 *
 * Sixteen bits go into each character, so that no character is noticeably likelier than another.
 * Throws RangeError when the entropy is not 32 bytes long.
 */
export function drawCharacters(entropy: Uint8Array, label: string, alphabet: string, count: number): string {
  const bytes = stretchEntropy(entropy, label, count * 2);
  let text = "";
  for (let index = 0; index < count; index++) {
    const sixteenBits = (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!;
    text += alphabet[sixteenBits % alphabet.length]!;
  }
  return text;
}
