/** The OpenAPI 3.1 document of the service, made of the tables and schemas that the service itself runs by. */
import type { Endpoint, Tag } from "../endpoint.ts";
import { endpoints } from "../endpoints.ts";
import { bodySchema, requestName, requestPart, securitySchemes, signatureParameters } from "./requests.ts";
import {
  answerSchemas,
  errorSchemas,
  failureExamples,
  refusalResponses,
  responseHeaders,
  responses,
} from "./responses.ts";
import type { Json } from "./schemas.ts";
import { webhookParameters, webhookSchemas, webhooks } from "./webhooks.ts";

const ABOUT = `A multi-currency payments service, as payments-sandbox plays it.

Names that the sandbox had to make up, because the specification of the service does not give them, carry
\`x-sandbox-decision\` with the row of its table of decisions; \`x-sandbox-decisions\` of an operation or webhook are
the rows that bear on it. Amounts are decimals: strings or numbers, as each field says. A fault rule can answer any call
with any error, which its operation here need not name.`;

const tags: Readonly<Record<Tag | "Webhooks", string>> = {
  Authentication: "OAuth 2.0 client credentials.",
  Transactions: "Cash-in, cash-out and fixed wallets.",
  "Internal transfers": "Between accounts of the service.",
  Conversions: "Between currencies of one account.",
  Account: "What an account reads of itself.",
  Disputes: "Chargebacks (MED PIX).",
  Webhooks: "Events that the service sends to the merchant.",
};

/** The parts that depend on neither the version nor the address. */
type Body = Readonly<Record<"paths" | "webhooks" | "components", Json>>;
/** By whether events go by their legacy names too (`D55`). */
const bodies = new Map<boolean, Body>();

/** What a document depends on. */
interface Described {
  readonly version: string;
  /** Where the service answers, as an absolute address: clients need not resolve a relative one. */
  readonly baseUrl: string;
  /** Whether the world has the setting `legacy_refund_events` (`D55`). */
  readonly hasLegacyEvents?: boolean;
}

/** The document. */
export function openApiDocument({ version, baseUrl, hasLegacyEvents = false }: Described): Json {
  const made = bodies.get(hasLegacyEvents) ?? makeBody(hasLegacyEvents);
  bodies.set(hasLegacyEvents, made);
  return {
    openapi: "3.1.0",
    info: { title: "payments-sandbox", version, description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: made.paths,
    webhooks: made.webhooks,
    components: { ...made.components, securitySchemes: securitySchemes(baseUrl) },
  };
}

function makeBody(hasLegacyEvents: boolean): Body {
  const inputs = endpoints.flatMap((endpoint) => {
    const schema = bodySchema(endpoint);
    return schema ? [[requestName(endpoint), schema] as const] : [];
  });
  return {
    paths: Object.fromEntries(endpoints.map((row) => [row.path, { [row.method.toLowerCase()]: operationOf(row) }])),
    webhooks: webhooks(hasLegacyEvents),
    components: {
      schemas: {
        ...Object.fromEntries(inputs),
        ...answerSchemas(endpoints),
        ...webhookSchemas(hasLegacyEvents),
        ...errorSchemas(),
      },
      responses: refusalResponses(endpoints),
      examples: failureExamples(),
      headers: responseHeaders,
      parameters: { ...signatureParameters, ...webhookParameters },
    },
  };
}

function operationOf(endpoint: Endpoint): Json {
  const { operationId, tag, summary, perMinute, signed, decisions } = endpoint;
  const limit = `${perMinute} requests per minute per ${endpoint.auth === "none" ? "IP" : "credential"}.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description: signed ? `Signed by HMAC. ${limit}` : limit,
    ...(decisions ? { "x-sandbox-decisions": decisions } : {}),
    ...requestPart(endpoint),
    responses: responses(endpoint),
  };
}
