import { stretchEntropy } from "./entropy.ts";
import { taxIdKind } from "./tax-id.ts";
import { uuidOf } from "./uuid.ts";

/** The five kinds of PIX key (D36). */
export const pixKeyTypes = ["cpf", "cnpj", "email", "phone", "evp"] as const;
type PixKeyType = (typeof pixKeyTypes)[number];

const LONGEST_KEY = 77;
const PHONE = /^\+55[1-9]\d9\d{8}$/;
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
// The pattern of the central bank's directory (DICT): no dot is asked of the domain.
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Says what kind of PIX key a text is, or null when it fits no format (D36).
 *
 * A phone always carries `+55`: eleven digits without it can only be a CPF. Punctuation and upper-case e-mails or
 * EVPs fit no format. Never throws.
 */
export function pixKeyType(key: string): PixKeyType | null {
  if (key.length > LONGEST_KEY) return null;
  if (EVP.test(key)) return "evp";
  if (PHONE.test(key)) return "phone";
  return taxIdKind(key) ?? (EMAIL.test(key) ? "email" : null);
}

/**
 * Makes a random PIX key (EVP): a UUID of version 4 in lower case.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeEvp(entropy: Uint8Array): string {
  return uuidOf(stretchEntropy(entropy, "evp", 16));
}
