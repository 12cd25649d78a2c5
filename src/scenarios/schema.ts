/** The language of scenario files: one schema for loading, for the editor and for the documentation. */
import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import { ruleSchema } from "./rule-schema.ts";
import { expectation, scriptStep } from "./script-schema.ts";
import { accountsField, clockField, seedField, settingsField } from "./world-keys.ts";

/** Names of scenarios, as of worlds. */
export const SCENARIO_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export const scenarioSchema = z.strictObject({
  scenario: z
    .string({ error: "must be a text, the scenario's name" })
    .regex(SCENARIO_NAME, { error: "must be lower-case letters, digits and hyphens" }),
  description: z.string().optional(),
  /** Scenarios that are loaded beneath it: shipped ones by name, files beside it. */
  with: z.array(z.string(), { error: "must be a list of names" }).optional(),
  settings: settingsField.optional(),
  seed: seedField.optional(),
  clock: clockField.optional(),
  accounts: accountsField.optional(),
  rules: z.array(ruleSchema, { error: "must be a list of rules" }).default([]),
  /** How long a run lasts beyond the script. */
  for: z
    .string({ error: `must be a duration such as ${DURATION_EXAMPLES}` })
    .refine((text) => parseDuration(text) !== null, { error: `must be a duration such as ${DURATION_EXAMPLES}` })
    .optional(),
  merchant: z.array(scriptStep, { error: "must be a list of what the merchant does" }).optional(),
  expect: z.array(expectation, { error: "must be a list of expectations" }).optional(),
});

export type ScenarioFile = z.infer<typeof scenarioSchema>;
