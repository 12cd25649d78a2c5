import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { stretchEntropy } from "./entropy.ts";

const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;
const ANY_CASE = /^0x[0-9a-fA-F]{40}$/;

/** Makes an EVM address in EIP-55 case. Nobody holds its key. @throws {RangeError} unless the entropy has 32 bytes. */
export function makeEvmAddress(entropy: Uint8Array): string {
  return `0x${withChecksumCase(bytesToHex(stretchEntropy(entropy, "evm address", 20)))}`;
}

/** True for `0x` and 40 hexadecimal digits, all lower, all upper or in right EIP-55 case (D36). */
export function isEvmAddress(text: string): boolean {
  if (ONE_CASE.test(text)) return true;
  return ANY_CASE.test(text) && text.slice(2) === withChecksumCase(text.slice(2).toLowerCase());
}

/** EIP-55: a letter is upper case where the same digit of the lower-case text's Keccak-256 is 8 or more. */
function withChecksumCase(lowerHex: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lowerHex)));
  return lowerHex.replace(/[a-f]/g, (letter, index: number) => (hash[index]! >= "8" ? letter.toUpperCase() : letter));
}
