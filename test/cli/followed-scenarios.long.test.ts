/** Scenario files that change while they are served (issue: live). */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { startReady, terminate } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { limitFiles, startProcess } from "../support/process.ts";

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
  readonly file: string;
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
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("third"));
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

test("what is edited to no effect, as only a fresh world goes by it, is named where the file is loaded again", async () => {
  const { folder, file, write } = folderWith(`settings: { duplicate_status: 422 }\n${source("mine", "first")}`);
  const { ready, child, ended } = await startReady(["--scenario", file], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  for (const [settings, note] of [
    ["{ duplicate_status: 409 }", "second"],
    ["{ duplicate_status: 409 }", "third"],
    ["{ duplicate_status: 422 }", "fourth"],
  ] as const) {
    write(`settings: ${settings}\n${source("mine", note)}`);
    await until(world, (scenarios) => JSON.stringify(scenarios).includes(note));
  }
  child.kill("SIGTERM");
  const unused = ", but its settings made no difference: only a fresh world goes by that";
  const lines = [unused, "", ""].map((end) => `payments-sandbox: ${file} was loaded again${end}\n`);
  expect((await ended).stderr).toBe(lines.join(""));
});

test("a world that is reset begins with the files as they are now", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  write(source("mine", "second"));
  writeFileSync(join(folder, "other.yaml"), source("other", "third"));
  await until(world, (scenarios) => scenarios.length === 2 && JSON.stringify(scenarios).includes("second"));
  await world.reset();
  const after = await world.all<ScenarioInfo>("/scenarios");
  expect(after.map(({ name }) => name).sort()).toEqual(["mine", "other"]);
  expect(JSON.stringify(after)).toContain("second");
  await world.reset();
  write("scenario: mine\nrules:\n  - on: cashin.creatd\n");
  await until(world, (scenarios) => scenarios.some(({ problems }) => problems.length > 0));
  await world.reset();
  const [broken] = await world.all<ScenarioInfo>("/scenarios");
  expect(broken).toMatchObject({ name: "mine", problems: [{ line: 3 }] });
  expect(JSON.stringify(broken)).toContain("second");
  child.kill("SIGTERM");
  expect((await ended).stderr).toContain(`${file} was loaded again`);
});

test("a reset keeps the last good version of files that came since the start and are broken or gone", async () => {
  const { folder } = folderWith(source("mine", "first"));
  const { ready, child } = await startReady(["--scenario", folder], { cwd: folder });
  const lines: string[] = [];
  child.stderr.on("data", (text: string) => lines.push(String(text)));
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  for (const name of ["broken", "gone"]) writeFileSync(join(folder, `${name}.yaml`), source(name, `good ${name}`));
  await until(world, (scenarios) => scenarios.length === 3);
  writeFileSync(join(folder, "broken.yaml"), "scenario: broken\nrulez: []\n");
  await until(world, (scenarios) => scenarios.some(({ problems }) => problems.length > 0));
  rmSync(join(folder, "gone.yaml"));
  while (!lines.join("").includes("gone.yaml is gone")) await once(child.stderr, "data");
  await world.reset();
  const after = await world.all<ScenarioInfo>("/scenarios");
  expect(after.map(({ name, problems }) => [name, problems.length])).toEqual([
    ["mine", 0],
    ["broken", 1],
    ["gone", 0],
  ]);
  expect(JSON.stringify(after)).toContain("good broken");
});

test.each(["mine", "later"])("what was deleted once its file was gone stays away after a reset: %s", async (name) => {
  const { folder, write } = folderWith(source("mine", "first"));
  const { ready, child } = await startReady(["--scenario", folder], { cwd: folder });
  let told = "";
  child.stderr.on("data", (words) => {
    told += words;
  });
  const sandbox = await connectSandbox(ready.base_url);
  const world = await sandbox.defaultWorld();
  write(source("mine", "edited"));
  writeFileSync(join(folder, "later.yaml"), source("later", "first"));
  await until(world, (all) => all.length === 2 && JSON.stringify(all).includes("edited"));
  rmSync(join(folder, `${name}.yaml`));
  await expect.poll(() => told).toContain(`${name}.yaml is gone`);
  await world.call("DELETE", `/scenarios/${name}`);
  for (let times = 0; times < 2; times++) {
    const { scenarios } = await world.reset();
    expect(scenarios).toEqual([name === "mine" ? "later" : "mine"]);
  }
  expect((await sandbox.replay(await world.export())).identical).toBe(true);
});

