/** `docs/scenarios.md`: the shipped scenarios, word for word. */
import { ExactNumber } from "../domain/money.ts";
import { MAGIC_VALUES } from "../scenarios/engine.ts";
import { expectationWords } from "../scenarios/expectation-words.ts";
import type { LoadedScenario } from "../scenarios/loader.ts";
import type { ScenarioFile } from "../scenarios/schema.ts";
import type { Expectation } from "../scenarios/script-schema.ts";
import { referencesIn } from "../scenarios/variables.ts";
import { magicTable } from "./magic-values.ts";
import { code, page, points } from "./markdown.ts";

/** TABLE: chapters of the page, by how their scenarios' names begin; a scenario belongs to the first that fits. */
const chapters: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: "All goes well", names: ["happy-path", "magic-values"] },
  { title: "Charges", names: ["charge-"] },
  { title: "Fixed wallets and their deposits", names: ["deposits-", "wallet-"] },
  { title: "Cash-outs", names: ["cashout-"] },
  { title: "Conversions and transfers", names: ["conversion-", "rate-moves-", "internal-transfer"] },
  { title: "Disputes", names: ["chargeback-"] },
  { title: "Webhooks and receivers", names: ["webhook-", "receiver-", "monday-morning"] },
  { title: "Provider and network", names: ["provider-", "answer-", "request-"] },
  {
    title: "Limits, blocks and refusals",
    names: ["rate-limit-", "credential-", "address-", "account-", "signature-", "currency-", "insufficient-", "daily-"],
  },
  { title: "Stretches of time", names: ["month-", "clock-"] },
];
const OTHERS = "Others";

const INTRODUCTION = `Each file of \`scenarios/\` tells one story: what payers, banks and the network do, what a merchant does meanwhile, and
what must come of it.

- \`npx payments-sandbox run chargeback-won\` plays one at once, in a fresh world, with the merchant of its script.
- \`npx payments-sandbox --scenario chargeback-won\` starts a server with it, for your own program. Only this one is then
  loaded; to have \`happy-path\` and \`magic-values\` too, name them as well: \`--scenario happy-path,chargeback-won\`.
- \`POST /_sandbox/scenarios\` with \`{"name": "chargeback-won"}\` loads it into a running sandbox.

"Events" lists those that the story expects. To write your own: [the scenario language](scenario-language.md).`;

const MAGIC_INTRODUCTION = `## Magic values

The scenario \`${MAGIC_VALUES}\` is loaded unless you name others. An \`external_id\` that begins as below makes the outside
world act differently, without any file.`;

/** The page, in Markdown. @param scenarios in the order in which each chapter tells them. */
export function libraryPage(scenarios: readonly LoadedScenario[]): string {
  const byTitle = Map.groupBy(scenarios, ({ content }) => chapterOf(content.scenario));
  const titles = [...chapters.map(({ title }) => title), OTHERS].filter((title) => byTitle.has(title));
  const contents = titles.map((title) => {
    const names = (byTitle.get(title) ?? []).map(({ content: { scenario } }) => `[${scenario}](#${scenario})`);
    return `${title}: ${names.join(", ")}`;
  });
  const magic = scenarios.find(({ content }) => content.scenario === MAGIC_VALUES);
  const told = titles.map((title) => `## ${title}\n\n${(byTitle.get(title) ?? []).map(scenarioSection).join("\n\n")}`);
  const paragraphs = [
    INTRODUCTION,
    points(contents),
    ...(magic ? [MAGIC_INTRODUCTION, magicTable(magic)] : []),
    ...told,
  ];
  return page("Shipped scenarios", "the files of scenarios/", paragraphs);
}

function chapterOf(name: string): string {
  return chapters.find(({ names }) => names.some((beginning) => name.startsWith(beginning)))?.title ?? OTHERS;
}

function scenarioSection({ content, file }: LoadedScenario): string {
  const events = eventsOf(content).map(code);
  return `### ${content.scenario}

${content.description?.trim() ?? ""}

Expected ([${file.split("/").at(-1)}](../scenarios/${file.split("/").at(-1)})):

${points((content.expect ?? []).map(expectedWords))}

Events: ${events.join(", ") || "none"}`;
}

/** The event kinds that a story expects, in order. */
function eventsOf({ expect = [] }: ScenarioFile): string[] {
  const named = expect.flatMap(({ event, webhook }) => event ?? webhook ?? []);
  return [...new Set(named)].filter((name) => !name.includes("*"));
}

/** An expectation in words, without what is known only during a run. */
function expectedWords(expected: Expectation): string {
  if (expected.name) return expected.name;
  const beforehand = Object.entries(expected).map(([key, value]) => [key, knownBeforehand(value)]);
  const words = expectationWords(Object.fromEntries(beforehand) as Expectation);
  const event = expected.event ?? expected.no_event ?? expected.webhook;
  return event === undefined ? words : words.replace(event, code(event));
}

/** Leaves out conditions on values that the merchant saves; a resource named by such a value becomes null. */
function knownBeforehand(value: unknown): unknown {
  if (typeof value === "string") return referencesIn(value).length === 0 ? value : null;
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => referencesIn(member).length === 0));
}
