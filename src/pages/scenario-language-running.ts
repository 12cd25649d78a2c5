/** The last chapter on the scenario language: how a file is run and served. */

/** The chapter, in Markdown. */
export const RUNNING = `## Running it

| command | what it does |
|---|---|
| \`npx payments-sandbox check scenarios/my-story.yaml\` | checks that it is well written; plays nothing |
| \`npx payments-sandbox run scenarios/my-story.yaml\` | plays it at once in a fresh world, and judges it |
| \`npx payments-sandbox run scenarios --reporter junit\` | plays all files of a folder, for CI; folders within it are named one by one |
| \`npx payments-sandbox --scenario scenarios/my-story.yaml\` | serves it to your own program |

\`check\` and \`run\` warn, with file, line and column, of what is well written but probably a slip:

- a field that a call ignores, or a query, body or form as a whole;
- a reference to something that the saved answer does not have;
- a word in a condition in \`data\` that the field never has;
- a rule whose time is over when a run begins, so that it never acts there;
- a step that is skipped each time, such as \`pay\` in a rule on \`cashin.expired\`: what is expired cannot be paid;
- and what fails in a run: a call that should succeed and is refused for its query, body or form (a wrong amount,
  currency or chain is a mistake), a condition in \`data\` on something that the answer does not have or on a list or an
  object as a whole, an account that a run does not have, although a served world may.

Calls are judged by the service itself, each as the first one in a world of the file's settings and accounts: balances,
what earlier calls have used of a limit, and what rules do are left out. Of a call with a \`\${…}\`, of one for a token and
of the reply to a dispute, the form of each field is looked at and no more.

A warning changes no exit code. The first hundred mistakes are shown, and the number of the others.

Unless \`--scenario\` says otherwise, a server loads \`happy-path\`, \`magic-values\` and, if there is one, the folder
\`scenarios\` of the directory where it was started, in this order; a plain copy of the shipped ones is no such folder.
It follows the files, those named under \`with\` too: a file that you save is loaded at once, in its old place in the
order, a new one last, and right before it what it newly names under \`with\`. If the file then has mistakes, is deleted,
or is no longer named under \`with\`, the server says so and its last good version stays loaded; a file that waits for
one under \`with\` is tried again when that one is saved. A reset takes up their rules as they are then; accounts,
settings, seed and clock stay those of the start. Into a running
world:

\`\`\`bash
curl -s http://127.0.0.1:4400/_sandbox/scenarios -H "Content-Type: application/yaml" --data-binary @scenarios/my-story.yaml
\`\`\`

In tests, \`sandbox.createWorld({ scenarios: ["happy-path", { scenario: "mine", rules: […] }] })\` takes names and documents
([testing.md](testing.md)). \`GET /_sandbox/scenarios\` shows how often each rule matched and acted: \`at\` is its line,
\`due\` the time of a rule that acts \`at\` one. \`payments-sandbox explain ID\` shows which line of a file something came
from. \`payments-sandbox schema\` prints the JSON Schema by which editors complete and check; the package has it as
\`src/scenarios/scenario.schema.json\`. All options are in [command-line.md](command-line.md#run).`;