test("what took the place of a namesake of the start does so again after a reset, and says so once", async () => {
  const { folder, write } = folderWith(source("shared", "first"));
  writeFileSync(join(folder, "other.yaml"), source("shared", "second"));
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const files = async () => (await world.all<ScenarioInfo>("/scenarios")).map(({ file: of }) => of);
  expect(await files()).toEqual(["other.yaml"]);
  write(source("shared", "third"));
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("third"));
  await world.reset();
  expect(await files()).toEqual(["mine.yaml"]);
  child.kill("SIGTERM");
  expect((await ended).stderr.match(/mine\.yaml was loaded in place of other\.yaml/g)).toHaveLength(2);
});

test("a file that nothing names any more is not there after a reset, and one that is named lies beneath", async () => {
  const { folder, write } = folderWith(source("mine", "first"));
  mkdirSync(join(folder, "beneath"));
  const base = join(folder, "beneath/base.yaml");
  writeFileSync(base, source("base", "first"));
  const { ready } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const names = async () => (await world.all<ScenarioInfo>("/scenarios")).map(({ name }) => name);
  const naming = source("mine", "second").replace("rules:", "with: [./beneath/base.yaml]\nrules:");
  write(naming);
  await until(world, (scenarios) => scenarios.length === 2);
  writeFileSync(base, source("base", "edited"));
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("edited"));
  await world.reset();
  expect(await names()).toEqual(["base", "mine"]);
  write(source("mine", "third"));
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("third"));
  expect(await names()).toEqual(["base", "mine"]);
  await world.reset();
  expect(await names()).toEqual(["mine"]);
});

test("a file that is saved as soon as the server is ready is loaded", async () => {
  const { folder, write } = folderWith(source("mine", "first"));
  const { ready } = await startReady(["--scenario", folder], { cwd: folder });
  write(source("mine", "second"));
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("second"));
});

test("a reset gets over a file that cannot be read, and leaves namesakes as they are; a snapshot is restored as it was", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "namesake.yaml"), source("mine", "second"));
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const files = async () => (await world.all<ScenarioInfo>("/scenarios")).map(({ file: of }) => of.split("/").at(-1));
  expect(await files()).toEqual(["namesake.yaml"]);
  await world.takeSnapshot("start");
  writeFileSync(join(folder, "other.yaml"), source("other", "third"));
  await until(world, (scenarios) => scenarios.length === 2);
  await world.restore("start");
  expect(await files()).toEqual(["namesake.yaml"]);
  rmSync(file);
  symlinkSync(join(folder, "nowhere"), file);
  const { scenarios } = await world.reset();
  expect(scenarios).toEqual(["mine", "other"]);
  rmSync(file);
  write(source("mine", "first"));
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
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

test("what a saved file newly names under with comes before its place, after a reset, a restart and in a replay too", async () => {
  const { folder, write } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "other.yaml"), source("other", "there"));
  const start = () => startReady(["--scenario", folder, "--data", "data", "--clock", "frozen"], { cwd: folder });
  const running = await start();
  const sandbox = await connectSandbox(running.ready.base_url);
  const world = await sandbox.defaultWorld();
  const names = async (of: WorldClient) => (await of.all<ScenarioInfo>("/scenarios")).map(({ name }) => name);
  write(`with: [chargeback-won]\n${source("mine", "second")}`);
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("second"));
  expect(await names(world)).toEqual(["chargeback-won", "mine", "other"]);
  write(`with: [chargeback-won, other.yaml]\n${source("mine", "third")}`);
  await until(world, (scenarios) => JSON.stringify(scenarios).includes("third"));
  const order = ["chargeback-won", "other", "mine"];
  expect(await names(world)).toEqual(order);
  const replay = await sandbox.replay(await world.export());
  expect([replay.identical, await names(replay.world)]).toEqual([true, order]);
  await world.reset();
  expect(await names(world)).toEqual(order);
  await terminate(running);
  const again = await (await connectSandbox((await start()).ready.base_url)).defaultWorld();
  expect(await names(again)).toEqual(order);
  const fresh = await startReady(["--scenario", folder], { cwd: folder });
  expect(await names(await (await connectSandbox(fresh.ready.base_url)).defaultWorld())).toEqual(order);
});

