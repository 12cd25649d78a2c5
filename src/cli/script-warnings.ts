/** Warnings about a merchant's script: it can be run, but probably does not do what it is meant to do. */
import type { Path } from "../domain/path.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { parseBody } from "../http/json.ts";
import { type Slip, slipsIn } from "../http/mistakes.ts";
import { type Fault, faultWords, fieldFaults, nameOf } from "../http/read-input.ts";
import { endpointOf, missingField } from "../runs/answer-fields.ts";
import { partsOf } from "../scenarios/conditions.ts";
import { type FindingAt, isObject, textsIn } from "../scenarios/findings.ts";
import { accountsIn, checkUsername, knownWorld } from "../scenarios/known-world.ts";
import type { LoadedScenario, Problem } from "../scenarios/loader.ts";
import { expectsRefusal } from "../scenarios/script-checks.ts";
import { nameIn, referencesIn } from "../scenarios/variables.ts";

type Step = NonNullable<LoadedScenario["content"]["merchant"]>[number];

/** The parts of a step in which references are replaced by their values. */
const FILLED_IN = ["call", "body", "form", "as", "expect", "advance"] as const;

/** The endpoints whose answers calls saved, by name; null if the saved answer's fields are not known. */
type Saved = Map<string, Endpoint | null>;

/**
 * Warns of misspelt fields, of fields for which a call is refused, of references to and conditions on fields that
 * answers do not have, and of accounts that a run does not have (a served world may have them).
 */
export function scriptWarnings({ content, problemAt }: LoadedScenario): Problem[] {
  const known = knownWorld(content);
  const saved: Saved = new Map();
  const found: Problem[] = [];
  const lookAt = (value: unknown, path: Path) => {
    for (const [text, at] of textsIn(value, path)) {
      for (const reference of referencesIn(text)) {
        const fault = referenceFault(reference, saved);
        if (fault !== null) found.push(problemAt(at, fault));
      }
    }
  };
  const lookForStrangers = (value: unknown, path: Path) => {
    for (const [username, at] of accountsIn(value, path)) {
      for (const { path: place, message } of checkUsername(at, username, known)) found.push(problemAt(place, message));
    }
  };
  for (const [index, step] of (content.merchant ?? []).entries()) {
    const path = ["merchant", index];
    const { body, expect } = step;
    for (const part of FILLED_IN) lookAt(step[part], [...path, part]);
    const endpoint = endpointOf(step.call ?? "");
    for (const { path: at, message } of endpoint ? callFindings(step, endpoint) : []) {
      found.push(problemAt([...path, ...at], message));
    }
    if (!expectsRefusal(step.expect)) lookForStrangers({ body, expect }, path);
    if (step.save !== undefined) saved.set(step.save, expectsRefusal(step.expect) ? null : endpoint);
  }
  lookAt(content.expect, ["expect"]);
  lookForStrangers(content.expect, ["expect"]);
  // Without a script, the rules are meant for a world that is served.
  if (content.merchant) lookForStrangers(content.rules, ["rules"]);
  return found;
}

/** The query parameters of a call, by name. */
function queryOf({ call = "" }: Step): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(call.split("?").slice(1).join("?")));
}

/** What an endpoint ignores or refuses, and expected fields that its answer lacks; paths are within the step. */
function* callFindings(step: Step, endpoint: Endpoint): Generator<FindingAt> {
  const slips = expectsRefusal(step.expect) ? [] : [...slipsIn(endpoint.input?.(), step.body ?? queryOf(step))];
  for (const slip of slips) {
    yield { path: step.body === undefined ? ["call"] : ["body", ...slip.path], message: slipWords(slip, endpoint) };
  }
  for (const fault of refusedFields(step, endpoint, slips)) {
    const message = `${endpoint.method} ${endpoint.path} refuses this body: ${faultWords(fault)}`;
    yield { path: ["body", ...fault.path], message };
  }
  const misplaced = expectsRefusal(step.expect) ? null : mediaFault(step, endpoint);
  if (misplaced) yield misplaced;
  const [query] = endpoint.method === "POST" ? Object.keys(queryOf(step)) : [];
  if (query !== undefined) yield { path: ["call"], message: queryWords(query, endpoint) };
  for (const field of Object.keys(step.expect?.data ?? {})) {
    const message = missingField(endpoint, field);
    if (message !== null) yield { path: ["expect", "data", field], message };
  }
}

/** A call that is refused for its kind of content: it sends nothing, a form or JSON, and the endpoint takes another. */
function mediaFault({ body, form }: Step, { method, path, media }: Endpoint): FindingAt | null {
  const call = `${method} ${path}`;
  if (media === "json" && form !== undefined) return { path: ["form"], message: `${call} takes a body, no form` };
  if (media === "json" && body === undefined)
    return { path: ["call"], message: `${call} takes a body, and has none here` };
  if (media !== "multipart" || form !== undefined) return null;
  return {
    path: body === undefined ? ["call"] : ["body"],
    message: `${call} takes a form${body === undefined ? ", and has none here" : ", no body"}`,
  };
}

/** Schema faults of a body whose call is to succeed, without misspelt fields and those filled in at run time. */
function refusedFields({ body, expect }: Step, { media, input }: Endpoint, slips: readonly Slip[]): Fault[] {
  if (!input || !media.startsWith("json") || !isObject(body) || expectsRefusal(expect)) return [];
  const sent = parseBody(Buffer.from(JSON.stringify(body))) as object;
  const misspelt = slips.map(({ path, meant }) => [...path.slice(0, -1), meant].join("."));
  return fieldFaults(input(), sent).filter(({ path }) => !misspelt.includes(path.join(".")) && !isFilledIn(sent, path));
}

/** Whether the value at a path of a body is a reference, and so known only in a run. */
function isFilledIn(body: unknown, path: Fault["path"]): boolean {
  if (typeof body === "string") return referencesIn(body).length > 0;
  const [part, ...rest] = path;
  return part !== undefined && isFilledIn((body as Record<PropertyKey, unknown> | null)?.[part], rest);
}

function slipWords(slip: Slip, { method, path }: Endpoint): string {
  const field = JSON.stringify(nameOf(slip.path));
  return `${method} ${path} does not know the field ${field} and ignores it; did you mean "${slip.meant}"?`;
}

function queryWords(field: string, { method, path }: Endpoint): string {
  return `${method} ${path} ignores the query, ${JSON.stringify(field)} with it; fields belong into the body`;
}

/** What is wrong with a reference such as `list.items[0].id`; null if nothing is, or if that is not known. */
function referenceFault(reference: string, saved: Saved): string | null {
  const name = nameIn(reference);
  const endpoint = saved.get(name);
  const path = partsOf(reference).slice(1).join(".");
  const fault = endpoint && path !== "" ? missingField(endpoint, path) : null;
  return fault && `\${${reference}}: ${fault}`;
}
