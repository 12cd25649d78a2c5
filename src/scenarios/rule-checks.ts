/** What the schema of a rule cannot know: which fields and actions there are for what it is about. */
import type { z } from "zod";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { ExactNumber } from "../domain/money.ts";
import { resourceActions } from "../service/actions.ts";
import { parseInstant } from "../world/instants.ts";
import { nearest } from "./schema-words.ts";
import { inputOf, isWorldAction, kindsWith, namedInputs, stepActions } from "./step-actions.ts";
import { struckFieldNames, triggerFields, triggerSubject } from "./triggers.ts";

export type Path = readonly PropertyKey[];

/** Something wrong: at a path or a key of the object there, or as a schema says it of what stands `depth` parts deep. */
export type Finding =
  | { readonly path: Path; readonly key?: string; readonly message: string }
  | { readonly issue: z.core.$ZodIssue; readonly schema: z.ZodType; readonly depth: number };

type Plain = Readonly<Record<string, unknown>>;

/** Checks a rule, which may have faults of its own. */
export function* checkRule(rule: unknown, index: number): Generator<Finding> {
  if (!isObject(rule)) return;
  yield* checkWhere(rule, index);
  const trigger = rule.on === undefined ? null : String(rule.on);
  if (trigger !== null && !triggerFields.has(trigger)) return;
  const steps = Array.isArray(rule.then) ? rule.then : [];
  const subject = trigger === null ? null : triggerSubject(trigger);
  for (const [number, step] of steps.entries()) {
    if (!isObject(step)) continue;
    const path = ["rules", index, "then", number];
    yield* checkMoment(path, step, trigger, subject);
    for (const name of Object.keys(step).filter((key) => stepActions.includes(key))) {
      yield* checkAction([...path, name], { trigger, subject }, name, step[name]);
    }
  }
}

function* checkWhere(rule: Plain, index: number): Generator<Finding> {
  if (!isObject(rule.where)) return;
  const known = fieldsOf(rule);
  if (!known) return;
  const what = `"${rule.on ?? (rule.request === undefined ? rule.delivery : rule.request)}"`;
  for (const field of Object.keys(rule.where)) {
    if (known.includes(field)) continue;
    const message = `${what} has no field "${field}"${nearest(field, known)}`;
    yield { path: ["rules", index, "where"], key: field, message };
  }
}

function fieldsOf(rule: Plain): readonly string[] | undefined {
  if (typeof rule.request === "string") return struckFieldNames("request", rule.request);
  if (typeof rule.delivery === "string") return struckFieldNames("delivery", rule.delivery);
  return triggerFields.get(String(rule.on));
}

/** TABLE: the resources that know each moment. */
const momentSubjects: Readonly<Record<string, LifecycleName>> = {
  confirmations: "cashin",
  expiry: "cashin",
  deadline: "dispute",
};

function* checkMoment(path: Path, step: Plain, trigger: string | null, subject: LifecycleName | null) {
  if (typeof step.at !== "string" || parseInstant(step.at) !== null) return;
  const needed = momentSubjects[step.at];
  const known = subject === needed || (subject === null && trigger !== null);
  if (!needed || known) return;
  const found = trigger === null ? "a rule on the clock is about none" : `"${trigger}" is about a ${subject}`;
  yield { path, key: "at", message: `only a ${needed} has ${step.at}; ${found}` };
}

/** An action must be one of what the trigger is about, with the input that it takes there. */
function* checkAction(
  path: Path,
  rule: { trigger: string | null; subject: LifecycleName | null },
  name: string,
  given: unknown,
): Generator<Finding> {
  if (isWorldAction(name) || !isObject(given ?? {})) return; // The schema of the file has said what there is to say.
  const input = (given ?? {}) as Plain;
  const { trigger, subject } = rule;
  const own = subject && kindsWith(name, subject).length > 0 ? subject : null;
  if (own) return yield* checkInput(path, inputOf(own, name), input);
  const namesSubject = ["transaction", "wallet", "conversion", "dispute"].some((key) => key in input);
  if (subject && !namesSubject) {
    const known = Object.keys(resourceActions[subject] ?? {});
    const message = `a ${subject} has no action "${name}"${nearest(name, known)}`;
    return yield { path: path.slice(0, -1), key: name, message };
  }
  const kinds = kindsWith(name, null);
  if (trigger !== null && !namesSubject) return yield* checkEither(path, plainInputs(name, kinds), input);
  yield* checkEither(path, namedInputs(name, kinds), input);
}

function plainInputs(name: string, kinds: readonly LifecycleName[]): z.ZodObject[] {
  return kinds.map((kind) => inputOf(kind, name));
}

/** Right where one of the schemas takes it; else what the one that comes nearest has to say. */
function* checkEither(path: Path, schemas: readonly z.ZodObject[], given: Plain): Generator<Finding> {
  const counts = schemas.map((schema) => schema.safeParse(given, { reportInput: true }).error?.issues.length ?? 0);
  const best = schemas[counts.indexOf(Math.min(...counts))];
  if (best) yield* checkInput(path, best, given);
}

function* checkInput(path: Path, schema: z.ZodObject, given: Plain): Generator<Finding> {
  const result = schema.safeParse(given, { reportInput: true });
  for (const issue of result.error?.issues ?? []) {
    yield { issue: { ...issue, path: [...path, ...issue.path] } as z.core.$ZodIssue, schema, depth: path.length };
  }
}

export function isObject(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
