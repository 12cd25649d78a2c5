/** Writes the pages of `docs/` that are made from tables. Run by `npm run docs`; no command for users. */
import { mkdirSync, writeFileSync } from "node:fs";
import { statePage } from "../domain/state-page.ts";
import { shipped, shippedNames } from "../host/scenario-sources.ts";
import { libraryPage } from "../scenarios/library-page.ts";
import { loadScenario } from "../scenarios/loader.ts";

const folder = new URL("../../docs/", import.meta.url);

mkdirSync(folder, { recursive: true });
writeFileSync(new URL("states.md", folder), statePage());
const stories = shippedNames().map(shipped);
writeFileSync(new URL("scenarios.md", folder), libraryPage(stories.map(({ text, file }) => loadScenario(text, file))));
