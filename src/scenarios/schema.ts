/** The language of scenario files: one schema for loading, for the editor and for the documentation. */

import { z } from "zod";
import { MAX_NAME, NAME } from "../domain/names.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { ruleSchema } from "./rule-schema.ts";
import { expectation, scriptStep } from "./script-schema.ts";
import { durationField } from "./time-fields.ts";
import { accountsField, clockField, seedField, settingsField } from "./world-keys.ts";

const name = () =>
  z.string({ error: "must be a text, the scenario's name" }).superRefine((text, context) => {
    if (NAME.test(text)) return;
    // Suggest letters without accents: "cobranca" for "cobrança".
    const meant = text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "");
    const near = asQuestion(NAME.test(meant) ? meant : null);
    const message = `must be at most ${MAX_NAME} lower-case letters, digits and hyphens${near}`;
    context.addIssue({ code: "custom", message });
  });

/** A scenario file. Made on first use: the schema is as large as all others together, and most servers read no file. */
export const scenarioSchema = onFirstUse(() =>
  z.strictObject({
    $schema: z.string().optional().meta({ description: "Where editors find the schema of scenario files." }),
    scenario: name().meta({
      description: "The scenario's name; loading another one of the same name replaces it.",
      pattern: NAME.source,
    }),
    description: z.string().optional().meta({ description: "What happens, in a sentence; for reports." }),
    with: z
      .array(z.string(), { error: "must be a list of names" })
      .optional()
      .meta({ description: "Scenarios to load beneath this one: shipped ones by name, files beside it by path." }),
    settings: settingsField.optional().meta({ description: "Settings of the world that differ from the defaults." }),
    seed: seedField.optional().meta({ description: "What all ids, keys and names of the world follow from." }),
    clock: clockField.optional().meta({ description: "The clock of the world." }),
    accounts: accountsField.optional().meta({
      description:
        "Accounts in place of acme and globex, each with a credential; the first one is the default account.",
    }),
    rules: z
      .array(ruleSchema(), { error: "must be a list of rules" })
      .default([])
      .meta({ description: "What the outside world does: for each occurrence the first rule that matches steers." }),
    for: durationField.optional().meta({ description: "How long a run lasts beyond the script." }),
    merchant: z
      .array(scriptStep(), { error: "must be a list of what the merchant does" })
      .optional()
      .meta({ description: "What the merchant does in a run, one after the other." }),
    expect: z
      .array(expectation(), { error: "must be a list of expectations" })
      .optional()
      .meta({ description: "What must have come of it." }),
  }),
);

/** A scenario file that its schema accepts; checks of its meaning follow. */
export type ScenarioFile = z.infer<ReturnType<typeof scenarioSchema>>;
