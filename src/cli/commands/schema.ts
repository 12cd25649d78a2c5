import { Command } from "commander";
import { idleJsonOption } from "../option-values.ts";

/** `payments-sandbox schema`: the JSON Schema of scenario files. */
export function schemaCommand(): Command {
  return new Command("schema")
    .description("print the JSON Schema of scenario files, for editors")
    .addOption(idleJsonOption())
    .action(async () => {
      const { scenarioJsonSchemaText } = await import("../../scenarios/json-schema.ts");
      process.stdout.write(scenarioJsonSchemaText());
    });
}
