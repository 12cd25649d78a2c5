/** TABLE: the pages of `docs/` that `npm run docs` writes from tables; a test checks that they are up to date. */
import type { Command } from "commander";
import { startSandbox } from "../client/sandbox-client.ts";
import { shipped, shippedNames } from "../host/scenario-library.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { commandLinePage } from "./command-line-page.ts";
import { controlPage } from "./control-page.ts";
import { endpointsPage } from "./endpoints-page.ts";
import { errorsPage } from "./errors-page.ts";
import { eventsPage } from "./events-page.ts";
import { libraryPage } from "./library-page.ts";
import { scenarioLanguagePage } from "./scenario-language-page.ts";
import { settingsPage } from "./settings-page.ts";
import { statePage } from "./state-page.ts";

/** All pages, by file name. @param program the command line. */
export async function pages(program: Command): Promise<ReadonlyMap<string, string>> {
  await using sandbox = await startSandbox();
  const scenarios = shippedNames().map(shipped);
  return new Map([
    ["endpoints.md", await endpointsPage(sandbox)],
    ["events.md", await eventsPage(sandbox)],
    ["errors.md", errorsPage()],
    ["states.md", statePage()],
    ["settings.md", settingsPage()],
    ["control.md", await controlPage(sandbox)],
    ["scenario-language.md", scenarioLanguagePage()],
    ["scenarios.md", libraryPage(scenarios.map(({ text, file }) => loadScenario(text, file)))],
    ["command-line.md", commandLinePage(program)],
  ]);
}