test("the version that a kept world has of a file that is gone stays after a reset, though the world began with another", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const start = () => startReady(["--scenario", folder, "--data", "data", "--clock", "frozen"], { cwd: folder });
  const shown = async (of: WorldClient) => JSON.stringify(await of.all<ScenarioInfo>("/scenarios"));
  const running = await start();
  const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
  write(source("mine", "second"));
  await until(world, (all) => JSON.stringify(all).includes("second"));
  await terminate(running);
  const { ready, child } = await start();
  const again = await (await connectSandbox(ready.base_url)).defaultWorld();
  rmSync(file);
  let told = "";
  for await (const words of child.stderr) {
    told += words;
    if (told.includes("mine.yaml is gone")) break;
  }
  await again.reset();
  expect(await shown(again)).toContain("second");
});

test("what lies above a file by being loaded again stays there when the file is saved", async () => {
  const { folder, write } = folderWith(`with: [chargeback-won]\n${source("mine", "first")}`);
  const { ready } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  await world.call("POST", "/scenarios", { name: "chargeback-won" });
  write(`with: [chargeback-won]\n${source("mine", "second")}`);
  const scenarios = await until(world, (all) => JSON.stringify(all).includes("second"));
  expect(scenarios.map(({ name }) => name)).toEqual(["mine", "chargeback-won"]);
});

const BROKEN = "scenario: base\nrules:\n  - on: cashin.creatd\n";

test.each([
  ["a broken file", "mine.yaml", BROKEN],
  ["a missing file", "mine.yaml", null],
  ["a file whose own folder is missing", "mine.yaml", null, "beneath/base.yaml"],
  ["a broken file of its folder", ".", BROKEN],
  ["a missing file of its folder", ".", null],
])("a file that names %s under with is tried again with it, and lies above it", async (...row) => {
  const [, given, broken, name = "base.yaml"] = row;
  const { folder, write } = folderWith(source("mine", "first"));
  const base = join(folder, name);
  const running = await startReady(["--scenario", given], { cwd: folder });
  const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
  if (broken !== null) writeFileSync(base, broken);
  write(`with: [${name}]\n${source("mine", "second")}`);
  const [refused] = await until(world, (all) => all.some(({ problems }) => problems.length > 0));
  expect(JSON.stringify(refused)).toContain("first");
  mkdirSync(dirname(base), { recursive: true });
  writeFileSync(base, source("base", "good"));
  const scenarios = await until(world, (all) => JSON.stringify(all).includes("second"));
  expect(scenarios.map((one) => [one.name, one.problems])).toEqual([
    ["base", []],
    ["mine", []],
  ]);
  let told = "";
  running.child.stderr?.on("data", (words) => {
    told += words;
  });
  rmSync(base);
  await expect.poll(() => told).toContain(`${name} is gone; its scenario "base" stays loaded`);
});

test("a file beneath one that waits for yet another is not loaded alone", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const { ready } = await startReady(["--scenario", file], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const names = (scenarios: readonly ScenarioInfo[]) => scenarios.map(({ name }) => name);
  const waitsFor = (name: string) => (all: readonly ScenarioInfo[]) =>
    all.some(({ problems }) => JSON.stringify(problems).includes(`no file \\"${name}.yaml`));
  write(`with: [one.yaml]\n${source("mine", "second")}`);
  await until(world, waitsFor("one"));
  writeFileSync(join(folder, "one.yaml"), `with: [two.yaml]\n${source("one", "there")}`);
  expect(names(await until(world, waitsFor("two")))).toEqual(["mine"]);
  writeFileSync(join(folder, "two.yaml"), source("two", "there"));
  const scenarios = await until(world, (all) => JSON.stringify(all).includes("second"));
  expect(names(scenarios)).toEqual(["two", "one", "mine"]);
});

