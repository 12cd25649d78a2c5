/** Holds what the control interface says against its own OpenAPI document, with ajv as the judge. */
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { controlDocument } from "../../src/control/document/control-document.ts";
import type { Answer } from "./merchant.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely.
type Json = any;

/** What answers calls and methods that there are not: the document cannot describe them. */
const REFUSAL = "#/components/responses/Refusal404";
const NO_SUCH_CALL: readonly number[] = [400, 401, 403, 404, 405, 413, 415];

interface Judge {
  readonly document: Json;
  readonly ajv: Ajv2020;
  readonly compiled: Map<string, ValidateFunction>;
}

/** One for the root, and one for the addresses of worlds. */
const judges = new Map<boolean, Judge>();

/** The document of the root, or of a world's address; made once per process. */
export function controlDocumentOfTests(isRoot: boolean): Json {
  return judgeOf(isRoot).document;
}

/**
 * Fails unless the document describes an answer: status, media type, body.
 * @param path such as `/worlds/x/_sandbox/clock`.
 */
export function expectControlAnswerValid(method: string, path: string, answer: Answer): void {
  const fault = controlFault(method, path, answer);
  if (fault) throw new Error(`${method} ${path}: ${fault}: ${answer.text.slice(0, 2_000)}`);
}

/** What is wrong with an answer of a call; null where nothing is. */
export function controlFault(method: string, path: string, { status, headers, body, text }: Answer): string | null {
  const judge = judgeOf(path.startsWith("/_sandbox"));
  const call = pointerOf(judge.document, method, path);
  if (!call && !NO_SUCH_CALL.includes(status)) return `the status ${status} of what is no call`;
  const own = call ? `${call}/responses/${status}` : REFUSAL;
  const pointer = partAt(judge.document, own)?.$ref ?? own;
  const response = partAt(judge.document, pointer);
  if (!response) return `the status ${status} is not in the document`;
  if (!response.content) return text === "" ? null : "there should be no body";
  const media = (headers.get("content-type") ?? "").split(";")[0] ?? "";
  if (!Object.hasOwn(response.content, media)) return `the content type is ${headers.get("content-type")}`;
  if (media !== "application/json") return null;
  if (body === undefined) return "the body is no JSON";
  return bodyFault(judge, `${pointer}/content/application~1json/schema`, body);
}

/**
 * What is wrong with a body that a call took; null where nothing is. What is taken must be described: whoever is led by
 * the document could not send it else.
 * @param json the body as it was sent.
 */
export function takenFault(method: string, path: string, json: string): string | null {
  const judge = judgeOf(path.startsWith("/_sandbox"));
  const call = pointerOf(judge.document, method, path);
  const pointer = `${call}/requestBody/content/application~1json/schema`;
  if (!call || !partAt(judge.document, pointer)) return null;
  return bodyFault(judge, pointer, JSON.parse(json));
}

/** The calls of a document, each as method and path below `_sandbox`. */
export function describedCalls(document: Json): string[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) => {
    const below = path.replace(/^(\/worlds\/\{world\})?\/_sandbox/, "") || "/";
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${below}`);
  });
}

/** Where a document has a call. */
function pointerOf(document: Json, method: string, path: string): string | undefined {
  const [target = ""] = path.replace(/^\/worlds\/[^/]+/, "").split(/[?#]/);
  const own = target === "/_sandbox/" ? "/_sandbox" : target;
  for (const [named, methods] of Object.entries<Json>(document.paths)) {
    const pattern = new RegExp(`^${named.replaceAll(".", "\\.").replace(/\{[a-z]+\}/g, "[^/]+")}$`);
    if (!Object.hasOwn(methods, method.toLowerCase()) || !pattern.test(own)) continue;
    return `#/paths/${named.replaceAll("/", "~1")}/${method.toLowerCase()}`;
  }
  return undefined;
}

/** What stands at a place of a document. */
function partAt(document: Json, pointer: string): Json {
  const steps = pointer.slice(2).split("/");
  return steps.reduce((part, step) => part?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

function judgeOf(isRoot: boolean): Judge {
  const known = judges.get(isRoot);
  if (known) return known;
  const document = controlDocument({ version: "0.0.0", baseUrl: "http://127.0.0.1", isRoot });
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "control", ...document });
  const judge = { document, ajv, compiled: new Map() };
  judges.set(isRoot, judge);
  return judge;
}

function bodyFault({ ajv, compiled }: Judge, pointer: string, body: Json): string | null {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `control${encodeURI(pointer)}` });
  compiled.set(pointer, validate);
  if (validate(body)) return null;
  return `the body is not as described: ${ajv.errorsText(validate.errors, { dataVar: "body" })}`;
}
