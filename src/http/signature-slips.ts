/**
 * Why a signature is wrong (`D14`): it is compared with those that usual mistakes would have produced for the same
 * call.
 */
import { createHmac } from "node:crypto";
import { isJson } from "../domain/written-json.ts";
import type { Credential } from "../store/accounts.ts";
import type { World } from "../world/world.ts";
import { signatureOf } from "./signed-text.ts";

/** A signed call, as it came. */
interface SignedCall {
  readonly signature: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

/** Larger bodies are not examined: each is signed dozens of times. */
const MOST_BYTES = 64 * 1024;

/** TABLE: how what stands between the strings of the body may have been written. */
const spaces: readonly (readonly [words: string, written: (signs: string) => string])[] = [
  ["", (signs) => signs],
  ["without its spaces", (signs) => signs.replace(/\s/g, "")],
  ["with spaces, as Python writes it", (signs) => signs.replace(/\s/g, "").replace(/[,:]/g, "$& ")],
];

/** TABLE: how the strings of the body may have been written. */
const escapes: readonly (readonly [words: string, written: (string: string) => string])[] = [
  ["", (string) => string],
  ["without its \\u escapes", (string) => JSON.stringify(JSON.parse(string))],
  ["with \\u escapes", (string) => inAscii(JSON.stringify(JSON.parse(string)))],
];

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
  ...rewritings(),
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
export function signatureSlip(call: SignedCall, credential: Credential, { accounts }: World): string | null {
  if (call.body.length > MOST_BYTES) return null;
  for (const [ofText, text] of texts) {
    for (const [ofKey, key] of keys) {
      const digest = createHmac("sha256", key(credential)).update(text(call)).digest();
      const written = writings.find(([, encoding, plain]) => plain(call.signature) === digest.toString(encoding));
      if (written) return [ofText, ofKey, written[0]].filter(Boolean).join(" ");
    }
  }
  const others = accounts.all().flatMap(({ username }) => accounts.credentialsOf(username));
  const owner = others.find(({ signing_key }) => signatureOf(signing_key, call) === call.signature);
  if (!owner) return null;
  const whose = `${owner.client_id}, a credential of ${owner.username}`;
  return `This one is made with the signing key of ${whose}; the token is of ${credential.client_id}.`;
}

function joined(before: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(before), body]);
}

/** The body as libraries would write it that sign other bytes than they send: rows of {@link texts}, likely ones first. */
function* rewritings(): Generator<(typeof texts)[number]> {
  for (const [ofEscapes, string] of escapes) {
    for (const [ofSpaces, sign] of spaces) {
      const words = [ofEscapes, ofSpaces].filter(Boolean).join(" and ");
      if (words === "") continue;
      const text = ({ timestamp, nonce, body }: SignedCall) =>
        `${timestamp}.${nonce}.${rewritten(body.toString(), string, sign)}`;
      yield [`This one is of the body ${words}: sign the bytes that are sent.`, text];
    }
  }
}

/** A string of JSON, or all between two of them. */
const PARTS = /"(?:[^"\\]|\\.)*"|[^"]+/g;

/** Numbers stay as they are written; empty if the body is not JSON. */
function rewritten(body: string, string: (text: string) => string, signs: (text: string) => string): string {
  if (!isJson(body)) return "";
  return body.replace(PARTS, (part) => (part.startsWith('"') ? string(part) : signs(part)));
}

function inAscii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