test("a file beneath another one is followed too, from the start or once it is named under with", async () => {
  const { folder, file, write } = folderWith(`with: [beneath.yaml]\n${source("mine", "first")}`);
  const beneath = (name: string, note: string) => writeFileSync(join(folder, `${name}.yaml`), source(name, note));
  beneath("beneath", "one");
  beneath("later", "one");
  const { ready } = await startReady(["--scenario", file], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const says = (note: string) => (all: readonly ScenarioInfo[]) => JSON.stringify(all).includes(note);
  beneath("beneath", "two");
  await until(world, says("two"));
  write(`with: [beneath.yaml, later.yaml]\n${source("mine", "second")}`);
  await until(world, (all) => all.some(({ name }) => name === "later"));
  beneath("later", "three");
  const scenarios = await until(world, says("three"));
  expect(scenarios.map(({ name }) => name)).toEqual(["beneath", "later", "mine"]);
});

test.each(["whole", "relative"])(
  "what a file does not name under with any more stays loaded, and is told of: a %s path",
  async (kind) => {
    const { folder, file, write } = folderWith(`with: [beneath.yaml]\n${source("mine", "first")}`);
    writeFileSync(join(folder, "beneath.yaml"), source("beneath", "one"));
    const given = kind === "whole" ? file : "mine.yaml";
    const { ready, child, ended } = await startReady(["--scenario", given], { cwd: folder });
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    const names = (all: readonly ScenarioInfo[]) => all.map(({ name }) => name);
    write(`with: [beneath.yam]\n${source("mine", "second")}`);
    await until(world, (all) => all.some(({ problems }) => problems.length > 0));
    write(source("mine", "third"));
    const scenarios = await until(world, (all) => JSON.stringify(all).includes("third"));
    expect(names(scenarios)).toEqual(["beneath", "mine"]);
    child.kill("SIGTERM");
    const told =
      /^payments-sandbox: .*mine\.yaml does not name .*beneath\.yaml any more; its scenario "beneath" stays/gm;
    expect((await ended).stderr.match(told)).toHaveLength(1);
  },
);

test("a copy that is given a name of its own gives the place back that it took, as a reset and a start have it", async () => {
  const { folder } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "other.yaml"), source("other", "first"));
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const isFrom = (name: string, from: string) => (all: readonly ScenarioInfo[]) =>
    all.some((one) => one.name === name && one.file === from);
  const order = async (of: WorldClient) => (await of.all<ScenarioInfo>("/scenarios")).map(({ file }) => file);
  writeFileSync(join(folder, "the-copy.yaml"), source("mine", "first"));
  await until(world, isFrom("mine", "the-copy.yaml"));
  expect(await order(world)).toEqual(["the-copy.yaml", "other.yaml"]);
  writeFileSync(join(folder, "the-copy.yaml"), source("copy", "second"));
  await until(world, isFrom("mine", "mine.yaml"));
  const files = ["mine.yaml", "other.yaml", "the-copy.yaml"];
  expect(await order(world)).toEqual(files);
  await world.reset();
  expect(await order(world)).toEqual(files);
  const fresh = await startReady(["--scenario", folder], { cwd: folder });
  expect(await order(await (await connectSandbox(fresh.ready.base_url)).defaultWorld())).toEqual(files);
  child.kill("SIGTERM");
  expect((await ended).stderr).toContain(
    'the-copy.yaml was loaded in place of mine.yaml, whose scenario is called "mine" too',
  );
});

test("what came since the start is in the same order after a reset, also where a file was renamed, has gone or is broken", async () => {
  const { folder, file } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "other.yaml"), source("other", "first"));
  const { ready, child } = await startReady(["--scenario", folder], { cwd: folder });
  let told = "";
  child.stderr.on("data", (words) => {
    told += words;
  });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  renameSync(file, join(folder, "renamed.yaml"));
  await until(world, (all) => all.some((one) => one.file === "renamed.yaml"));
  for (const name of ["second", "gone", "first", "broken", "last"]) {
    writeFileSync(join(folder, `${name}.yaml`), source(name, "there"));
    await until(world, (all) => all.some((one) => one.name === name));
  }
  rmSync(join(folder, "gone.yaml"));
  writeFileSync(join(folder, "broken.yaml"), "scenario: broken\nrulez: []\n");
  await expect.poll(() => told).toContain("gone.yaml is gone");
  await until(world, (all) => all.some(({ problems }) => problems.length > 0));
  for (let times = 0; times < 2; times++) {
    const { scenarios } = await world.reset();
    expect(scenarios).toEqual(["mine", "other", "second", "gone", "first", "broken", "last"]);
  }
});

