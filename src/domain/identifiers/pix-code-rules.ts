/** Identifier of the PIX arrangement in 26-00; compared without regard to case. */
export const PIX_GUI = "br.gov.bcb.pix";

/** What stands in 62-05 when the code itself carries no transaction label; always so in a dynamic code (D31). */
export const ANY_LABEL = "***";

/** Form of field 54. */
export const AMOUNT = /^\d+\.\d{2}$/;

/** The longest key or location, in characters; the lengths below are in characters, too. */
export const LONGEST_ACCOUNT = 77;
/** Field 54. */
export const LONGEST_AMOUNT = 13;
/** Field 59, the merchant's name. */
export const LONGEST_NAME = 25;
/** Field 60, the merchant's city. */
export const LONGEST_CITY = 15;

const LOCATION = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/[A-Za-z0-9._~%!$&'()*+,;=:@-]+)+$/;

/** True for the URL of a dynamic code: lower-case host and path without scheme, at most 77 characters. */
export function isLocation(text: string): boolean {
  return text.length <= LONGEST_ACCOUNT && LOCATION.test(text);
}
