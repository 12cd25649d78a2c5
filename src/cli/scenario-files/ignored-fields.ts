/** What a scripted call sends and its endpoint ignores (`D20`): fields, or a query, body or form as a whole. */
import { nearName } from "../../domain/words/near-name.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { unknownPartsIn } from "../../http/form-mistakes.ts";
import { nameOf } from "../../http/read-input.ts";
import { type UnknownField, unknownFieldsIn } from "../../http/unknown-fields.ts";
import type { FindingAtKey } from "../../scenarios/findings.ts";
import { nearest } from "../../scenarios/schema-words.ts";
import type { ScriptStep } from "../../scenarios/script-schema.ts";
import { referencesIn } from "../../scenarios/variables.ts";

/** The part of a call that an endpoint reads its fields from; null if it has none. */
function readPartOf({ method, media, input }: Endpoint): "query" | "form" | "body" | null {
  if (method === "GET") return input ? "query" : null;
  return media === "multipart" ? "form" : "body";
}

/** The fields that the endpoint of a call does not know, of the part that it reads. */
export function unknownFieldsOf(step: ScriptStep, endpoint: Endpoint): UnknownField[] {
  const part = readPartOf(endpoint);
  if (part === "form") return unknownPartsIn(partsOf(step));
  return [...unknownFieldsIn(endpoint.input?.(), part === "query" ? queryOf(step) : step.body)];
}

/** Finds those fields in a step; paths are within it. */
export function* ignoredFields(step: ScriptStep, endpoint: Endpoint): Generator<FindingAtKey> {
  const part = readPartOf(endpoint);
  for (const field of unknownFieldsOf(step, endpoint)) {
    const message = unknownWords(field, endpoint);
    if (part === null || part === "query") yield { path: ["call"], message };
    else yield { path: [part, ...field.path.slice(0, -1)], key: String(field.path.at(-1)), message };
  }
}

/** Finds a query, body or form that the endpoint of a call does not read; paths are within the step. */
export function* ignoredParts(step: ScriptStep, endpoint: Endpoint): Generator<FindingAtKey> {
  const call = `${endpoint.method} ${endpoint.path}`;
  const part = readPartOf(endpoint);
  const belong = part === null ? "" : `; fields belong into the ${part}`;
  const [field] = part === "query" ? [] : Object.keys(queryOf(step));
  if (field !== undefined) {
    yield { path: ["call"], message: `${call} ignores the query, ${JSON.stringify(field)} with it${belong}` };
  }
  for (const key of ["body", "form"] as const) {
    if (endpoint.media !== "none" || step[key] === undefined) continue;
    yield { path: [], key, message: `${call} takes no ${key}, and ignores it${belong}` };
  }
}

/** The parts of a form, in which lists are lists of files. */
function partsOf({ form = {} }: ScriptStep): { name: string; fileName: string | undefined }[] {
  return Object.entries(form).map(([name, value]) => ({ name, fileName: Array.isArray(value) ? name : undefined }));
}

/** The query parameters of a call, by name, without those whose name is known only in a run. */
function queryOf({ call = "" }: ScriptStep): Record<string, string> {
  const query = [...new URLSearchParams(call.split("?").slice(1).join("?"))];
  return Object.fromEntries(query.filter(([name]) => referencesIn(name).length === 0));
}

function unknownWords({ path: at, meant, known }: UnknownField, { method, path }: Endpoint): string {
  const words = `${method} ${path} does not know the field ${JSON.stringify(nameOf(at))} and ignores it`;
  const name = String(at.at(-1));
  const twin = meant === null ? nearName(name, known) : null;
  return twin === null ? words + nearest(meant ?? name, known) : `${words}; "${twin}" is given too`;
}
