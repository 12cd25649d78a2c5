/**
 * The caller's probable mistake, in a sentence for `X-Sandbox-Hint`: bodies follow the service to the letter (R4),
 * which tells a newcomer little.
 */

import { isUtf8 } from "node:buffer";
import { DomainError, type ErrorCode } from "../domain/errors.ts";
import { isObject } from "../domain/plain-values.ts";
import { TOKEN_CALL } from "../domain/service-calls.ts";
import { nearName } from "../domain/words/near-name.ts";
import { tokenEnded } from "../domain/words/told-reasons.ts";
import { convertibleCurrencies } from "../service/rates.ts";
import { type Claims, claimsOfToken, isSpoiltToken } from "../service/tokens.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { bearerToken } from "./bearer.ts";
import { FORM_TYPE, mediaTypeOf } from "./body.ts";
import type { ServiceCall } from "./checks.ts";
import { endpoints } from "./endpoints.ts";
import { formHint, MOST_SHOWN } from "./form-mistakes.ts";
import { nameOf } from "./read-input.ts";
import { MOST_UNKNOWN, unknownFieldsIn } from "./unknown-fields.ts";

/** TABLE: how to find a hint, by the code of the refusal; null where nothing would help. */
const searches: Partial<Record<ErrorCode, (call: ServiceCall) => string | null>> = {
  NOT_FOUND: ({ endpoint, incoming }) => (endpoint ? null : pathHint(incoming.path)),
  METHOD_NOT_ALLOWED: ({ endpoint }) => (endpoint ? `It is ${endpoint.method} ${endpoint.path}.` : null),
  UNAUTHORIZED: tokenHint,
  UNSUPPORTED_MEDIA_TYPE: mediaHint,
  INVALID_REQUEST: (call) => codingHint(call) ?? unreadHint(call) ?? formHint(call) ?? unknownFieldHint(call),
  INVALID_CURRENCY: currencyHint,
  UNSUPPORTED_CURRENCY: currencyHint,
};

/** The hint for a call that was refused, or executed in spite of a mistake; null for none. */
export function mistakeHint(call: ServiceCall, outcome: unknown): string | null {
  if (!(outcome instanceof DomainError)) return formHint(call) ?? unknownFieldHint(call);
  return searches[outcome.code]?.(call) ?? null;
}

/** Asks for the address that was probably meant by one that does not exist, first by its beginning; null if none is near. */
export function pathHint(path: string): string | null {
  const control = path.replace(/^\/+[-_]*sandbox(?=\/|$)/i, "/_sandbox");
  if (control !== path) return `Did you mean ${control}?`;
  const paths = endpoints.map((endpoint) => endpoint.path as string);
  const plain = `/${path.split("/").filter(Boolean).join("/")}`;
  const below = /^\/(?:api\/)?v\d+\//.test(plain) ? plain.replace(/^\/(?:api\/)?v\d+\//, "/v2/") : `/v2${plain}`;
  const longer = paths.filter((each) => each.startsWith(`${below}/`));
  const [only = null] = longer.length === 1 ? longer : [];
  const meant = paths.includes(below) ? below : (only ?? nearName(below, longer.length > 0 ? longer : paths));
  return meant && `Did you mean ${meant}?`;
}

/** Null in a replay, which has no secrets to look at. */
function tokenHint({ incoming, operation, endpoint }: ServiceCall): string | null {
  if (incoming.proof || endpoint?.auth === "none") return null;
  const { authorization } = incoming.headers;
  if (!authorization) return `${TOKEN_CALL} gives the token; send it as Authorization: Bearer TOKEN.`;
  const token = bearerToken(authorization);
  if (!token) return "The header Authorization has to read Bearer, a space, and the token alone.";
  const claims = claimsOfToken(operation.world, token);
  if (claims) return claimsHint(operation, claims);
  if (isSpoiltToken(operation.world, token))
    return "The token was changed or cut off: send it as it was given, all of it.";
  if (/[^\w.-]/.test(token))
    return "The token holds what no token has, such as a quote or a bracket: send it as it was given.";
  if (token.split(".").length !== 3) return `This is no access token: ${TOKEN_CALL} gives one.`;
  return "The token is not of this world: another world, or another seed, has issued it.";
}

function claimsHint({ world, now }: Operation, { clientId, expiresAt }: Claims): string {
  return world.accounts.credential(clientId)
    ? tokenEnded(formatInstant(expiresAt), formatInstant(now))
    : `This world has no client_id ${clientId}: another one has issued the token, or this one, before it went back.`;
}

function mediaHint({ endpoint, incoming }: ServiceCall): string {
  const wanted = endpoint?.media === "multipart" ? "multipart/form-data" : "application/json";
  const given = incoming.headers["content-type"];
  return given
    ? `The call says Content-Type: ${given.slice(0, MOST_SHOWN)}, not ${wanted}.`
    : `Add the header Content-Type: ${wanted}.`;
}

