/** The OpenAPI 3.1 document of the control interface, made from the tables and schemas that it runs by. */
import { withoutStop } from "../../domain/words/near-name.ts";
import type { ControlShape } from "../call.ts";
import { type FurtherCall, furtherCalls } from "../further-calls.ts";
import { controlRoutes } from "../routes.ts";
import { controlChapters } from "../summaries.ts";
import { otherAnswers } from "./answers.ts";
import { refusalName, refusalResponses, refusalSchema, refusalsOf } from "./refusals.ts";
import { actionsOf, bodyOf, parametersOf, requestSchemas } from "./requests.ts";
import { answerSchemas, type Json, reference, sharedSchemas } from "./schemas.ts";

const ABOUT = `What steers a world of payments-sandbox: its clock, its accounts, what payers and banks do, and all that has
happened in it. Calls come from this machine, from addresses, or from container names: pages of other origins and names
that were made to point here are refused. A failure answers \`{"error": {"code", "message", "details"}}\`.`;

/** The parts that depend on neither the version nor the address. */
type Body = Readonly<Record<"paths" | "components", Json>>;
const made = new Map<boolean, Body>();

/**
 * The document of the calls that exist at one address.
 * @param baseUrl of a world: of the default one if `isRoot`, else its own address.
 * @param isRoot whether calls that are not about one world exist there, too.
 */
export function controlDocument({ version, baseUrl, isRoot }: { version: string; baseUrl: string; isRoot: boolean }) {
  const body = made.get(isRoot) ?? makeBody(isRoot);
  made.set(isRoot, body);
  const license = { name: "MIT", identifier: "MIT" };
  return {
    openapi: "3.1.0",
    info: { title: "payments-sandbox: control interface", version, description: ABOUT, license },
    servers: [{ url: baseUrl }],
    tags: controlChapters.map(({ title, about }) => ({ name: title, description: about })),
    ...body,
  };
}

function makeBody(isRoot: boolean): Body {
  const shapes: readonly FurtherCall[] = [...controlRoutes, ...furtherCalls];
  const there = shapes.filter(({ rootOnly }) => isRoot || !rootOnly).flatMap(actionsOf);
  const paths: Record<string, Json> = {};
  for (const shape of there) {
    const path = pathOf(shape, isRoot);
    paths[path] = { ...paths[path], [shape.method.toLowerCase()]: operationOf(path, shape) };
  }
  const inputs = there.flatMap(({ input }) => (input ? [input()] : []));
  const schemas = { ...requestSchemas(there), ...sharedSchemas(inputs), ...answerSchemas(), Refusal: refusalSchema };
  return {
    paths,
    components: {
      schemas: used(schemas, paths),
      responses: refusalResponses(),
      securitySchemes: {
        controlToken: {
          type: "http",
          scheme: "bearer",
          description: "The token of `--control-token`, where the sandbox was started with one.",
        },
      },
    },
  };
}

/** The path of a call, below the address of a world. */
function pathOf({ path, worldOnly }: FurtherCall, isRoot: boolean): string {
  const base = worldOnly && isRoot ? "/worlds/{world}/_sandbox" : "/_sandbox";
  return base + (path === "/" ? "" : path.replaceAll(/:([a-z]+)/g, "{$1}"));
}

function operationOf(path: string, shape: ReturnType<typeof actionsOf>[number]): Json {
  const { operationId, answer } = shape;
  const told = lineOf(shape);
  const summary = shape.summary ?? withoutStop(told.text.split(/[:;.] /)[0] ?? "");
  const description = shape.summary || withoutStop(told.text) === summary ? undefined : told.text;
  const parameters = parametersOf(path, shape);
  const requestBody = bodyOf(shape);
  return {
    operationId,
    tags: [told.title],
    summary,
    ...(description ? { description } : {}),
    security: answer === "Health" ? [] : [{}, { controlToken: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...successOf(shape),
      ...Object.fromEntries(
        refusalsOf(shape).map((status) => [status, { $ref: `#/components/responses/${refusalName(status)}` }]),
      ),
    },
  };
}

/** The text on a call and the title of its chapter; for an action, the text on all actions of its resource. */
function lineOf({ method, path, actionsOf: lifecycles }: ControlShape): { title: string; text: string } {
  const call = `${method} ${lifecycles ? path.replace(/[^/]+$/, ":action") : path}`;
  for (const { title, calls } of controlChapters) {
    const text = calls[call];
    if (text !== undefined) return { title, text };
  }
  throw new Error(`Nothing is told of the call ${call}.`);
}

function successOf({ answer, statuses = [200] }: ControlShape): Json {
  if (answer === null) return { 204: { description: "Done." } };
  if (answer in otherAnswers) {
    const { medias, description } = otherAnswers[answer as keyof typeof otherAnswers];
    const schema = { type: "string" };
    return { 200: { description, content: Object.fromEntries(medias.map((media) => [media, { schema }])) } };
  }
  const content = { "application/json": { schema: reference(answer) } };
  return Object.fromEntries(statuses.map((status) => [status, { description: "Done.", content }]));
}

/** The schemas that something refers to, directly or through other schemas. */
function used(schemas: Json, paths: Json): Json {
  const names = new Set<string>(["Refusal"]);
  const visit = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
