import { utf8ToBytes } from "@noble/hashes/utils.js";

const POLYNOMIAL = 0x1021;
const INITIAL = 0xffff;
const LAST_ASCII = 0x7f;

/** What the register is XORed with, for each value of its upper byte. */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => remainderOf(byte));

/**
 * CRC-16/CCITT-FALSE of the text's UTF-8 bytes, as four upper-case hexadecimal digits (field 63 of a BR Code, D31).
 *
 * Check value: `crc16Ccitt("123456789")` is `29B1`.
 */
export function crc16Ccitt(text: string): string {
  let register = INITIAL;
  // Nearly all texts are ASCII, one byte per character, and need no encoding.
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code > LAST_ASCII) return written(utf8ToBytes(text).reduce(after, INITIAL));
    register = after(register, code);
  }
  return written(register);
}

/** The register after another byte. */
function after(register: number, byte: number): number {
  return ((register << 8) ^ (REMAINDERS[(register >> 8) ^ byte] as number)) & 0xffff;
}

function written(register: number): string {
  return register.toString(16).toUpperCase().padStart(4, "0");
}

function remainderOf(byte: number): number {
  let next = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    next = (next & 0x8000) === 0 ? next << 1 : (next << 1) ^ POLYNOMIAL;
  }
  return next & 0xffff;
}
