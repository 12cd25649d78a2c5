/**
 * Why a signature is wrong (`D14`): it is compared with those that usual mistakes would have produced for the same
 * call.
 */
import { createHmac } from "node:crypto";
import type { Credential } from "../store/accounts.ts";

/** A signed call, as it came. */
export interface SignedCall {
  readonly signature: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

/** Larger bodies are not examined: each is signed a score of times. */
const MOST_BYTES = 64 * 1024;

/** TABLE: what may have been signed in place of timestamp.nonce.body. */
const texts: readonly (readonly [sentence: string, text: (call: SignedCall) => string | Buffer])[] = [
  ["", ({ timestamp, nonce, body }) => joined(`${timestamp}.${nonce}.`, body)],
  ["This one is of the body alone.", ({ body }) => body],
  ["This one is without the dots.", ({ timestamp, nonce, body }) => joined(timestamp + nonce, body)],
  [
    "This one has the nonce before the timestamp.",
    ({ timestamp, nonce, body }) => joined(`${nonce}.${timestamp}.`, body),
  ],
  ["This one is without the nonce.", ({ timestamp, body }) => joined(`${timestamp}.`, body)],
  ["This one is of an empty body.", ({ timestamp, nonce }) => `${timestamp}.${nonce}.`],
  [
    "This one is of the body without its spaces: sign the bytes that are sent.",
    ({ timestamp, nonce, body }) => `${timestamp}.${nonce}.${rewritten(body, (value) => JSON.stringify(value))}`,
  ],
  [
    "This one is of the body with spaces, as Python writes it: sign the bytes that are sent.",
    ({ timestamp, nonce, body }) => `${timestamp}.${nonce}.${rewritten(body, spaced)}`,
  ],
];

/** TABLE: what it may have been signed with. */
const keys: readonly (readonly [sentence: string, key: (credential: Credential) => string | Buffer])[] = [
  ["", ({ signing_key }) => signing_key],
  ["This one is made with the client secret.", ({ client_secret }) => client_secret],
  [
    "This one is made with the bytes that the key spells in hex: the key is its text.",
    ({ signing_key }) => Buffer.from(signing_key, "hex"),
  ],
];

/** TABLE: how it may have been written. */
const writings: readonly (readonly [
  sentence: string,
  encoding: "hex" | "base64" | "base64url",
  plain: (text: string) => string,
])[] = [
  ["", "hex", (text) => text],
  ["This one is in capitals.", "hex", (text) => text.toLowerCase()],
  ["This one has sha256= before it.", "hex", (text) => text.replace(/^(?:hmac-)?sha256=/i, "")],
  ["This one is in Base64.", "base64", (text) => text],
  ["This one is in Base64.", "base64url", (text) => text],
];

/** How a wrong signature differs from the right one; null if no usual mistake explains it. */
export function signatureSlip(call: SignedCall, credential: Credential): string | null {
  if (call.body.length > MOST_BYTES) return null;
  for (const [ofText, text] of texts) {
    for (const [ofKey, key] of keys) {
      const digest = createHmac("sha256", key(credential)).update(text(call)).digest();
      const written = writings.find(([, encoding, plain]) => plain(call.signature) === digest.toString(encoding));
      if (written) return [ofText, ofKey, written[0]].filter(Boolean).join(" ");
    }
  }
  return null;
}

function joined(before: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(before), body]);
}

/** The body as a library would write it; empty if it is not JSON. */
function rewritten(body: Buffer, write: (value: unknown) => string): string {
  try {
    return write(JSON.parse(body.toString()));
  } catch {
    return "";
  }
}

/** With a space after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
  return `{${fields.join(", ")}}`;
}
