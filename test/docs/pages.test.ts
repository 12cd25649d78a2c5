/** The pages that people read: written from the tables, their links lead somewhere, their code is code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { commandLine } from "../../src/cli/main.ts";
import { readSettings } from "../../src/host/creation.ts";
import { entrySentences } from "../../src/insight/sentences/entry-sentences.ts";
import { withMagicValues } from "../../src/pages/magic-values.ts";
import { anchorOf } from "../../src/pages/markdown.ts";
import { pages } from "../../src/pages/pages.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { loadFixtures } from "../../src/world/fixtures.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const written = await pages(await commandLine());
const byHand = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "docs/many-processes.md",
  "docs/testing.md",
  "fixtures/clients/README.md",
];
const all = [...byHand, ...[...written.keys()].map((name) => `docs/${name}`)];

describe("every page is up to date (npm run docs)", () => {
  test.each([...written])("docs/%s", (name, text) => {
    expect(read(`docs/${name}`)).toBe(text);
  });

  test("and so are the magic values of the README", () => {
    expect(withMagicValues(read("README.md"))).toBe(read("README.md"));
    expect(read("README.md")).toContain("| `magic-dispute-lost*` | a charge, network = PIX |");
  });

  test("and docs has no others but two that are written by hand", () => {
    const there = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    expect(there.sort()).toEqual([...written.keys(), "many-processes.md", "testing.md"].sort());
  });
});

test("the help of tail names every kind of entry", () => {
  const help = written.get("command-line.md")?.split("Kinds of entries:")[1]?.split("```")[0] ?? "";
  expect(
    help
      .split(/[\s,]+/)
      .filter(Boolean)
      .sort(),
  ).toEqual(Object.keys(entrySentences).sort());
});

test.each(all)("%s: its links lead somewhere", (path) => {
  const dead = linksOf(read(path)).filter((link) => !leadsSomewhere(path, link));
  expect(dead).toEqual([]);
});

test("every picture is shown in the README", () => {
  const kept = readdirSync(join(root, "docs", "images"));
  expect(kept.filter((name) => !read("README.md").includes(`](docs/images/${name})`))).toEqual([]);
});

test("every page is linked from the README or from a page that is", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    for (const link of linksOf(read(path))) {
      const target = relative(root, join(root, dirname(path), link.split("#")[0] ?? ""));
      if (all.includes(target)) reached.add(target);
    }
  }
  expect([...all].filter((path) => !reached.has(path))).toEqual([]);
});

describe.each(all)("%s: its code is what it says", (path) => {
  const blocks = [...read(path).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];

  test("every block names its language", () => {
    const bare = blocks.filter(([, language]) => language === "" && path.startsWith("docs/"));
    expect(bare).toEqual([]);
  });

  test("JSON can be parsed; YAML is a scenario that passes the check, or settings", () => {
    for (const [, language, text = ""] of blocks) {
      if (language === "json") expect(() => JSON.parse(text), text).not.toThrow();
      if (language === "yaml") checkYaml(text, path);
    }
  });
});

/** @throws {ScenarioError} @throws {CreationError} @throws {FixtureError} */
function checkYaml(text: string, path: string): void {
  if (text.startsWith("scenario:")) return void loadScenario(text, path);
  const content = parseYaml(text) as Record<string, unknown>;
  expect(content, text).toBeTypeOf("object");
  // Workflows and compose files are other people's languages; the rest is settings.
  if ("jobs" in content || "services" in content) return;
  loadFixtures(readSettings(content).fixtures);
}

/** Targets of links, those to the web left out. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : join(dirname(from), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).has(anchor);
}

/** What can be linked to within a page. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  const named = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...named]);
}