test.each<[string, (file: string) => void]>([
  ["is broken", (file) => writeFileSync(file, "rules: 7\n")],
  ["has gone", (file) => rmSync(file)],
])(
  "what a file names under with %s: each reset takes up the last good versions of both, in their order",
  async (_how, spoil) => {
    const { folder, write } = folderWith(source("mine", "first"));
    const low = join(mkdtempSync(join(folder, "other-")), "low.yaml");
    const lowest = join(dirname(low), "lowest.yaml");
    writeFileSync(join(folder, "top.yaml"), source("top", "first"));
    writeFileSync(low, `with: [lowest.yaml]\n${source("low", "first")}`);
    writeFileSync(lowest, source("lowest", "first"));
    const { ready, child } = await startReady(["--scenario", folder], { cwd: folder });
    let told = "";
    child.stderr.on("data", (words) => {
      told += words;
    });
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    const isThere = (note: string) => until(world, (all) => JSON.stringify(all).includes(note));
    // One that came since the start, and one that names what it did not name at the start.
    const naming = `with: [${basename(dirname(low))}/low.yaml]\n`;
    write(naming + source("mine", "mine-second"));
    await isThere("mine-second");
    writeFileSync(join(folder, "new.yaml"), naming + source("new", "new-first"));
    await isThere("new-first");
    writeFileSync(lowest, source("lowest", "lowest-second"));
    await isThere("lowest-second");
    spoil(lowest);
    await expect.poll(() => told).toMatch(/lowest\.yaml( is gone|:\d)/);
    const before = await world.all<ScenarioInfo>("/scenarios");
    const shown = (all: readonly ScenarioInfo[]) => all.map(({ name, rules }) => [name, JSON.stringify(rules)]);
    expect(before.map(({ name }) => name)).toEqual(["lowest", "low", "mine", "top", "new"]);
    for (let times = 0; times < 2; times++) {
      await world.reset();
      expect(shown(await world.all<ScenarioInfo>("/scenarios"))).toEqual(shown(before));
    }
  },
);

test("files of the same name in two folders are two scenarios, whichever of them is edited", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const other = folderWith(source("other", "first"));
  const { ready } = await startReady(["--scenario", file, "--scenario", other.file], { cwd: dirname(dirname(folder)) });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  write(source("mine", "second"));
  const scenarios = await until(world, (all) => JSON.stringify(all).includes("second"));
  expect(scenarios.map(({ name }) => name)).toEqual(["mine", "other"]);
});

test("what is no scenario in a followed folder is passed over, as by check; what is broken is told of", async () => {
  const { folder } = folderWith(source("mine", "first"));
  writeFileSync(join(folder, "report.json"), '{"verdict":"pass","scenarios":[]}');
  writeFileSync(join(folder, "twin.yaml"), source("mine", "second"));
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  writeFileSync(join(folder, "report.json"), '{"verdict":"fail","scenarios":[]}');
  writeFileSync(join(folder, "broken.yaml"), "scenario: broken\nrules:\n  - on: cashin.creatd\n");
  writeFileSync(join(folder, "sound.yaml"), source("sound", "first"));
  await until(world, (all) => all.some(({ name }) => name === "sound"));
  child.kill("SIGTERM");
  const { stderr } = await ended;
  expect(stderr).toContain('twin.yaml was loaded in place of mine.yaml, whose scenario is called "mine" too');
  expect(stderr).toMatch(/broken\.yaml:3:9: unknown trigger "cashin\.creatd"; did you mean "cashin\.created"\?\n/);
  expect(stderr).not.toContain("report.json");
});

test("scenarios of two files of one name that are gone stay away over a reset, each taken out once", async () => {
  const { folder } = folderWith(source("mine", "first"));
  const files = ["a", "b"].map((name) => join(folder, name, "same.yaml"));
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(file));
    writeFileSync(file, source(`of-${index}`, "first"));
  }
  const args = files.flatMap((file) => ["--scenario", file]);
  const { ready } = await startReady(args, { cwd: testFolder() });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  for (const file of files) rmSync(file);
  for (const name of ["of-0", "of-1"]) await world.call("DELETE", `/scenarios/${name}`);
  await world.reset();
  expect(await world.call("GET", "/scenarios")).toMatchObject({ items: [] });
});

