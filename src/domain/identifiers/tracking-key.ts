import { drawCharacters } from "./entropy.ts";

const ALPHANUMERICS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The longest clave de rastreo that SPEI takes, in characters. */
const TRACKING_KEY_LENGTH = 30;

/**
 * Makes a SPEI tracking key (clave de rastreo, D67): thirty upper-case alphanumerics.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeTrackingKey(entropy: Uint8Array): string {
  return drawCharacters(entropy, "tracking key", ALPHANUMERICS, TRACKING_KEY_LENGTH);
}
