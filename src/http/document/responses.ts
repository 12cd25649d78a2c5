/** What the OpenAPI document says of answers: successes, refusals by status, headers. */

import { type ErrorCode, type ErrorRow, errorCatalogue, errorCodes, statusesOf } from "../../domain/errors.ts";
import { capitalized } from "../../domain/words/capitalized.ts";
import type { Endpoint } from "../endpoint.ts";
import { answers } from "./answers.ts";
import { type EnvelopeName, errorOf, successOf } from "./answers-envelope.ts";
import { answerSchema, type Json, sampleOf } from "./schemas.ts";

const header = (description: string, schema: Json, more: Json = {}): Json => ({ description, schema, ...more });
const required = { required: true };
/** Marks headers that the sandbox adds to those of the service; R4 names them. */
const ours = { "x-sandbox-decision": "R4" };
const count = { type: "integer", minimum: 0 };

/** The headers of answers that the specification or a decision names. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  "X-RateLimit-Limit": header("Total of the window, requests per minute.", count, required),
  "X-RateLimit-Remaining": header("Remaining in the current window.", count, required),
  "X-RateLimit-Reset": header("Unix seconds at which the counter resets.", count, required),
  "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }, required),
  Allow: header("The method that is allowed.", { type: "string" }, { ...required, "x-sandbox-decision": "D21" }),
  "WWW-Authenticate": header(
    "How to authenticate; only of a token request by HTTP Basic.",
    { type: "string" },
    { "x-sandbox-decision": "D10" },
  ),
  "Cache-Control": header("A token is not to be stored.", { type: "string" }, { "x-sandbox-decision": "D10" }),
  "X-Request-Id": header("The request_id.", { type: "string" }, { "x-sandbox-decision": "D28" }),
  "X-Sandbox-World": header("The world that answered.", { type: "string" }, ours),
  "X-Sandbox-Time": header("The time on the world's clock.", { type: "string", format: "date-time" }, ours),
  "X-Sandbox-Hint": header("What the sandbox has to say on top.", { type: "string" }, ours),
};

/** Headers that go with one status alone. */
const statusOfHeader: Readonly<Record<string, number>> = { "Retry-After": 429, Allow: 405, "WWW-Authenticate": 401 };

/** Headers that go with the successes of one envelope alone. */
const envelopeOfHeader: Readonly<Record<string, EnvelopeName>> = { "Cache-Control": "oauth" };

/** `INVALID_REQUEST` gives `InvalidRequest`. */
const pascalCase = (code: ErrorCode) =>
  code
    .split("_")
    .map((word) => capitalized(word.toLowerCase()))
    .join("");
const answerName = ({ operationId }: Endpoint) => `${capitalized(operationId)}Answer`;
const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** `error` of the failure body, by code. */
export function errorSchemas(): Json {
  return Object.fromEntries(errorCodes.map((code) => [`${pascalCase(code)}Error`, answerSchema(errorOf(code))]));
}

/** An example of every code. */
export function failureExamples(): Json {
  const example = (code: ErrorCode) => {
    const { group, retryable, message }: ErrorRow = errorCatalogue[code];
    return { summary: message, value: { success: false, error: { code, message, group, retryable } } };
  };
  return Object.fromEntries(errorCodes.map((code) => [pascalCase(code), example(code)]));
}

/** The `data` of the answer of every endpoint. */
export function answerSchemas(endpoints: readonly Endpoint[]): Json {
  return Object.fromEntries(
    endpoints.map((endpoint) => [answerName(endpoint), answerSchema(answers[endpoint.answer])]),
  );
}

/** The refusals of an endpoint: those that follow from its row, and those of its own business rules. */
export function errorsOf({ auth, errors, input, media, method, openUnderReview, signed }: Endpoint): ErrorCode[] {
  const when = (holds: boolean, ...codes: ErrorCode[]) => (holds ? codes : []);
  const isBearer = auth === "bearer";
  return [
    ...when(input !== undefined || method === "POST", "INVALID_REQUEST"),
    "UNAUTHORIZED",
    ...when(signed === true, "MISSING_SIGNATURE", "INVALID_SIGNATURE"),
    "IP_BLOCKED_TEMPORARILY",
    "IP_BLACKLISTED",
    "METHOD_NOT_ALLOWED",
    "PAYLOAD_TOO_LARGE",
    ...when(media === "json" || media === "multipart", "UNSUPPORTED_MEDIA_TYPE"),
    ...errors,
    ...when(isBearer && !openUnderReview, "SECURITY_BLOCKED"),
    "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
  ];
}

