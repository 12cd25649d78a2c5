import { Command } from "commander";

/** `payments-sandbox schema`: the JSON Schema of scenario files. */
export function schemaCommand(): Command {
  return new Command("schema")
    .description("print the JSON Schema of scenario files, for editors")
    .option("--json", "JSON, which is what it prints anyway")
    .action(async () => {
      const { scenarioJsonSchemaText } = await import("../../scenarios/json-schema.ts");
      process.stdout.write(scenarioJsonSchemaText());
    });
}
