/** How a scenario file is run, and served: the last chapter of its language. */

/** The chapter, in Markdown. */
export const RUNNING = `## Running it

| command | what it does |
|---|---|
| \`npx payments-sandbox check scenarios/my-story.yaml\` | tells whether it is well written; nothing is played |
| \`npx payments-sandbox run scenarios/my-story.yaml\` | plays it in a fresh world, at once, and judges |
| \`npx payments-sandbox run scenarios --reporter junit\` | plays all of a folder, for CI |
| \`npx payments-sandbox --scenario scenarios/my-story.yaml\` | serves it, for a merchant of your own |

What is well written and yet a likely slip, \`check\` and \`run\` warn of, with file, line and column: a field that a call
would ignore, a reference to what the saved answer does not have, a field for which a call is refused that is to
succeed, a condition in \`data\` on what the answer does not have, and an account that a run does not have, where a
served world may: the last three fail in a run; and a rule whose time is over when a run begins, which never acts there.
A warning changes no exit code. Of mistakes the first hundred are told, and how many more there are.

A server loads \`happy-path\`, \`magic-values\` and, where it is there, the folder \`scenarios\` of where it was started, unless
\`--scenario\` says otherwise; of several the last is loaded last. Files are followed, those named
under \`with\` too: what is saved is loaded at once, in the place that it had among them, and one with faults is told of
while its last good version goes on; so is one that is deleted, or not named under \`with\` any more, and stays loaded.
Into a world that runs:

\`\`\`bash
curl -s http://127.0.0.1:4400/_sandbox/scenarios -H "Content-Type: application/yaml" --data-binary @scenarios/my-story.yaml
\`\`\`

In tests \`sandbox.createWorld({ scenarios: ["happy-path", { scenario: "mine", rules: […] }] })\` takes names and documents
([testing.md](testing.md)). \`GET /_sandbox/scenarios\` tells how often each rule matched and acted: \`at\` is the line on
which it stands, \`due\` the time of a rule that acts \`at\` one. \`payments-sandbox explain ID\` tells which line of a file
something came from. \`payments-sandbox schema\` prints the JSON Schema by which editors complete and check; the package
has it as \`src/scenarios/scenario.schema.json\`. All options are in [command-line.md](command-line.md#run).`;