/** A refusal: one status with all codes that it can carry. */
interface Refusal {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

function refusalsOf(endpoint: Endpoint): Refusal[] {
  const codes = errorsOf(endpoint);
  const statuses = [...new Set(codes.flatMap(statusesOf))].sort((left, right) => left - right);
  return statuses.map((status) => ({ status, codes: codes.filter((code) => statusesOf(code).includes(status)) }));
}

/** A name that is valid in any language: generators name types after it, and those cannot begin with a digit. */
const refusalName = ({ status, codes }: Refusal) => `${codes.map(pascalCase).join("Or")}${status}`;

/** All answers of an endpoint, by status. */
export function responses(endpoint: Endpoint): Json {
  const refusals = refusalsOf(endpoint).map((refusal) => [
    refusal.status,
    reference("responses", refusalName(refusal)),
  ]);
  return { [endpoint.status ?? 200]: success(endpoint), ...Object.fromEntries(refusals) };
}

/** The refusals of all endpoints, by name; many endpoints share them. */
export function refusalResponses(endpoints: readonly Endpoint[]): Json {
  const all = endpoints.flatMap(refusalsOf);
  return Object.fromEntries(all.map((refusal) => [refusalName(refusal), failure(refusal)]));
}

/** TABLE: values in the `data` of an answer's example that differ from those of `fields.ts`. */
const samples: Readonly<Record<string, Json>> = {
  createCashout: { external_id: "payout-1", amount: "25.00", fee: "0.43", amount_net: "24.57" },
  createTransfer: { external_id: null, amount: "10.00", fee: "0.00" },
  getRate: { amount: "100.00" },
  simulateConversion: { fee: "0.185000", expires_at: "2026-01-01T12:01:00.000Z" },
  createConversion: { fee: 0.185 },
  getProfile: { username: "acme" },
};

/** TABLE: the same for each item of a list. */
const itemSamples: Readonly<Record<string, readonly [list: string, own: Json]>> = {
  getFees: ["fees", { network: null }],
  listInfractions: ["items", { reason: "Product not received", reply_id: null }],
};

function exampleOf({ operationId }: Endpoint, schema: Json): Json {
  const example = sampleOf(schema) as Json;
  const data = { ...(example.data as Json), ...samples[operationId] };
  const [list, own] = itemSamples[operationId] ?? [];
  if (list) data[list] = (data[list] as Json[]).map((item) => ({ ...item, ...own }));
  return { ...example, data };
}

function success(endpoint: Endpoint): Json {
  const schema = answerSchema(successOf(answers[endpoint.answer], endpoint.envelope));
  const data = reference("schemas", answerName(endpoint));
  const properties = { ...(schema.properties as Json), data };
  const content = { "application/json": { schema: { ...schema, properties }, example: exampleOf(endpoint, schema) } };
  return { description: "Done.", headers: headersOf(endpoint.status ?? 200, endpoint.envelope), content };
}

function failure({ status, codes }: Refusal): Json {
  const errors = codes.map((code) => reference("schemas", `${pascalCase(code)}Error`));
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${pascalCase(code)}Error`]));
  const error = errors.length === 1 ? errors[0] : { oneOf: errors, discriminator: { propertyName: "code", mapping } };
  const schema = {
    type: "object",
    properties: { success: { description: "Whether it was done.", const: false }, error },
    required: ["success", "error"],
    additionalProperties: false,
  };
  const examples = Object.fromEntries(codes.map((code) => [code, reference("examples", pascalCase(code))]));
  const content = { "application/json": { schema, examples } };
  const description = codes.map((code) => `${code}: ${errorCatalogue[code].message}`).join(" ");
  return { description, headers: headersOf(status), content };
}

function headersOf(status: number, envelope?: EnvelopeName): Json {
  const names = Object.keys(responseHeaders).filter(
    (name) => (statusOfHeader[name] ?? status) === status && (envelopeOfHeader[name] ?? envelope) === envelope,
  );
  return Object.fromEntries(names.map((name) => [name, reference("headers", name)]));
}
