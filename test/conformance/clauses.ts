/**
 * `npm run conformance`: every checkable statement of the specification with the tests that name it in their titles;
 * fails when one has none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const tests = fileURLToPath(new URL("..", import.meta.url));
const [, ...rows] = readFileSync(new URL("clauses.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** A title, in the quotes that it stands in. */
const TITLE = /(["`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;

function titles(): { file: string; title: string }[] {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.ts"));
  return files.sort().flatMap((file) => {
    const text = readFileSync(`${tests}/${file}`, "utf8");
    return [...text.matchAll(TITLE)].map(([, , title = ""]) => ({ file, title }));
  });
}

const all = titles();
const without: string[] = [];
for (const row of rows) {
  const [id = "", , clause = ""] = row.split("\t");
  const named = all.filter(({ title }) => new RegExp(`\\b${id}\\b`).test(title));
  process.stdout.write(`${id} ${clause}\n${named.map(({ file, title }) => `    ${file}: ${title}\n`).join("")}`);
  if (named.length === 0) without.push(id);
}
process.stdout.write(`${rows.length - without.length} of ${rows.length} clauses are named by a test.\n`);
if (without.length > 0) {
  process.stderr.write(`No test names ${without.join(", ")}.\n`);
  process.exitCode = 1;
}
