import { base58 } from "@scure/base";
import { base58Length } from "./base58-length.ts";
import { stretchEntropy } from "./entropy.ts";

const KEY_BYTES = 32;

/** Makes a solana address. Nobody holds its key. @throws {RangeError} unless the entropy has 32 bytes. */
export function makeSolanaAddress(entropy: Uint8Array): string {
  return base58.encode(stretchEntropy(entropy, "solana address", KEY_BYTES));
}

/** True for base58 of 32 bytes. There is no checksum, and the key need not be on the curve. */
export function isSolanaAddress(text: string): boolean {
  return base58Length(text, 44) === KEY_BYTES;
}
