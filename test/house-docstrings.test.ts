/** The rule of the house that an editor lives by: what is exported says what it is where it stands. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), "utf8") }));

/** The declaration of a function, class, interface, type or constant; what `export {}` hands on has its docstring at home. */
const DECLARATION = /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) \w+/gm;

/** A docstring of the outermost level, which begins its line. */
const DOCSTRING = /^\/\*\*\s(?:(?!\*\/)[\s\S])*\*\/$/gm;

/** The declarations of a file that have no docstring right above. */
function bare(text: string): string[] {
  const ends = new Set([...text.matchAll(DOCSTRING)].map(({ 0: docstring, index }) => index + docstring.length));
  return [...text.matchAll(DECLARATION)]
    .filter(({ index }) => !ends.has(index - 1))
    .map(([declaration]) => declaration);
}

function saysTheFirstAgain(text: string): boolean {
  const [[first] = [], ...others] = [...text.matchAll(DOCSTRING)];
  return others.some(([other]) => other === first);
}

describe("docstrings", () => {
  test("every exported function, class, interface, type and constant has one right above", () => {
    expect(files.flatMap(({ file, text }) => bare(text).map((declaration) => `${file}: ${declaration}`))).toEqual([]);
  });

  test("none says what the first comment of its file says", () => {
    expect(files.filter(({ text }) => saysTheFirstAgain(text)).map(({ file }) => file)).toEqual([]);
  });

  test.each([
    ["", 1],
    ["/** What it gives. */", 0],
    ["/**\n * What it gives.\n * @throws {Error}\n */", 0],
    ["/** What the file is. */\n", 1],
    ["// What it gives.", 1],
    ["/* What it gives. */", 1],
  ])("a function below %j", (above, found) => {
    expect(bare(`${above}\nexport async function made(): void {}\n`)).toHaveLength(found);
  });
});
