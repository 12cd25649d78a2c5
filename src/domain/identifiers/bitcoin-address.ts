import { bech32, bech32m } from "@scure/base";
import { base58CheckVersion } from "./base58-check.ts";
import { stretchEntropy } from "./entropy.ts";

const PAY_TO_PUBLIC_KEY_HASH = 0x00;
const PAY_TO_SCRIPT_HASH = 0x05;
const MAINNET = "bc";
const SEGWIT = /^(bc1[02-9ac-hj-np-z]{6,87}|BC1[02-9AC-HJ-NP-Z]{6,87})$/;

/**
 * Makes a bitcoin mainnet address (P2WPKH, `bc1q…`). Nobody holds its key.
 * @throws {RangeError} unless the entropy has 32 bytes.
 */
export function makeBitcoinAddress(entropy: Uint8Array): string {
  const program = stretchEntropy(entropy, "bitcoin address", 20);
  return bech32.encode(MAINNET, [0, ...bech32.toWords(program)]);
}

/** True for a bitcoin mainnet address: P2PKH, P2SH, bech32 (witness version 0) or bech32m (1 to 16) (D36). */
export function isBitcoinAddress(text: string): boolean {
  if (SEGWIT.test(text)) return isWitness(text);
  const version = base58CheckVersion(text);
  return version === PAY_TO_PUBLIC_KEY_HASH || version === PAY_TO_SCRIPT_HASH;
}

/** BIP 173 and BIP 350: version 0 needs bech32 and 20 or 32 bytes, versions 1 to 16 bech32m and 2 to 40 bytes. */
function isWitness(text: string): boolean {
  const old = programLength(bech32, text);
  if (old !== null) return old.version === 0 && (old.bytes === 20 || old.bytes === 32);
  const current = programLength(bech32m, text);
  if (current === null) return false;
  return current.version >= 1 && current.version <= 16 && current.bytes >= 2 && current.bytes <= 40;
}

function programLength(coder: typeof bech32, text: string): { version: number; bytes: number } | null {
  const decoded = coder.decodeUnsafe(text);
  const version = decoded?.words[0];
  if (decoded === undefined || version === undefined) return null;
  const program = coder.fromWordsUnsafe(decoded.words.slice(1));
  return program ? { version, bytes: program.length } : null;
}
