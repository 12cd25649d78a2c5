/** The command line as a page to read: what `docs/command-line.md` holds, in the words of its own help. */
import type { Command } from "commander";
import { page, table } from "./markdown.ts";

const WIDTH = 110;

const INTRODUCTION = `\`npx payments-sandbox\`, or \`npm start --\` in a checkout, starts the server. Durations are \`500ms\`,
\`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a zone. Every command leaves with
0 when it was done; with 1 where what was asked for does not hold: a file that \`check\` finds mistakes in, an expectation
or a check that fails, an unknown id; with 2 where it could not run: bad arguments, a missing file, nothing listening, an
unknown \`--world\`, or a file that it needs and cannot read, as a scenario with mistakes for \`run\` and \`--scenario\`,
settings with mistakes for \`--settings\`, or what is no bundle for \`replay\`.

The commands that talk to a running sandbox find it by \`--url\`, else by \`PAYMENTS_SANDBOX_URL\`, else where a server
answers that takes its port and host from \`PAYMENTS_SANDBOX_PORT\` and \`PAYMENTS_SANDBOX_HOST\` of the same environment
(\`openapi\` names that address too). Of \`--port\` and \`--host\` of a server they know nothing.

What a server prints goes by \`--log\`: on a terminal a banner with the address and the credentials, then a line for
each call, transition and delivery; otherwise the same as JSON lines, the first one with \`"event": "ready"\`. \`silent\`
prints the banner and no more; faults of the sandbox itself go to stderr in any case.

SIGTERM, or SIGINT by Ctrl-C, stops the server: it finishes what is under way, for eight seconds at most, and leaves with
0. A second one ends it at once, with 0 too, and cuts calls off that are in flight.`;

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

/** What \`--help\` prints, on a terminal of one width and without what the machine's variables say. */
function helpOf(command: Command): string {
  let text = "";
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
  command.outputHelp();
  return text.trim();
}
