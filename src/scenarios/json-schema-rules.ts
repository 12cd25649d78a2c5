/** Rules in the JSON Schema of scenario files: the fields and steps that each trigger allows. */
import { z } from "zod";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { faultRule } from "./fault-rule-schema.ts";
import { injectionsOf, type Struckable } from "./injections.ts";
import { conditionsOn, exactlyOneOf, type Json, jsonSchemaOf, ref, where } from "./json-schema-words.ts";
import { momentSubjects, stepMoments, stepTiming, triggerKinds } from "./rule-schema.ts";
import { inputOf, isWorldAction, kindsWith, namedInputs, stepActions, worldActions } from "./step-actions.ts";
import { INSTANT_FORM } from "./time-fields.ts";
import { struckFieldNames, triggerFields, triggerNames, triggerSubject } from "./triggers.ts";

/** What the steps of a rule act on: `webhook` if that depends on the webhook, `clock` if they have no resource. */
type Subject = LifecycleName | "webhook" | "clock";

/** The definition of a rule and those that it refers to. @param rule the JSON Schema generated from the zod schema. */
export function ruleDefinitions(rule: Json): Record<string, Json> {
  const { then: steps, inject: _, ...properties } = rule.properties as Record<string, Json>;
  const { items: __, ...list } = steps ?? {};
  const subjects = [...new Set<Subject>([...triggerNames.map(subjectOf), "clock"])];
  return {
    rule: {
      ...rule,
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      properties: { ...properties, inject: { description: "The fault that strikes." }, then: list },
      ...exactlyOneOf(triggerKinds),
      dependencies: { timezone: ["every"] },
      allOf: [...triggerNames.map(byTrigger), ...(["every", "at"] as const).map(onClock), ...struckables.map(byStruck)],
    },
    ...Object.fromEntries(subjects.map((subject) => [`step-${subject}`, stepDefinition(subject)])),
    ...Object.fromEntries(triggerNames.map((name) => [`where-${name}`, whereOf(name)])),
    ...Object.fromEntries(struckables.flatMap(struckDefinitions)),
    ...Object.fromEntries(actionDefinitions()),
  };
}

const struckables = ["request", "delivery"] as const satisfies readonly Struckable[];

function subjectOf(trigger: string): Subject {
  return triggerSubject(trigger) ?? "webhook";
}

function byTrigger(name: string): Json {
  const properties = { where: ref(`where-${name}`), inject: false };
  return where("on", { const: name }, withSteps(properties, subjectOf(name)));
}

function onClock(kind: "every" | "at"): Json {
  return where(kind, {}, withSteps({ where: { maxProperties: 0 }, inject: false, also: { const: false } }, "clock"));
}

function withSteps(properties: Json, subject: Subject): Json {
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  return { required: ["then"], properties: { ...properties, then: { items: ref(`step-${subject}`) } } };
}

function byStruck(struck: Struckable): Json {
  const faults = { where: ref(`where-${struck}`), inject: ref(`inject-${struck}`), also: { const: false } };
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  const properties = { ...faults, then: false };
  return where(struck, {}, { required: ["inject"], properties });
}

function whereOf(trigger: string): Json {
  return conditionsOn(triggerFields(trigger) ?? [], trigger);
}

/** Definitions of the faults for calls or webhooks, and of the fields that conditions may look at. */
function struckDefinitions(struck: Struckable): [string, Json][] {
  const known = Object.keys(injectionsOf[struck]);
  const { inject } = jsonSchemaOf(faultRule).properties as Record<string, Json>;
  const all = inject?.properties as Record<string, Json>;
  const properties = Object.fromEntries(known.map((name) => [name, all[name]]));
  const one = { type: "object", properties, additionalProperties: false, ...exactlyOneOf(known) };
  return [
    [`where-${struck}`, conditionsOn(struckFieldNames(struck, "*"), null)],
    [`inject-${struck}`, { description: "The fault that strikes.", ...one }],
  ];
}

/** The definition of a fault rule that a step sets. */
function faultDefinition(): Json {
  const { definitions: _, ...rule } = jsonSchemaOf(worldActions.fault.input);
  return {
    ...rule,
    properties: { ...(rule.properties as Json), inject: {} },
    ...exactlyOneOf(struckables),
    allOf: struckables.map((struck) =>
      where(struck, {}, { properties: { where: ref(`where-${struck}`), inject: ref(`inject-${struck}`) } }),
    ),
  };
}

/** The definition of a step in rules about a subject: its timing, and one action. */
function stepDefinition(subject: Subject): Json {
  const actions = Object.fromEntries(stepActions.map((name) => [name, actionInput(name, subject)]));
  const { after } = jsonSchemaOf(z.strictObject(stepTiming())).properties as Record<string, Json>;
  return {
    type: "object",
    properties: { after, at: momentDefinition(subject), ...actions },
    additionalProperties: false,
    ...exactlyOneOf(stepActions),
    not: { required: ["after", "at"] },
  };
}

/** The moments that steps about a subject may wait for. */
function momentDefinition(subject: Subject): Json {
  const instant = { type: "string", pattern: `^${INSTANT_FORM}$` };
  const moments = stepMoments.filter((name) => subject === "webhook" || subject === momentSubjects[name]);
  const description = "At a moment of the resource, or at an instant.";
  return moments.length > 0
    ? { description, anyOf: [{ enum: moments }, instant] }
    : { description: "At an instant.", ...instant };
}

/** The input of an action in rules about a subject: for the subject itself, or one that names its resource. */
function actionInput(name: string, subject: Subject): Json {
  if (name === "fault" || isWorldAction(name)) return ref(`do-${name}`);
  const own = subject === "webhook" ? kindsWith(name, null) : subject === "clock" ? [] : kindsWith(name, subject);
  const named = ref(`do-${name}-named`);
  return own.length === 0 ? named : { anyOf: [...own.map((kind) => ref(`do-${name}-${kind}`)), named] };
}

/** Definitions of the input of each action. */
function actionDefinitions(): [string, Json][] {
  return stepActions.flatMap((name): [string, Json][] => {
    if (name === "fault") return [[`do-${name}`, faultDefinition()]];
    if (isWorldAction(name)) return [[`do-${name}`, jsonSchemaOf(worldActions[name].input)]];
    const kinds = kindsWith(name, null);
    const named = namedInputs(name).map(({ schema }) => jsonSchemaOf(schema));
    const description = kinds.map((kind) => inputOf(kind, name).meta()?.description).join(" ");
    const different = [...new Map(named.map((schema) => [JSON.stringify(schema), schema])).values()];
    const [only, ...others] = different;
    return [
      ...kinds.map((kind): [string, Json] => [`do-${name}-${kind}`, inputDefinition(inputOf(kind, name))]),
      [`do-${name}-named`, { description, ...(others.length === 0 ? only : { anyOf: different }) }],
    ];
  });
}

/** An action that needs no input may be written without one. */
function inputDefinition(schema: z.ZodType): Json {
  const input = jsonSchemaOf(schema);
  return Array.isArray(input.required) && input.required.length > 0 ? input : { ...input, type: ["object", "null"] };
}
