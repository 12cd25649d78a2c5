import { bytesToHex } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { base58Length } from "./base58-length.ts";
import type { AddressFormat } from "./chain-address.ts";
import { stretchEntropy } from "./entropy.ts";

const SIGNATURE_BYTES = 64;
const BARE_HASH = /^[0-9a-fA-F]{64}$/;
const PREFIXED_HASH = /^0x[0-9a-fA-F]{64}$/;

/**
 * Makes a transaction hash in a chain's form (D67): tron and bitcoin 64 lower-case hexadecimal digits, EVM the same
 * after `0x`, solana base58 of 64 bytes (a signature).
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeTransactionHash(format: AddressFormat, entropy: Uint8Array): string {
  const label = `${format} transaction`;
  if (format === "solana") return base58.encode(stretchEntropy(entropy, label, SIGNATURE_BYTES));
  const hash = bytesToHex(stretchEntropy(entropy, label, 32));
  return format === "evm" ? `0x${hash}` : hash;
}

/** True when the text is a transaction hash in a chain's form, hexadecimal digits in either case. Never throws. */
export function isTransactionHash(format: AddressFormat, text: string): boolean {
  if (format === "solana") return base58Length(text, 88) === SIGNATURE_BYTES;
  return (format === "evm" ? PREFIXED_HASH : BARE_HASH).test(text);
}
