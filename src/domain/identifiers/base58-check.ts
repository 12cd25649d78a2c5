import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";

const base58check = createBase58check(sha256);
const LONGEST = 36;
const HASH_BYTES = 20;

/** Writes a version byte and a 20-byte hash as base58check. */
export function writeBase58Check(version: number, hash: Uint8Array): string {
  return base58check.encode(Uint8Array.of(version, ...hash));
}

/**
 * Gives the version byte of a base58check text that holds a version and a 20-byte hash, or null for any other text.
 *
 * Never throws; a text longer than any such address is not decoded at all.
 */
export function base58CheckVersion(text: string): number | null {
  if (text.length > LONGEST) return null;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 1 + HASH_BYTES ? bytes[0]! : null;
  } catch {
    return null;
  }
}
