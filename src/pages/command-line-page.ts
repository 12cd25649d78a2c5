/** The command line as a page to read: what `docs/command-line.md` holds, in the words of its own help. */
import type { Command } from "commander";
import { page, table } from "./markdown.ts";

const WIDTH = 110;

const INTRODUCTION = `\`npx payments-sandbox\`, or \`npm start --\` in a checkout, starts the server. Durations are \`500ms\`,
\`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a zone. Every command leaves with
0 when it was done, 1 where the answer is no (an invalid file, a failed check, an unknown id), 2 where it could not be
done (bad arguments, a missing file, nothing listening).`;

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
