/** What the OpenAPI document says of requests: bodies, queries, signature headers, security. */

import { z } from "zod";
import { NONCE_WINDOW_MS } from "../../domain/nonces.ts";
import { TOKEN_PATH } from "../../domain/service-calls.ts";
import { capitalized } from "../../domain/words/capitalized.ts";
import type { Endpoint } from "../endpoint.ts";
import { MAX_FILES, MAX_ID, MAX_TEXT } from "../reply-form.ts";
import { UNIX_SECONDS } from "../signature.ts";
import { type Json, requestSchema } from "./schemas.ts";

/** `D51`; the form is judged by `reply-form.ts`. */
const replyForm = z.object({
  infraction_id: z.string().min(1).max(MAX_ID),
  text: z.string().min(1).max(MAX_TEXT),
  files: z.array(z.file()).max(MAX_FILES).optional(),
});

/** A required header, as a parameter. */
export const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
});

const SIGNED =
  "HMAC-SHA256, keyed with the signing key, over timestamp + '.' + nonce + '.' + raw body; lower-case hex.";

/** The headers of signed calls. */
export const signatureParameters = {
  Signature: header("X-Signature", SIGNED, { type: "string", pattern: "^[0-9a-f]{64}$" }),
  Timestamp: header("X-Timestamp", "Unix seconds, as in the signed text.", {
    type: "string",
    pattern: UNIX_SECONDS.source,
  }),
  Nonce: header("X-Nonce", `UUID v4, unique within ${NONCE_WINDOW_MS / 60_000} minutes.`, {
    type: "string",
    format: "uuid",
  }),
};

/** The ways in which a caller authenticates. */
export function securitySchemes(baseUrl: string): Json {
  return {
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token." },
    clientCredentials: {
      type: "oauth2",
      description: "How a stock OAuth 2.0 client gets the access token (D10).",
      flows: { clientCredentials: { tokenUrl: `${baseUrl}${TOKEN_PATH}`, scopes: {} } },
    },
    basic: {
      type: "http",
      scheme: "basic",
      description: "client_id and client_secret, instead of in the body (D10).",
      "x-sandbox-decision": "D10",
    },
  };
}

/** The name of the component that describes an endpoint's body. */
export const requestName = ({ operationId }: Endpoint) => `${capitalized(operationId)}Request`;

/** The JSON Schema of a body; undefined where there is none. */
export function bodySchema({ method, input, media, operationId }: Endpoint): Json | undefined {
  if (method === "GET") return undefined;
  const schema = media === "multipart" ? replyForm : input?.();
  return schema ? requestSchema(schema, operationId) : undefined;
}

/** What an operation says of its request. */
export function requestPart(endpoint: Endpoint): Json {
  const { auth, method, input, media, operationId, signed, example } = endpoint;
  const query = method === "GET" && input ? queryParameters(requestSchema(input(), operationId)) : [];
  const hmac = signed
    ? Object.keys(signatureParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))
    : [];
  const parameters = [...hmac, ...query];
  const content = {
    schema: { $ref: `#/components/schemas/${requestName(endpoint)}` },
    ...(example ? { example } : {}),
  };
  const medias = {
    json: ["application/json"],
    json_or_form: ["application/json", "application/x-www-form-urlencoded"],
    multipart: ["multipart/form-data"],
    none: [],
  }[media];
  const body = { required: auth === "bearer", content: Object.fromEntries(medias.map((name) => [name, content])) };
  return {
    security: auth === "bearer" ? [{ bearer: [] }, { clientCredentials: [] }] : [{}, { basic: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(medias.length > 0 ? { requestBody: body } : {}),
  };
}

function queryParameters({ properties, required }: Json): Json[] {
  const needed = (required as string[] | undefined) ?? [];
  return Object.entries(properties as Record<string, Json>).map(([name, member]) => {
    const { description, "x-sandbox-decision": decision, ...schema } = member;
    const marked = decision ? { "x-sandbox-decision": decision } : {};
    return { name, in: "query", required: needed.includes(name), description, ...marked, schema };
  });
}
