/** `docs/scenario-language.md`: the language of scenario files. */
import { anchorOf, page, points } from "./markdown.ts";
import { chapter, example } from "./scenario-language-chapters.ts";
import { deliveries, requests } from "./scenario-language-faults.ts";
import { conditions, filters, onTheClock, rules, steps, triggers } from "./scenario-language-rules.ts";
import { RUNNING } from "./scenario-language-running.ts";
import { expectations, merchant } from "./scenario-language-script.ts";
import { fileKeys, keyTable } from "./scenario-language-tables.ts";

const INTRODUCTION = `A scenario is a file, in YAML or JSON, that tells a story: what payers, banks and the network do
(\`rules\`), what a merchant does meanwhile (\`merchant\`), and what must come of it (\`expect\`). Each of the three may be
left out. The shipped stories are in [scenarios.md](scenarios.md). The tests play every example of this page.`;

const WRITING = `Durations are \`500ms\`, \`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a
zone, such as \`"2026-01-01T12:00:00Z"\`. Amounts are numbers or texts; those of \`fixtures\` are
texts, as in \`"100.00"\`. Put a text in quotes if it begins with \`*\`, or if it contains \`\${…}\` within \`{ }\`. An unknown key, trigger, field, action, currency, account or variable is
refused with file, line, column and the nearest right name; so is a rule that can never act because a rule above it takes
all that it matches. Each thing is written out where it stands: YAML's anchors, aliases, merges (\`<<\`) and tags (\`!!str\`)
are refused, and amounts are decimals (\`0x10\` and \`.5e1\` are not).`;

/** The page, in Markdown. */
export function scenarioLanguagePage(): string {
  const chapters = [
    file(),
    rules(),
    triggers(),
    conditions(),
    filters(),
    steps(),
    onTheClock(),
    requests(),
    deliveries(),
    merchant(),
    expectations(),
    RUNNING,
  ];
  const titles = chapters.map((text) => /^## (.+)$/m.exec(text)?.[1] ?? "");
  const contents = points(titles.map((title) => `[${title}](#${anchorOf(title)})`));
  return page("The scenario language", "src/scenarios", [
    INTRODUCTION,
    example("file"),
    WRITING,
    contents,
    ...chapters,
  ]);
}

function file(): string {
  const keys = keyTable(fileKeys, {
    scenario: ["required", "At most 63 lower-case letters, digits and hyphens."],
    description: ["none"],
    $schema: ["none", "In YAML, a first line `# yaml-language-server: $schema=…` does the same."],
    with: [
      "none",
      "The last one named lies on top. Their rules get what this file's rules leave, and this file's `settings` win over theirs. Their `merchant`, `expect` and `for` are not played. Their `seed`, `clock` and `accounts` count in a served world, not in a run.",
      "list of names and paths",
    ],
    settings: ["the defaults", "", "[settings](settings.md)"],
    seed: ["1"],
    clock: [
      "frozen at `2026-01-01T12:00:00Z`, in a server [as it starts](control.md#what-a-world-starts-with)",
      "A run is always frozen, and takes only `start`.",
    ],
    accounts: [
      "acme and globex",
      "Balances by currency, zero if not named; `postback_url: sandbox://inbox` keeps webhooks in the world.",
    ],
    rules: ["none", "", "list of [rules](#rules)"],
    merchant: ["nobody calls", "", "list of [calls and waits](#the-merchants-script)"],
    expect: ["nothing", "", "list of [expectations](#expectations)"],
    for: [
      "until nothing but recurring timers is left",
      "Without it, a run that still goes on after 250000 timers fails.",
    ],
  });
  const world = `\`settings\`, \`seed\`, \`clock\` and \`accounts\` apply when a world is made with the scenario: by \`run\`, by a server
that starts with it, or by \`POST /_sandbox/worlds\`. What is given to the run, the server or the call wins over them, such
as \`--seed\`, \`--postback-url\` or \`settings\`. An existing world keeps its own.`;
  return chapter("A file", keys, world, example("world"));
}
