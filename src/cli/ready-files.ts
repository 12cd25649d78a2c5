/** Reads what every world needs, so that a server does not. Run by `npm run build`; no command for users. */
import { mkdirSync, writeFileSync } from "node:fs";
import { DEFAULT_SCENARIOS, shipped } from "../host/scenario-sources.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { readyText } from "../scenarios/ready-scenarios.ts";
import { readShipped } from "../world/fixtures.ts";

writeFileSync(new URL("../../dist/world/ready-fixtures.json", import.meta.url), JSON.stringify(readShipped()));

const folder = new URL("../../dist/scenarios/ready/", import.meta.url);

mkdirSync(folder, { recursive: true });
for (const name of DEFAULT_SCENARIOS) {
  const { text, file } = shipped(name);
  writeFileSync(new URL(`${name}.json`, folder), readyText(text, loadScenario(text, file)));
}
