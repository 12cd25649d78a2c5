/** Scenario files that name each other under `with`. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allNamed, problemsIn } from "../../src/cli/scenario-files/named-scenarios.ts";
import { scenarioFoldersIn } from "../../src/cli/scenario-files/scenario-paths.ts";
import { readScenarioFile } from "../../src/host/scenario-texts.ts";
import { pathsBeneath, withBeneath } from "../../src/host/scenarios-beneath.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { testFolder } from "../support/folder.ts";

/** Two files on each floor, each of which names both of the floor below. */
function lattice(floors: number): string {
  const files: [string, string][] = [];
  for (let floor = 0; floor < floors; floor++) {
    const below = floor + 1 < floors ? `with: [a${floor + 1}.yaml, b${floor + 1}.yaml]\n` : "";
    for (const side of ["a", "b"]) files.push([`${side}${floor}.yaml`, `scenario: ${side}${floor}\n${below}`]);
  }
  return join(testFolder(Object.fromEntries(files)), "a0.yaml");
}

test("interface 5: a file that many name under with is loaded once, beneath all that build on it", () => {
  const path = lattice(30);
  const loaded = withBeneath([readScenarioFile(path)]).map(({ text, file }) => loadScenario(text, file));
  const names = loaded.map(({ content }) => content.scenario);
  expect(names).toHaveLength(59);
  expect(names.slice(0, 4)).toEqual(["a29", "b29", "a28", "b28"]);
  expect(names.at(-1)).toBe("a0");
  expect(pathsBeneath(path)).toHaveLength(58);
  expect(problemsIn(allNamed([path])).problems).toEqual([]);
});

test("two that name each other are beneath each other once", () => {
  const folder = testFolder({ "a.yaml": "scenario: a\nwith: [b.yaml]\n", "b.yaml": "scenario: b\nwith: [a.yaml]\n" });
  const loaded = withBeneath([readScenarioFile(join(folder, "a.yaml"))]);
  expect(loaded.map(({ text }) => text.slice(0, 11))).toEqual(["scenario: b", "scenario: a"]);
  expect(pathsBeneath(join(folder, "a.yaml"))).toEqual([join(folder, "b.yaml")]);
});

test("two of one name are told apart, as a world has one of them; one that is named twice is not", () => {
  const base = "scenario: base\n";
  const folder = testFolder({
    "base.yaml": base,
    "other/base.yaml": `${base}description: another\n`,
    "own.yaml": "scenario: happy-path\nwith: [happy-path]\n",
    "same.yaml": "scenario: base\nwith: [base.yaml]\n",
    "both.yaml": "scenario: both\nwith: [base.yaml, other/base.yaml]\n",
    "twice.yaml": "scenario: twice\nwith: [base.yaml, base.yaml]\n",
    "one.yaml": "scenario: one\nwith: [base.yaml]\n",
    "other/two.yaml": "scenario: two\nwith: [base.yaml]\n",
    "apart.yaml": "scenario: apart\nwith: [one.yaml, other/two.yaml]\n",
    "deeper.yaml": "scenario: deeper\nwith: [one.yaml, other/base.yaml]\n",
  });
  const problemsOf = (name: string) => problemsIn(allNamed([join(folder, name)])).problems;
  const isCalled = (name: string) => expect.stringContaining(`is called "${name}", as that of`);
  expect(problemsOf("own.yaml")).toMatchObject([{ line: 2, column: 8, message: isCalled("happy-path") }]);
  expect(problemsOf("same.yaml")).toMatchObject([{ line: 2, column: 8, message: isCalled("base") }]);
  expect(problemsOf("both.yaml")).toMatchObject([{ line: 2, column: 19, message: isCalled("base") }]);
  expect(problemsOf("apart.yaml")).toMatchObject([{ line: 2, column: 8, message: isCalled("base") }]);
  expect(problemsOf("deeper.yaml")).toMatchObject([{ line: 2, column: 18, message: isCalled("base") }]);
  expect(problemsOf("twice.yaml")).toEqual([]);
});

test("what cannot be looked at is told where it is named, and the others are checked", () => {
  const long = "x".repeat(300);
  const reply = "call: POST /v2/account/infractions/reply, form: { infraction_id: a, text: b";
  const folder = testFolder({
    "a.yaml": `scenario: a\nwith: [./loop.yaml, "a\\0b", ${long}]\n`,
    "b.yaml": `scenario: b\nmerchant: [{ ${reply}, files: [./loop.pdf, "\\0", ${long}] } }]\n`,
    "c.yaml": "scenario: c\nrulez: []\n",
  });
  for (const ending of ["yaml", "pdf"]) symlinkSync(`loop.${ending}`, join(folder, `loop.${ending}`));
  const names = ["a", "b", "c"].map((name) => join(folder, `${name}.yaml`));
  const { problems } = problemsIn(allNamed(names));
  const unread = (name: string, why: string) => `"${name}" cannot be read: ${why}`;
  const cut = `${long.slice(0, 59)}…`;
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [2, unread("./loop.yaml", "ELOOP: too many symbolic links encountered")],
    [2, unread("a\0b", "a path has no character U+0000")],
    [2, unread(cut, "ENAMETOOLONG: name too long")],
    [2, unread("./loop.pdf", "ELOOP: too many symbolic links encountered")],
    [2, unread("\0", "a path has no character U+0000")],
    [2, unread(cut, "ENAMETOOLONG: name too long")],
    [2, 'unknown key "rulez"; did you mean "rules"?'],
  ]);
  expect(pathsBeneath(join(folder, "a.yaml"))).toEqual([]);
});

test("a folder is checked although one within it has what cannot be read", () => {
  const folder = testFolder({ "a.yaml": "scenario: a\n", "within/other.txt": "" });
  symlinkSync("nowhere", join(folder, "within/gone.yaml"));
  symlinkSync("loop.yaml", join(folder, "within/loop.yaml"));
  expect(allNamed([folder]).map(({ source }) => source.text)).toEqual(["scenario: a\n"]);
});

test("the files of a folder are taken whatever the case of their endings", () => {
  const folder = testFolder({
    "A.YAML": "scenario: a\n",
    "b.Yml": "scenario: b\n",
    "c.JSON": '{ "scenario": "c" }',
    "report.JSON": "{}",
    "notes.TXT": "scenario: d\n",
    "within/E.YAML": "scenario: e\n",
  });
  const taken = allNamed([folder]).map(({ source }) => source.file);
  expect(taken).toEqual(["A.YAML", "b.Yml", "c.JSON"]);
  expect(scenarioFoldersIn(folder)).toEqual([join(folder, "within")]);
});
