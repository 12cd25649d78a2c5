/** Masks that are stored in place of the secrets in calls. */
import { remembering } from "./remembering.ts";
import { isJson } from "./written-json.ts";

/** Replaces one word of a secret, whatever its length. */
export const MASK = "***";

/** Matches names of headers and fields that hold secrets. */
const SECRET_NAME =
  /authorization|authentication|bearer|cookie|credential|csrf|jwt|pass(?:phrase|w)|secret|session|signature|token|(?:access|api|auth|client|private|signing)[-_]?key/i;

const SCHEME = /^(?:Basic|Bearer|Digest|Token) +(?=\S)/i;

const isSecret = remembering((name) => SECRET_NAME.test(name));

/**
 * The value of a header as it is stored. In a secret each word is masked on its own, because the checks tell one word
 * from several; the scheme of an authorization is kept (`Bearer ***`).
 */
export function maskedHeader(name: string, value: string): string {
  if (!isSecret(name)) return value;
  const [scheme = ""] = (/authorization$/i.test(name) && SCHEME.exec(value)) || [];
  return scheme + value.slice(scheme.length).replace(/\S+/g, MASK);
}

/** A query string as it is stored: the values of secrets are masked, and so is a secret name without a value. */
export function maskedQuery(query: string): string {
  if (query === "") return query;
  return query.replace(/[^&]+/g, (field) => {
    const [name = ""] = field.split("=", 1);
    if (!namesSecret(name)) return field;
    return name === field ? MASK : `${name}=${MASK}`;
  });
}

/** Whether a text contains the name of a secret, even escaped as in JSON (`\u0063`) or forms (`%63`), or in UTF-16. */
export function namesSecret(text: string): boolean {
  const code = (_all: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return SECRET_NAME.test(text.replaceAll("\0", "").replace(/(?:%|\\u00)([\da-f]{2})/gi, code));
}

/** The fields of a token request that are not secret (`D10`). */
const SHOWN_FIELDS: readonly unknown[] = ["client_id", "grant_type", "scope"];

/** Values that are safe to show: none of their characters delimits further fields, and they hold no secret by mistake. */
const SHOWN_VALUE = /^(?!.*(?:secret-\w{32}|[\da-f]{64}))[\w .~@:/%+-]*$/;

/** What is stored of a body that is neither JSON nor a form. */
const WHOLE = /^\*{3} \(\d+ bytes\)$/;

const FORM = /^\s*[\w.%+[\]-]+=/;

/**
 * The body of a token request as it is stored. JSON and forms, recognized by content whatever the content type, get a
 * mask for every value except those of fields that are not secret; any other body becomes a mask and its length. A body
 * that passes the schema still passes when masked, so that a replay has the same result. A masked body is not changed.
 * @param text the body with one character per byte.
 */
export function maskedTokenCall(text: string): string {
  if (WHOLE.test(text)) return text;
  if (isJson(text)) return maskedJson(text);
  return FORM.test(text) ? text.replace(/[^&]+/g, maskedField) : `${MASK} (${text.length} bytes)`;
}

/** Masks valid JSON and keeps its layout. */
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
