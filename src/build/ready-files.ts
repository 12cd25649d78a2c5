/**
 * Prepares what every world needs and writes it into the folder of a build, so that a server need not. Run by the build
 * of the program; not a command for users.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SCENARIOS, shipped } from "../host/scenario-library.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { readyText } from "../scenarios/ready-scenarios.ts";
import { schemaText } from "../store/migrations.ts";
import { readShipped } from "../world/fixtures.ts";

const [, , built] = process.argv;
if (built === undefined) throw new Error("Say which folder the program was built in.");

const fixtures = join(built, "world");
const store = join(built, "store");
const scenarios = join(built, "scenarios", "ready");
for (const folder of [fixtures, store, scenarios]) mkdirSync(folder, { recursive: true });
writeFileSync(join(fixtures, "ready-fixtures.json"), JSON.stringify(readShipped()));
writeFileSync(join(store, "ready-schema.sql"), schemaText());
for (const name of DEFAULT_SCENARIOS) {
  const { text, file } = shipped(name);
  writeFileSync(join(scenarios, `${name}.json`), readyText(text, loadScenario(text, file)));
}
