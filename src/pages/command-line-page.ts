/** `docs/command-line.md`: the command line, in the words of its own help. */
import type { Command } from "commander";
import { page, table } from "./markdown.ts";

const WIDTH = 110;

const INTRODUCTION = `\`npx payments-sandbox\`, or \`npm start --\` in a checkout, starts the server. Durations are \`500ms\`,
\`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a zone.

| exit code | when |
|---|---|
| 0 | it was done |
| 1 | the answer is no: a file in which \`check\` finds mistakes, an expectation or a check that fails, an unknown id |
| 2 | it could not run: bad arguments, nothing listening, an unknown \`--world\`, or a file that is missing or has mistakes: a scenario for \`run\` and \`--scenario\`, settings for \`--settings\`, a bundle for \`replay\` |

Commands that talk to a running sandbox find it by \`--url\`, otherwise by \`PAYMENTS_SANDBOX_URL\`, otherwise by
\`PAYMENTS_SANDBOX_PORT\` and \`PAYMENTS_SANDBOX_HOST\`, from which a server in the same environment takes its address
(\`openapi\` prints that address too). They do not know a server's \`--port\` and \`--host\`.

\`--log\` says what a server prints: on a terminal, a banner with the address and the credentials, then a line for each
call, transition and delivery; otherwise the same as JSON lines, the first one with \`"event": "ready"\`. \`silent\` prints
only the banner. Faults of the sandbox itself always go to stderr.

SIGTERM, or SIGINT by Ctrl-C, stops the server: it finishes what is under way, for eight seconds at most, and exits with
0. A second signal ends it at once, also with 0, and cuts off calls in flight. A program that stops a server by SIGTERM
must start \`node_modules/.bin/payments-sandbox\`: \`npx\`, \`npm exec\` and \`npm run\` end at the signal without passing it
on, and the server goes on running.`;

/** The page, in Markdown. @param program with all its commands. */
export function commandLinePage(program: Command): string {
  const commands = program.commands.filter((command) => command.name() !== "help");
  const overview = commands.map((command) => [`[${command.name()}](#${command.name()})`, command.description()]);
  const paragraphs = [INTRODUCTION, table(["command", "what it does"], overview), ...commands.map(section)];
  return page("Command line", "the help of src/cli", paragraphs);
}

function section(command: Command): string {
  return `## ${command.name()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``;
}

/** What `--help` prints, at a fixed width and independent of the machine's environment variables. */
function helpOf(command: Command): string {
  let text = "";
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
  command.outputHelp();
  return text.trim();
}
