/** Holds what the service says against its own OpenAPI document, with ajv as the judge. */
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { openApiDocument } from "../../src/http/document/service-document.ts";
import type { Answer } from "./merchant.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely.
type Json = any;

/** The hint of a fault that a test asked for; where it refuses a call, it may do so with any code. */
const INJECTED = /^A fault rule of this world/;

const ANY_FAILURE = "#/failure";
/** Of a world whose events go by all their names. */
let judge: { document: Json; root: Json; ajv: Ajv2020 } | undefined;
const compiled = new Map<string, ValidateFunction>();

const described = { version: "0.0.0", baseUrl: "http://127.0.0.1" };

/** The document of a world as it is by default. */
export function documentOfTests(): Json {
  return openApiDocument(described);
}

/** Fails unless the document describes an answer of the service: path, status, code, fields, their order, headers. */
export function expectAnswerValid(method: string, target: string, answer: Answer): void {
  const path = target.split(/[?#]/)[0] ?? "";
  if (!path.startsWith("/v2/") || method === "HEAD") return;
  const { document } = theJudge();
  const isInjected = answer.status >= 400 && INJECTED.test(answer.headers.get("x-sandbox-hint") ?? "");
  const isDescribed = answer.headers.has("x-sandbox-world") && !isInjected;
  const operations = document.paths[path] ?? {};
  const [name = "", operation] = Object.entries<Json>(operations)[0] ?? [];
  const where = `${method} ${path} answered ${answer.status}`;
  if (!operation || !isDescribed) {
    check(where, answer.body, ANY_FAILURE);
    return;
  }
  const pointer = `#/paths/${path.replaceAll("/", "~1")}/${name}/responses/${answer.status}`;
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${where}, which is not in the OpenAPI document: ${answer.text}`);
  const { headers } = response.$ref ? resolve(response.$ref) : response;
  checkHeaders(where, headers, answer.headers);
  check(where, answer.body, `${response.$ref ?? pointer}/content/application~1json/schema`);
}

/** Fails unless the document describes a webhook. */
export function expectWebhookValid(body: Json): void {
  const { document } = theJudge();
  const kind = body?.event;
  const webhook = document.webhooks[kind];
  if (!webhook) throw new Error(`The OpenAPI document has no webhook ${JSON.stringify(kind)}.`);
  const { $ref } = webhook.post.requestBody.content["application/json"].schema;
  check(`the webhook ${kind}`, body, $ref);
}

/** What a `$ref` of the document stands for. */
export function resolve(reference: string): Json {
  const steps = reference.slice(2).split("/");
  return steps.reduce((at, step) => at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], theJudge().root);
}

function theJudge() {
  if (judge) return judge;
  const document: Json = openApiDocument({ ...described, hasLegacyEvents: true });
  const root = { $id: "openapi", ...document, failure: failure(document) };
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(root);
  judge = { document, root, ajv };
  return judge;
}

function check(where: string, body: Json, pointer: string): void {
  const fault = faultOf(body, pointer);
  if (fault)
    throw new Error(
      `${where} with a body that the OpenAPI document does not describe: ${fault}\n${JSON.stringify(body)}`,
    );
}

function faultOf(body: Json, pointer: string): string | undefined {
  const { ajv } = theJudge();
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
  compiled.set(pointer, validate);
  if (!validate(body)) return ajv.errorsText(validate.errors, { dataVar: "body" });
  return inOrder({ $ref: pointer }, body) ? undefined : "the fields are not in its order";
}

/** Whether the members of a value stand in the order of their schema, all the way down. */
function inOrder(schema: Json, value: Json): boolean {
  if (schema.$ref) return inOrder(resolve(schema.$ref), value);
  if (typeof value !== "object" || value === null) return true;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((choice: Json) => inOrder(choice, value));
  if (Array.isArray(value)) return value.every((item) => inOrder(schema.items, item));
  if (!schema.properties) return schema.type === "object";
  const places = Object.keys(value).map((name) => Object.keys(schema.properties).indexOf(name));
  const sorted = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
  return sorted && Object.entries(value).every(([name, member]) => inOrder(schema.properties[name], member));
}

/** Headers of every answer over HTTP, which are none of the service's. */
const OF_HTTP = ["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"];

/** Headers that the proxy of `docs/many-processes.md` adds. */
const OF_PROXY = ["server", "x-sandbox-process"];

function checkHeaders(where: string, described: Json, given: Headers): void {
  const known = [...OF_HTTP, ...OF_PROXY, ...Object.keys(described).map((name) => name.toLowerCase())];
  const others = [...given.keys()].filter((name) => !known.includes(name));
  if (others.length > 0)
    throw new Error(`${where} with headers that the document does not have: ${others.join(", ")}.`);
  for (const [name, { $ref }] of Object.entries<Json>(described)) {
    const { required, schema } = resolve($ref);
    const value = given.get(name);
    if (value === null && required) throw new Error(`${where} without the header ${name}.`);
    if (value !== null && schema.type === "integer" && !/^\d+$/.test(value)) {
      throw new Error(`${where} with the header ${name}: ${value}, which is no whole number.`);
    }
  }
}

/** A failure with any code of the catalogue. */
function failure(document: Json): Json {
  const errors = Object.keys(document.components.schemas).filter((name) => name.endsWith("Error"));
  const error = { oneOf: errors.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  const properties = { success: { const: false }, error };
  return { type: "object", properties, required: ["success", "error"], additionalProperties: false };
}