/** TABLE: mistakes in a body that should be JSON, recognized by pattern. */
const slips: readonly (readonly [look: RegExp, sentence: string])[] = [
  [/^\s*$/, "The body is empty."],
  [/^\uFEFF/, "The body begins with a byte order mark, which JSON has none of."],
  [/^\s*[{[]\s*'/, "Texts of JSON stand in double quotes."],
  [/^[\w.%+[\]-]+=/, "The body is a form, not JSON."],
  [/,\s*[}\]]/, "No comma stands before a } or ] of JSON."],
  [/^\s*\{\s*[A-Za-z_]/, "Names of fields stand in double quotes."],
];

/** Longer bodies get no such hint: they may be refused for their length alone. */
const MOST_LOOKED_AT = 64 * 1024;

/** JSON strings; an unterminated one extends to the end, so that each character is looked at only once. */
const TEXTS = /"(?:[^"\\]|\\.?)*(?:"|$)/gs;

/**
 * The beginning of a token request sent as a form. Masks keep its field names, so that a replay gives the same hint.
 */
const TOKEN_FORM = /^(?:client_id|client_secret|grant_type)=/;

/** The hint for a body that could not be read because it is coded, such as compressed. */
function codingHint(call: ServiceCall): string | null {
  const coding = call.incoming.headers["content-encoding"] ?? "identity";
  if (coding === "identity" || !isUnread(call)) return null;
  return `The body is sent with Content-Encoding: ${coding.slice(0, MOST_SHOWN)}; send it as it is.`;
}

/** Any bytes are a form without files: one that begins with no field of a token request counts as not read. */
function isUnread({ incoming: { form, headers, body }, given }: ServiceCall): boolean {
  if (form !== undefined) return form === null;
  return given === undefined || (mediaTypeOf(headers) === FORM_TYPE && !TOKEN_FORM.test(body.toString()));
}

/** Why a body could not be read; null for one that could. */
function unreadHint({ endpoint, incoming, given }: ServiceCall): string | null {
  if (given !== undefined || incoming.body.length > MOST_LOOKED_AT) return null;
  if (endpoint?.media === "json_or_form") return untoldFormHint(incoming);
  if (endpoint?.media !== "json") return null;
  if (!isUtf8(incoming.body)) return "The body has bytes that are no UTF-8.";
  // What stands inside a string is not JSON syntax.
  const text = incoming.body.toString().replace(TEXTS, '""');
  return slips.find(([look]) => look.test(text))?.[1] ?? null;
}

/** Clients that are given the form as a string declare it as text/plain. */
function untoldFormHint({ headers, body }: ServiceCall["incoming"]): string | null {
  const isUntold = TOKEN_FORM.test(body.toString()) && !headers["content-type"]?.toLowerCase().startsWith(FORM_TYPE);
  return isUntold ? `The body is a form, and is read as one with Content-Type: ${FORM_TYPE}.` : null;
}

function unknownFieldHint({ endpoint, given }: ServiceCall): string | null {
  const unknown = [...unknownFieldsIn(endpoint?.input?.(), given)];
  const slips = unknown.filter(({ meant }) => meant !== null).slice(0, MOST_UNKNOWN);
  if (slips.length === 0) return null;
  const places = slips.map(({ path }) => JSON.stringify(nameOf(path))).join(", ");
  const [fields, were] =
    slips.length === 1 ? ["The field", "is not known and was"] : ["The fields", "are not known and were"];
  return `${fields} ${places} ${were} ignored; did you mean ${slips.map(({ meant }) => meant).join(", ")}?`;
}

const CURRENCY_FIELDS = ["currency", "base_currency", "destination_currency"] as const;

/**
 * The hint for an unknown currency: the setting that adds it, the one probably meant (codes are in capitals), or all
 * there are; for known currencies, that they cannot be converted.
 */
function currencyHint({ given, operation }: ServiceCall): string | null {
  if (!isObject(given)) return null;
  const { currencies } = operation.world.currencies;
  const codes = [...currencies.keys()];
  const unknown = CURRENCY_FIELDS.map((field) => given[field]).find(
    (code) => typeof code === "string" && !codes.includes(code),
  );
  const convertible = convertibleCurrencies(operation.world);
  if (typeof unknown !== "string") return pairHint(given, convertible);
  const known = given.base_currency === undefined ? codes : convertible;
  return extendedHint(operation.world, unknown) ?? nearHint(unknown, known) ?? `There are ${known.join(", ")}.`;
}

/** The hint for a currency that the specification names apart from its table (`D02`). */
function extendedHint({ fixtures }: World, code: string): string | null {
  const isThere = fixtures.currencies.some(({ currency }) => currency === code);
  return isThere ? `${code} is there with the setting currencies: extended.` : null;
}

function nearHint(code: string, known: readonly string[]): string | null {
  const meant = nearName(code, known);
  return meant && `Did you mean ${meant}?`;
}

/** The hint for a pair that cannot be converted; null for one that can, and where none was given. */
function pairHint(given: Record<string, unknown>, convertible: readonly string[]): string | null {
  const { base_currency: base, destination_currency: destination } = given;
  const isPair = base !== destination && [base, destination].every((code) => convertible.includes(String(code)));
  if (base === undefined || isPair) return null;
  if (convertible.length < 2) return "No two currencies of this world have a rate.";
  return `Any two of ${convertible.join(", ")} can be converted.`;
}
