/** `docs/errors.md`: the error catalogue. */
import { type ErrorCode, type ErrorRow, errorCatalogue, errorCodes } from "../domain/errors.ts";
import { errorsOf } from "../http/document/responses.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { endpoints } from "../http/endpoints.ts";
import { errorRecipes } from "./error-recipes.ts";
import { anchorOf, code, decisionLinks, jsonBlock, page, table } from "./markdown.ts";

const BODY = `A refusal of \`/v2\` has only this body; \`request_id\` is in the header \`X-Request-Id\`. \`retryable\` means
that the same request may succeed later: after \`Retry-After\` seconds on 429, after 1, 2, 4 and 8 seconds on 502 and
503.`;

const FAULTS = `The sections below say how to cause each code. You can also force any of them, by a fault rule of
\`PUT /_sandbox/faults\`:`;

const fault = {
  rules: [{ request: "POST /v2/transactions/cashout", inject: { error: "PROVIDER_ERROR" }, times: 2 }],
};

const RULE = `or by a rule of a scenario:

\`\`\`yaml
scenario: outage
rules:
  - request: POST /v2/transactions/cashout
    inject: { error: PROVIDER_ERROR }
    times: 2
\`\`\``;

/** The page, in Markdown. */
export function errorsPage(): string {
  const { group, message, retryable }: ErrorRow = errorCatalogue.INSUFFICIENT_BALANCE;
  const error = { code: "INSUFFICIENT_BALANCE", message, group, retryable };
  const sections = errorCodes.map(section);
  const paragraphs = [BODY, jsonBlock({ success: false, error }), FAULTS, jsonBlock(fault), RULE, overview()];
  return page("Errors", "src/domain/errors.ts", [...paragraphs, ...sections]);
}

function overview(): string {
  const rows = errorCodes.map((name) => {
    const { status, group, retryable }: ErrorRow = errorCatalogue[name];
    return [`[${code(name)}](#${anchorOf(name)})`, String(status), code(group), retryable ? "yes" : "no"];
  });
  return table(["code", "status", "group", "retryable"], rows);
}

function section(name: ErrorCode): string {
  const { status, message, decision }: ErrorRow = errorCatalogue[name];
  const source = decision ? ` The code is the sandbox's own (${decisionLinks([decision])}).` : "";
  const parts = [`## ${name}`, `${status}: “${message}”${source}`, errorRecipes[name], `At ${placesOf(name)}.`];
  return parts.join("\n\n");
}

function placesOf(name: ErrorCode): string {
  const having = endpoints.filter((endpoint) => errorsOf(endpoint).includes(name));
  if (having.length === endpoints.length) return "every endpoint";
  const left = endpoints.filter((endpoint) => !having.includes(endpoint));
  return left.length <= 3 ? `every endpoint but ${left.map(link).join(", ")}` : having.map(link).join(", ");
}

function link({ method, path }: Endpoint): string {
  return `[${path}](endpoints.md#${anchorOf(`${method} ${path}`)})`;
}
