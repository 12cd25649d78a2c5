import { bytesToHex } from "@noble/hashes/utils.js";

/** A UUID of version 4 in lower case, made of the first sixteen bytes. */
export function uuidOf(given: Uint8Array): string {
  const bytes = Uint8Array.from(given.subarray(0, 16));
  bytes[6] = 0x40 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
