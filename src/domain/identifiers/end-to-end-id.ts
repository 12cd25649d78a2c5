import { drawCharacters } from "./entropy.ts";

/** What an end-to-end id is made of; `instant` is UTC text such as `2026-01-01T12:00:00.000Z`. */
type PaymentMoment = { ispb: string; instant: string; entropy: Uint8Array };

/** The form of an ISPB, by which a bank takes part in payments. */
export const ISPB = /^[0-9A-Z]{8}$/;
const INSTANT = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):[0-5]\d(?:\.\d{1,9})?Z$/;
const ALPHANUMERICS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Makes the end-to-end id of a PIX payment (TX-17): `E`, ISPB, yyyyMMddHHmm in UTC, eleven alphanumerics;
 * 32 characters.
 * @throws {RangeError} when the ISPB is not eight digits or upper-case letters, the instant is not UTC text or the
 * entropy is not 32 bytes long.
 */
export function makeEndToEndId({ ispb, instant, entropy }: PaymentMoment): string {
  if (!ISPB.test(ispb)) throw new RangeError("an ISPB must be eight digits or upper-case letters");
  const parts = INSTANT.exec(instant);
  if (parts === null) throw new RangeError("the instant must be UTC text like 2026-01-01T12:00:00.000Z");
  const minute = parts.slice(1).join("");
  return `E${ispb}${minute}${drawCharacters(entropy, "pix E", ALPHANUMERICS, 11)}`;
}
