/** Scenario files that change while they are served (issue: live). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { startReady } from "../support/command.ts";

const source = (name: string, note: string) =>
  `scenario: ${name}\nrules:\n  - on: cashin.created\n    then:\n      - note: ${note}\n`;

function folderWith(text: string): { folder: string; file: string; write: (text: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), "followed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "mine.yaml");
  const write = (content: string) => writeFileSync(file, content);
  write(text);
  return { folder, file, write };
}

interface ScenarioInfo {
  readonly name: string;
  readonly rules: readonly unknown[];
  readonly problems: readonly { line: number; message: string }[];
}

/** Waits for what a file system tells in its own time. */
async function until(world: WorldClient, holds: (scenarios: readonly ScenarioInfo[]) => boolean) {
  for (;;) {
    const scenarios = await world.all<ScenarioInfo>("/scenarios");
    if (holds(scenarios)) return scenarios;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a file that is edited is loaded again; a broken edit keeps the last good version and says so", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const { ready, child, ended } = await startReady(["--scenario", file], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const named = (name: string) => (scenarios: readonly ScenarioInfo[]) => scenarios.some((one) => one.name === name);

  write(source("mine", "second").replace("note: second", "note: second\n      - note: third"));
  await until(
    world,
    (scenarios) => scenarios.some(({ problems }) => problems.length === 0) && named("mine")(scenarios),
  );
  write("scenario: mine\nrules:\n  - on: cashin.creatd\n");
  const [broken] = await until(world, (scenarios) => scenarios.some(({ problems }) => problems.length > 0));
  expect(broken).toMatchObject({ name: "mine", problems: [{ line: 3 }, ...(broken?.problems.slice(1) ?? [])] });
  expect(broken?.rules).toHaveLength(1);

  write(source("renamed", "fourth"));
  const renamed = await until(world, named("renamed"));
  expect(renamed.map(({ name, problems }) => [name, problems.length])).toEqual([["renamed", 0]]);
  child.kill("SIGTERM");
  const { stderr } = await ended;
  expect(stderr).toContain("mine.yaml:3:");
  expect(stderr).toContain('did you mean "cashin.created"');
  expect(stderr).toContain("was loaded again");
});

test("a file that comes into a followed folder is loaded", async () => {
  const { folder } = folderWith(source("mine", "first"));
  const { ready } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  writeFileSync(join(folder, "other.yaml"), source("other", "there"));
  const scenarios = await until(world, (all) => all.some(({ name }) => name === "other"));
  expect(scenarios.map(({ name }) => name).sort()).toEqual(["mine", "other"]);
});

test("a file that is saved keeps its place among the others, also under another name", async () => {
  const { folder, write } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "other.yaml"), source("other", "there"));
  const { ready } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  write(source("mine", "second").replace("note: second", "note: second\n      - note: third"));
  const steps = (scenarios: readonly ScenarioInfo[]) => JSON.stringify(scenarios).includes("third");
  const saved = await until(world, steps);
  expect(saved.map(({ name }) => name)).toEqual(["mine", "other"]);
  write(source("renamed", "fourth"));
  const renamed = await until(world, (all) => all.some(({ name }) => name === "renamed"));
  expect(renamed.map(({ name }) => name)).toEqual(["renamed", "other"]);
});
