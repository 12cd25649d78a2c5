/** Warnings about a merchant's script: it can be run, but probably does not do what it is meant to do. */
import type { Path } from "../../domain/path.ts";
import { isObject } from "../../domain/plain-values.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { endpointOf } from "../../http/endpoints.ts";
import { parseBody } from "../../http/json.ts";
import { type Fault, faultWords, fieldFaults } from "../../http/read-input.ts";
import { missingField, strangeWord, unmeetable } from "../../runs/answer-fields.ts";
import { partsOf } from "../../scenarios/conditions.ts";
import { accountsIn } from "../../scenarios/field-values.ts";
import { textsIn } from "../../scenarios/file-values.ts";
import type { FindingAtKey } from "../../scenarios/findings.ts";
import { checkUsername, knownWorld } from "../../scenarios/known-world.ts";
import type { LoadedScenario } from "../../scenarios/loader.ts";
import type { Problem } from "../../scenarios/problems.ts";
import { expectsRefusal } from "../../scenarios/script-checks.ts";
import { type ScriptStep, withoutName } from "../../scenarios/script-schema.ts";
import { isReference, nameIn, referencesIn } from "../../scenarios/variables.ts";
import { formFault } from "./form-faults.ts";
import { ignoredFields, ignoredParts, unknownFieldsOf } from "./ignored-fields.ts";

/** The parts of a step in which references are replaced by their values. */
const FILLED_IN = ["call", "body", "form", "as", "expect", "advance", "repeat"] as const;

/** The endpoints whose answers calls saved, by name; null if it is not known what was saved, `nothing` of a refusal. */
type Saved = Map<string, Endpoint | "nothing" | null>;

/**
 * Warns of what a call ignores, of fields for which it is refused, of references to and conditions on fields that
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
    for (const { path: at, message, key } of endpoint ? callFindings(step, endpoint) : []) {
      found.push(problemAt([...path, ...at], message, key));
    }
    if (!expectsRefusal(step.expect)) lookForStrangers({ body, expect }, path);
    if (step.save !== undefined) saved.set(step.save, expectsRefusal(expect) ? savedOfRefusal(expect) : endpoint);
  }
  lookAt(content.expect?.map(withoutName), ["expect"]);
  lookForStrangers(content.expect, ["expect"]);
  // Without a script, the rules are meant for a world that is served.
  if (content.merchant) lookForStrangers(content.rules, ["rules"]);
  return found;
}

function savedOfRefusal(expect: ScriptStep["expect"]): "nothing" | null {
  return isReference(expect?.status) ? null : "nothing";
}

/** What an endpoint ignores or refuses, and expected fields that its answer lacks; paths are within the step. */
function* callFindings(step: ScriptStep, endpoint: Endpoint): Generator<FindingAtKey> {
  if (!expectsRefusal(step.expect)) {
    yield* ignoredFields(step, endpoint);
    yield* refusals(step, endpoint);
  }
  yield* ignoredParts(step, endpoint);
  for (const [field, condition] of Object.entries(step.expect?.data ?? {})) {
    const message = unmeetable(endpoint, field, condition) ?? strangeWord(endpoint, field, condition);
    if (message !== null) yield { path: ["expect", "data"], key: field, message };
  }
}

/** What a call is refused for that is to succeed; paths are within the step. */
function* refusals(step: ScriptStep, endpoint: Endpoint): Generator<FindingAtKey> {
  for (const fault of refusedFields(step, endpoint)) {
    const message = `${endpoint.method} ${endpoint.path} refuses this body: ${faultWords(fault)}`;
    yield { path: ["body", ...fault.path], message };
  }
  const fault = formFault(step, endpoint, unknownFieldsOf(step, endpoint));
  if (fault) yield { path: ["form"], message: `${endpoint.method} ${endpoint.path} refuses this form: ${fault}` };
  const misplaced = mediaFault(step, endpoint);
  if (misplaced) yield misplaced;
}

/** A call that is refused for its kind of content: it sends nothing, a form or JSON, and the endpoint takes another. */
function mediaFault({ body, form }: ScriptStep, { method, path, media }: Endpoint): FindingAtKey | null {
  const call = `${method} ${path}`;
  if (media === "json" && form !== undefined)
    return { path: [], key: "form", message: `${call} takes a body, no form` };
  if (media === "json" && body === undefined)
    return { path: ["call"], message: `${call} takes a body, and has none here` };
  if (media !== "multipart" || form !== undefined) return null;
  if (body !== undefined) return { path: [], key: "body", message: `${call} takes a form, no body` };
  return { path: ["call"], message: `${call} takes a form, and has none here` };
}

/** Schema faults of a body, without misspelt fields and those filled in at run time. */
function refusedFields(step: ScriptStep, endpoint: Endpoint): Fault[] {
  const { body } = step;
  const { media, input } = endpoint;
  if (!input || !media.startsWith("json") || !isObject(body)) return [];
  const sent = parseBody(Buffer.from(JSON.stringify(body)), Infinity) as object;
  const misspelt = unknownFieldsOf(step, endpoint).flatMap(({ path, meant }) =>
    meant === null ? [] : [...path.slice(0, -1), meant].join("."),
  );
  return fieldFaults(input(), sent).filter(({ path }) => !misspelt.includes(path.join(".")) && !isFilledIn(sent, path));
}

/** Whether the value at a path of a body is a reference, and so known only in a run. */
function isFilledIn(body: unknown, path: Fault["path"]): boolean {
  if (typeof body === "string") return referencesIn(body).length > 0;
  const [part, ...rest] = path;
  return part !== undefined && isFilledIn((body as Record<PropertyKey, unknown> | null)?.[part], rest);
}

/** What is wrong with a reference such as `list.items[0].id`; null if nothing is, or if that is not known. */
function referenceFault(reference: string, saved: Saved): string | null {
  const name = nameIn(reference);
  const endpoint = saved.get(name);
  const path = partsOf(reference).slice(1).join(".");
  if (endpoint === "nothing")
    return `\${${reference}}: nothing is saved of a call that is refused, or whose answer is lost`;
  if (path === "" && reference !== name)
    return `\${${reference}}: a part is written \${${name}.field} or \${${name}.list[0].field}`;
  const fault = endpoint && path !== "" ? missingField(endpoint, path) : null;
  return fault && `\${${reference}}: ${fault}`;
}
