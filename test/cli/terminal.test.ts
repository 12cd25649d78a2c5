/** What commands tell people to paste. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "../../src/cli/terminal.ts";

test.each([
  "scenarios/starter.yaml",
  "my shop/scenarios",
  "it's mine",
  'the "shop" of $HOME',
  "it's $HOME",
  "`id`",
  "http://[::1]:4400/v2",
])("a shell takes it for the very word: %s", (word) => {
  expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
});
