/**
 * Writes the pages of `docs/`, a table of the README and the JSON Schema of scenario files. Run by `npm run docs`; not
 * a command for users.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { commandLine } from "../cli/main.ts";
import { PREFIX } from "../cli/variables.ts";
import { withMagicValues } from "../pages/magic-values.ts";
import { pages } from "../pages/pages.ts";
import { scenarioJsonSchemaText } from "../scenarios/json-schema.ts";

const folder = new URL("../../docs/", import.meta.url);
const readme = new URL("../../README.md", import.meta.url);

// The help shows defaults, some of which come from the environment.
for (const name of Object.keys(process.env)) if (name.startsWith(PREFIX)) delete process.env[name];

mkdirSync(folder, { recursive: true });
writeFileSync(new URL("../scenarios/scenario.schema.json", import.meta.url), scenarioJsonSchemaText());
for (const [name, text] of await pages(await commandLine())) writeFileSync(new URL(name, folder), text);
writeFileSync(readme, withMagicValues(readFileSync(readme, "utf8")));
