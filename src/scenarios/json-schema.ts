/** The JSON Schema of scenario files, generated from the zod schema, by which editors complete, explain and check. */
import { type Settings, settingNotes, settingsSchema } from "../domain/settings.ts";
import { ruleDefinitions } from "./json-schema-rules.ts";
import { expectationDefinitions, merchantStepDefinition } from "./json-schema-script.ts";
import { conditionDefinitions, type Json, jsonSchemaOf } from "./json-schema-words.ts";
import { scenarioSchema } from "./schema.ts";

/** The document, in the draft that editors support best. */
export function scenarioJsonSchema(): Json {
  const { definitions, properties, ...rest } = jsonSchemaOf(scenarioSchema()) as Readonly<Record<string, Json>>;
  const made = definitions as Record<string, Json>;
  const settings = { ...(properties?.settings as Json), ...settingsDefinition() };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    description:
      "A scenario of payments-sandbox: what payers, banks and networks do, what the merchant does, and what is expected to come of it.",
    ...rest,
    properties: { ...properties, settings },
    definitions: {
      ...ruleDefinitions(made.rule ?? {}),
      "merchant-step": merchantStepDefinition(made["merchant-step"] ?? {}),
      ...expectationDefinitions(made.expectation ?? {}),
      ...conditionDefinitions(),
      condition: made.condition,
      count: made.count,
    },
  };
}

/** The document as text, as it is committed and printed. */
export function scenarioJsonSchemaText(): string {
  return `${written(scenarioJsonSchema(), "")}\n`;
}

/** Formats JSON with short values on one line, for readability. */
function written(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  if (typeof value !== "object" || value === null || line.length + indent.length <= 110) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => written(item, inner))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${written(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.map((member) => inner + member).join(",\n")}\n${indent}${close}`;
}

function settingsDefinition(): Json {
  const { required: _, properties = {}, ...rest } = jsonSchemaOf(settingsSchema);
  const described = Object.entries(properties as Record<string, Json>).map(([name, setting]) => {
    return [name, { description: settingNotes[name as keyof Settings], ...setting }];
  });
  return { ...rest, properties: Object.fromEntries(described) };
}
