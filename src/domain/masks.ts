/** What is kept in the place of secrets that somebody sends. */
import { remembering } from "./remembering.ts";
import { isJson } from "./written-json.ts";

/** It stands for one word of a secret, whatever the length of that. */
export const MASK = "***";

/** What names of headers and fields have in them where they are those of secrets. */
const SECRET_NAME =
  /authorization|authentication|bearer|cookie|credential|csrf|jwt|pass(?:phrase|w)|secret|session|signature|token|(?:access|api|auth|client|private|signing)[-_]?key/i;

const SCHEME = /^(?:Basic|Bearer|Digest|Token) +(?=\S)/i;

const isSecret = remembering((name) => SECRET_NAME.test(name));

/**
 * A header as it is kept: of a secret a mask for each of its words, since the checks tell a header of one word from
 * one of more; of an authorization its scheme too, where it has one (`Bearer ***`).
 */
export function maskedHeader(name: string, value: string): string {
  if (!isSecret(name)) return value;
  const [scheme = ""] = (/authorization$/i.test(name) && SCHEME.exec(value)) || [];
  return scheme + value.slice(scheme.length).replace(/\S+/g, MASK);
}

/** A query as it is kept, a mask for each of its secrets. */
export function maskedQuery(query: string): string {
  if (query === "") return query;
  return query.replace(/[^&]+/g, (field) => {
    const [name = ""] = field.split("=", 1);
    if (!namesSecret(name)) return field;
    return name === field ? MASK : `${name}=${MASK}`;
  });
}

/** Whether a text has the name of a secret in it, be it as JSON (`\u0063`), forms (`%63`) or UTF-16 may write it. */
export function namesSecret(text: string): boolean {
  const code = (_all: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return SECRET_NAME.test(text.replaceAll("\0", "").replace(/(?:%|\\u00)([\da-f]{2})/gi, code));
}

/** The fields of a call for a token that are no secrets (`D10`). */
const SHOWN_FIELDS: readonly unknown[] = ["client_id", "grant_type", "scope"];

/** What nothing else can hide in, such as further fields between other signs. */
const SHOWN_VALUE = /^[\w .~@:/%+-]*$/;

/** What is kept of what is neither JSON nor a form. */
const WHOLE = /^\*{3} \(\d+ bytes\)$/;

const FORM = /^\s*[\w.%+[\]-]+=/;

/**
 * The body of a call for a token as it is kept: whatever it calls itself, JSON and forms with a mask for every value
 * but those of fields that are no secrets, anything else as a mask and its length. What passes the schema of the call
 * still does, so that its replay comes to the same; what is masked already stays as it is.
 * @param text a character for each byte.
 */
export function maskedTokenCall(text: string): string {
  if (WHOLE.test(text)) return text;
  if (isJson(text)) return maskedJson(text);
  return FORM.test(text) ? text.replace(/[^&]+/g, maskedField) : `${MASK} (${text.length} bytes)`;
}

/** Valid JSON in the layout that it has. */
function maskedJson(text: string): string {
  let depth = 0;
  let name: unknown;
  return text.replace(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|[^\s,:"{}[\]]+/g, (token, colon?: string) => {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (colon !== undefined) name = depth === 1 ? JSON.parse(token.slice(0, -colon.length)) : undefined;
    else if (!isShown(name, depth, token)) return `"${MASK}"`;
    return token;
  });
}

function isShown(name: unknown, depth: number, token: string): boolean {
  if (["null", "true", "false"].includes(token)) return true;
  return depth === 1 && SHOWN_FIELDS.includes(name) && SHOWN_VALUE.test(JSON.parse(token));
}

function maskedField(field: string): string {
  const [, name, value = ""] = /^([\s\w.+[\]-]+)=(.*)$/s.exec(field) ?? [];
  if (name === undefined) return MASK;
  return SHOWN_FIELDS.includes(name) && SHOWN_VALUE.test(value) ? field : `${name}=${MASK}`;
}
