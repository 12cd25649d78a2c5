import { base58CheckVersion, writeBase58Check } from "./base58-check.ts";
import { stretchEntropy } from "./entropy.ts";

const MAINNET = 0x41;

/** Makes a tron address (`T…`). Nobody holds its key. @throws {RangeError} unless the entropy has 32 bytes. */
export function makeTronAddress(entropy: Uint8Array): string {
  return writeBase58Check(MAINNET, stretchEntropy(entropy, "tron address", 20));
}

/** True for a tron address: base58check of 21 bytes that begin with 0x41. */
export function isTronAddress(text: string): boolean {
  return base58CheckVersion(text) === MAINNET;
}