test("a file that goes away is told of, and leaves its scenario loaded; so is a folder that has none yet", async () => {
  const { folder, file } = folderWith(source("mine", "first"));
  mkdirSync(join(folder, "later"));
  const { ready, child, ended } = await startReady(["--scenario", "mine.yaml", "--scenario", "later"], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  rmSync(file);
  writeFileSync(join(folder, "later", "other.yaml"), source("other", "there"));
  const scenarios = await until(world, (all) => all.some(({ name }) => name === "other"));
  expect(scenarios.map(({ name }) => name)).toEqual(["mine", "other"]);
  child.kill("SIGTERM");
  const { stderr } = await ended;
  expect(stderr).toContain('there is no scenario file in the folder "later" yet; one that comes is loaded\n');
  const stays = 'mine.yaml is gone; its scenario "mine" stays loaded until DELETE /_sandbox/scenarios/mine\n';
  expect(stderr).toContain(stays);
});

test("a folder that is moved away is told of, file by file, as one that is removed is", async () => {
  const ways = [
    (from: string) => renameSync(from, `${from}-elsewhere`),
    (from: string) => rmSync(from, { recursive: true }),
  ];
  for (const goAway of ways) {
    const { folder } = folderWith(source("other", "first"));
    const scenarios = join(folder, "scenarios");
    mkdirSync(scenarios);
    for (const name of ["one", "two"]) writeFileSync(join(scenarios, `${name}.yaml`), source(name, "there"));
    const { ready, child, ended } = await startReady(["--scenario", "scenarios"], { cwd: folder });
    await connectSandbox(ready.base_url);
    let told = "";
    child.stderr?.on("data", (words) => {
      told += words;
    });
    goAway(scenarios);
    const one = (name: string) => `${name}.yaml is gone; its scenario "${name}" stays loaded`;
    await expect.poll(() => told).toMatch(new RegExp(`${one("one")}[^]*${one("two")}|${one("two")}[^]*${one("one")}`));
    child.kill("SIGTERM");
    expect((await ended).stderr.match(/ is gone;/g)).toHaveLength(2);
  }
});

test.each([
  ["a folder", "scenarios"],
  ["the folder of a file", "scenarios/mine.yaml"],
])("%s that goes away and comes back is followed on", async (_what, name) => {
  const { folder } = folderWith(source("other", "first"));
  const scenarios = join(folder, "scenarios");
  const write = (note: string) => {
    mkdirSync(scenarios, { recursive: true });
    writeFileSync(join(scenarios, "mine.yaml"), source("mine", note));
  };
  write("first");
  const { ready } = await startReady(["--scenario", name], { cwd: folder });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  const says = (note: string) => (all: readonly ScenarioInfo[]) => JSON.stringify(all).includes(note);
  rmSync(scenarios, { recursive: true });
  write("second");
  await until(world, says("second"));
  write("third");
  await until(world, says("third"));
});

test("where the system has no watcher left, it is told that nothing is followed, and the server goes on", async () => {
  const { folder } = folderWith(source("mine", "first"));
  const module = `import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.watch = () => { throw new Error("ENOSPC: System limit for number of file watchers reached"); };
    syncBuiltinESMExports();`;
  const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(module)}`];
  const { ready, child, ended } = await startReady(["--scenario", folder], { cwd: folder, nodeOptions });
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  await until(world, (all) => all.some(({ name }) => name === "mine"));
  child.kill("SIGTERM");
  const told = "payments-sandbox: scenario files are not all followed, so start again when they have changed: ENOSPC: ";
  expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining(told) });
});

const hasLimits = test.runIf(process.platform === "linux");

hasLimits("an edit that a full disk does not take is told; the version before it and the server go on", async () => {
  const { folder, file, write } = folderWith(source("mine", "first"));
  const running = await startProcess("--scenario", file, "--data", join(folder, "data"));
  onTestFinished(async () => void (await running.end("SIGKILL")));
  limitFiles(running, 1);
  write(source("mine", "second"));
  while (!running.complaints().includes("\n")) await once(running.child.stderr!, "data");
  const told = `${file} was not loaded, as the disk takes nothing more; save it again when there is room`;
  expect(running.complaints()).toBe(`payments-sandbox: ${told} (the version before it goes on)\n`);
  limitFiles(running, "unlimited");
  write(source("mine", "third"));
  await until(running.world, (all) => JSON.stringify(all).includes("third"));
  expect(await running.end("SIGTERM")).toBe(0);
});
