import { createHmac } from "node:crypto";

/** What a signature is made over (Authentication, HMAC). */
interface SignedParts {
  /** Unix seconds, as `X-Timestamp` has them. */
  readonly timestamp: string;
  readonly nonce: string;
  /** The bytes of the body, as they are sent. */
  readonly body: string | Uint8Array;
}

/** The value of `X-Signature`: lower-case hex HMAC-SHA256 of `timestamp.nonce.body` with the signing key. */
export function signatureOf(signingKey: string, { timestamp, nonce, body }: SignedParts): string {
  return createHmac("sha256", signingKey).update(`${timestamp}.${nonce}.`).update(body).digest("hex");
}
