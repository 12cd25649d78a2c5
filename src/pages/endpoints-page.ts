/** `docs/endpoints.md`: the fifteen endpoints. */
import type { SandboxClient } from "../client/sandbox-client.ts";
import { type ErrorCode, errorCatalogue, errorCodes } from "../domain/errors.ts";
import { answers } from "../http/document/answers.ts";
import { bodySchema } from "../http/document/requests.ts";
import { errorsOf } from "../http/document/responses.ts";
import { answerSchema, requestSchema } from "../http/document/schemas.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { endpoints, OTHER_PATHS_PER_MINUTE } from "../http/endpoints.ts";
import { inputTable, outputTable } from "./fields.ts";
import { anchorOf, code, decisionLinks, jsonBlock, page, points, table } from "./markdown.ts";
import { type CallSample, sampleCall } from "./samples.ts";

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const ANSWERS = `Every success is \`{"success": true, "data": …, "request_id", "timestamp"}\`; the tables below say what
is in \`data\`. Every failure is \`{"success": false, "error": {"code", "message", "group", "retryable"}}\`; all codes are
in [errors.md](errors.md). Every answer carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\`, a 429 also \`Retry-After\`. The sandbox adds \`X-Sandbox-World\`, \`X-Sandbox-Time\` and sometimes
\`X-Sandbox-Hint\`.`;

const SIGNING = `Signed calls have three more headers: \`X-Timestamp\` (Unix seconds), \`X-Nonce\` (a UUID v4, new
for each call) and \`X-Signature\`, the lower-case hex of HMAC-SHA256 over timestamp + \`.\` + nonce + \`.\` + the bytes of
the body, keyed with the signing key. Vectors and clients in Python, PHP, Java and Go:
[fixtures/clients](../fixtures/clients/README.md).`;

const READING = `A \`null\` for an optional field is the same as leaving it out. A name such as D36 is a row of
[what the specification leaves open](settings.md#what-the-specification-leaves-open). The examples are calls to a world
of seed 1 and its answers, with the first two entries of lists. \`/openapi.json\`, or \`npx payments-sandbox openapi\`,
has the same as OpenAPI 3.1.`;

/** The page, in Markdown. @param sandbox where the examples are called. */
export async function endpointsPage(sandbox: SandboxClient): Promise<string> {
  const sections: string[] = [];
  for (const endpoint of endpoints) sections.push(section(endpoint, await sampleCall(sandbox, endpoint)));
  const common = `Every call can be refused with:\n\n${refusals(everywhere)}`;
  const paragraphs = [ANSWERS, SIGNING, READING, overview(), common, ...sections];
  return page("Endpoints", "src/http/endpoints.ts", paragraphs);
}

function overview(): string {
  const rows = endpoints.map((endpoint) => {
    const name = nameOf(endpoint);
    return [`[${name}](#${anchorOf(name)})`, endpoint.summary, String(endpoint.perMinute), credentialsOf(endpoint)];
  });
  return `${table(["call", "what it does", "per minute", "needs"], rows)}

Limits are per credential, for the token per address; other paths have ${OTHER_PATHS_PER_MINUTE} per minute.`;
}

function credentialsOf({ auth, signed }: Endpoint): string {
  if (auth === "none") return "client id and secret";
  return signed ? "token and signature" : "token";
}

function section(endpoint: Endpoint, sample: CallSample): string {
  const { summary, decisions = [] } = endpoint;
  const own = errorsOf(endpoint).filter((name) => !everywhere.includes(name));
  const open = decisions.length > 0 ? [`Open points: ${decisionLinks(decisions)}.`] : [];
  const parts = [
    `## ${nameOf(endpoint)}`,
    summary,
    ...requestPart(endpoint, sample),
    ...answerPart(endpoint, sample),
    ...(own.length > 0 ? ["Further refusals:", refusals(own)] : []),
    ...open,
  ];
  return parts.join("\n\n");
}

/** TABLE: how a body may be sent. */
const medias: Readonly<Record<Endpoint["media"], string>> = {
  json: "Body, `application/json`:",
  json_or_form: "Body, `application/json` or `application/x-www-form-urlencoded`:",
  multipart: "Form, `multipart/form-data`:",
  none: "Query:",
};

function requestPart(endpoint: Endpoint, { request }: CallSample): string[] {
  const { method, input, operationId, media } = endpoint;
  const schema = method === "GET" ? input && requestSchema(input(), operationId) : bodySchema(endpoint);
  if (!schema) return ["It takes no parameters."];
  return [medias[media], inputTable(schema), ...(request ? [jsonBlock(request)] : [])];
}

function answerPart({ answer, status = 200 }: Endpoint, sample: CallSample): string[] {
  return [`Answer ${status}, in \`data\`:`, outputTable(answerSchema(answers[answer])), jsonBlock(sample.answer)];
}

/** The codes with which every endpoint can refuse. */
const everywhere = errorCodes.filter((name) => endpoints.every((endpoint) => errorsOf(endpoint).includes(name)));

function refusals(codes: readonly ErrorCode[]): string {
  const byStatus = Map.groupBy(codes, (name) => errorCatalogue[name].status);
  const statuses = [...byStatus.keys()].sort((left, right) => left - right);
  const lines = statuses.map((status) => {
    const links = (byStatus.get(status) ?? []).map((name) => `[${code(name)}](errors.md#${anchorOf(name)})`);
    return `${status}: ${links.join(", ")}`;
  });
  return points(lines);
}
