import { isBitcoinAddress, makeBitcoinAddress } from "./bitcoin-address.ts";
import { isEvmAddress, makeEvmAddress } from "./evm-address.ts";
import { isSolanaAddress, makeSolanaAddress } from "./solana-address.ts";
import { isTronAddress, makeTronAddress } from "./tron-address.ts";

/** The forms an address can have; every EVM chain shares one. */
export type AddressFormat = "evm" | "tron" | "bitcoin" | "solana";

const FORMATS: Record<AddressFormat, { make: (entropy: Uint8Array) => string; is: (text: string) => boolean }> = {
  evm: { make: makeEvmAddress, is: isEvmAddress },
  tron: { make: makeTronAddress, is: isTronAddress },
  bitcoin: { make: makeBitcoinAddress, is: isBitcoinAddress },
  solana: { make: makeSolanaAddress, is: isSolanaAddress },
};

/**
 * Makes a deposit address in a chain's form (CIN-05): EVM in EIP-55 case, tron `T…`, bitcoin `bc1q…`, solana base58.
 *
 * The address comes from a hash, not from a key pair: nobody can spend what is sent to it on a real chain.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeAddress(format: AddressFormat, entropy: Uint8Array): string {
  return FORMATS[format].make(entropy);
}

/** True when the text is an address in a chain's form, mainnets only; checksums count (D36). Never throws. */
export function isAddress(format: AddressFormat, text: string): boolean {
  return FORMATS[format].is(text);
}
