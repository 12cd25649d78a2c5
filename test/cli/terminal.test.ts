/** What commands tell people to paste, and what they take their terminals for. */
import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test, vi } from "vitest";
import { shellWord, showsProgress, terminal } from "../../src/cli/terminal.ts";

test.each([
  "scenarios/starter.yaml",
  "my shop/scenarios",
  "it's mine",
  'the "shop" of $HOME',
  "it's $HOME",
  "`id`",
  "http://[::1]:4400/v2",
  "a\\b",
  "my shop\\\\b",
])("a shell takes it for the very word: %s", (word) => {
  expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
});

test("a word with an exclamation mark is quoted so that no shell at which it is pasted repeats a former command", () => {
  expect(shellWord("my shop!/scenarios")).toBe("'my shop!/scenarios'");
});

/** Has both streams be terminals or not, with these variables, until the test ends. */
function isTerminal(isTTY: boolean, variables: Readonly<Record<string, string>>): void {
  for (const stream of [process.stdout, process.stderr]) {
    const before = stream.isTTY;
    Object.assign(stream, { isTTY });
    onTestFinished(() => void Object.assign(stream, { isTTY: before }));
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test.each([
  [true, "xterm", true],
  [true, "dumb", false],
  [false, "xterm", false],
])("a line is written over on a terminal (%s) of the kind %s: %s", (isTTY, TERM, isShown) => {
  isTerminal(isTTY, { TERM });
  expect(showsProgress()).toBe(isShown);
});

test.each([
  [true, "xterm", "", true],
  [true, "xterm", "1", false],
  [true, "dumb", "", false],
  [false, "xterm", "", false],
])("colours are for terminals (%s, %s) alone, and not where NO_COLOR is %j: %s", (isTTY, TERM, NO_COLOR, colours) => {
  isTerminal(isTTY, { TERM, NO_COLOR });
  expect(terminal()).toEqual({ colours });
});
