/** `init`: what it writes works as it stands, and nothing of the user's is written over. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { settingsSchema } from "../../src/domain/settings.ts";
import { connectSandbox } from "../../src/index.ts";
import { asNobody, runCommand, startReady } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

const STARTER = "scenarios/starter.yaml";
const SETTINGS = "payments-sandbox.settings.yaml";
const CI_JOB = ".github/workflows/payments-sandbox.yaml";
const SCHEMA = "scenario.schema.json";

function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Where a starter scenario says that its schema is. */
function schemaOf(folder: string): string {
  const text = readFileSync(join(folder, STARTER), "utf8");
  const [, path = ""] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
  return resolve(dirname(join(folder, STARTER)), path);
}

describe("what it writes", () => {
  test("a scenario, settings, a CI job and the schema, each told", async () => {
    const cwd = testFolder();
    const { code, stdout, stderr } = await runCommand(["init"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(filesIn(cwd)).toEqual([CI_JOB, SETTINGS, SCHEMA, STARTER].sort());
    for (const file of filesIn(cwd)) expect(stdout).toContain(file);
    expect(stdout).toContain(`npx payments-sandbox run ${STARTER}`);
  });

  test("the same as JSON with --json", async () => {
    const cwd = testFolder();
    const { code, stdout } = await runCommand(["init", "--json"], { cwd });
    const { files, next } = JSON.parse(stdout) as { files: string[]; next: string };
    expect([code, files.sort(), next]).toEqual([0, filesIn(cwd), `npx payments-sandbox run ${STARTER}`]);
  });

  test("what comes next can be pasted, be there a blank in the folder's name", async () => {
    const { stdout } = await runCommand(["init", "my shop", "--json"], { cwd: testFolder() });
    expect(JSON.parse(stdout).next).toBe(`npx payments-sandbox run "my shop/${STARTER}"`);
  });

  test("what comes next is a path, though the folder's name looks like an option", async () => {
    const cwd = testFolder();
    const { stdout } = await runCommand(["init", "--json", "--", "-x"], { cwd });
    const { next } = JSON.parse(stdout);
    expect(next).toBe(`npx payments-sandbox run ./-x/${STARTER}`);
    expect((await runCommand(next.split(" ").slice(2), { cwd })).code).toBe(0);
  });

  test("the folder that it was written to is told where the scenarios are", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const { code, stderr } = await runCommand(["run", "."], { cwd });
    const told = 'There is no scenario file in the folder "."; did you mean "scenarios"?';
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${told}\n`]);
  });

  test("the scenario passes check and run", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const checked = await runCommand(["check", "scenarios"], { cwd });
    expect([checked.code, checked.stdout]).toEqual([0, "1 file checked, all fine.\n"]);
    const { code, stdout } = await runCommand(["run", "scenarios", "--json"], { cwd });
    expect(code).toBe(0);
    const [played] = JSON.parse(stdout).scenarios;
    expect(played).toMatchObject({ name: "starter", verdict: "pass", rules: [{ matched: 1, fired: 1 }] });
    expect(played.expectations.length).toBeGreaterThan(3);
  });

  test("a server of the folder leaves its magic values to be what they are", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const { ready } = await startReady(["--clock", "frozen"], { cwd });
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    expect((await world.scenarios.list()).map(({ name }) => name)).toContain("starter");
    const outcomeOf = async (external_id: string) => {
      const body = { currency: "BRL", amount: 150, external_id };
      const { transaction_id } = await world.merchant().call("POST /v2/transactions/cashin", body);
      await world.advance("31m");
      return (await world.transactions.get(transaction_id)).status;
    };
    expect([await outcomeOf("magic-expire-1"), await outcomeOf("order-1")]).toEqual(["expired", "confirmed"]);
  });

  test("the schema that the scenario names is there, and is the schema", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    expect(schemaOf(cwd)).toBe(join(cwd, SCHEMA));
    expect(readFileSync(schemaOf(cwd), "utf8")).toBe((await runCommand(["schema"])).stdout);
  });

  test.each([".", "packages/shop"])(
    "where the package is installed, the scenario of %s names its schema",
    async (folder) => {
      const installed = "node_modules/payments-sandbox/src/scenarios/scenario.schema.json";
      const cwd = testFolder({ [installed]: "{}" });
      await runCommand(["init", folder], { cwd });
      expect(schemaOf(join(cwd, folder))).toBe(join(cwd, installed));
      expect(existsSync(join(cwd, folder, SCHEMA))).toBe(false);
    },
  );

  test("the settings are all there are, each with its default; as they stand they change nothing", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const text = readFileSync(join(cwd, SETTINGS), "utf8");
    expect(parse(text)).toBe(null);
    expect(parse(text.replace(/^#(?=\w)/gm, ""))).toEqual(settingsSchema.parse({}));
    const { ready } = await startReady(["--settings", SETTINGS], { cwd });
    expect(ready.event).toBe("ready");
  });

  test("the CI job is YAML whose commands there are", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const job = parse(readFileSync(join(cwd, CI_JOB), "utf8"));
    const scripts: string[] = job.jobs.payments.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    const commands = scripts.flatMap((script) =>
      [...script.matchAll(/payments-sandbox ([a-z]+)/g)].map(([, name]) => name),
    );
    expect(commands).toEqual(["check", "run", "health"]);
    expect(scripts.join("\n")).toContain(`npx --yes payments-sandbox --settings ${SETTINGS}`);
  });

  test("a folder that is not there yet is made", async () => {
    const cwd = testFolder();
    expect((await runCommand(["init", "deep/down"], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, "deep/down", STARTER))).toBe(true);
  });
});

describe("what is there", () => {
  test("is named, and nothing is written: 1", async () => {
    const cwd = testFolder({ [SETTINGS]: "mine" });
    const { code, stdout, stderr } = await runCommand(["init"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `payments-sandbox: ${SETTINGS} is there already, nothing was written; --force writes over it.\n`,
    );
    expect(filesIn(cwd)).toEqual([SETTINGS]);
    expect(readFileSync(join(cwd, SETTINGS), "utf8")).toBe("mine");
  });

  test("and is no file is named before anything is written, also with --force", async () => {
    for (const force of [[], ["--force"]]) {
      const cwd = testFolder();
      symlinkSync("/nowhere/schema.json", join(cwd, SCHEMA));
      const { code, stderr } = await runCommand(["init", ...force], { cwd });
      const told = `${SCHEMA} is there already and no file, nothing was written; take it away first.`;
      expect([code, stderr]).toEqual([2, `payments-sandbox: ${told}\n`]);
      expect(filesIn(cwd)).toEqual([]);
    }
  });

  test("and is no folder is named before anything is written into others", async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, ".github"));
    symlinkSync("/nowhere", join(cwd, ".github/workflows"));
    const { code, stderr } = await runCommand(["init"], { cwd });
    const told = ".github/workflows is there already and no folder, nothing was written; take it away first.";
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${told}\n`]);
    expect(readdirSync(cwd)).toEqual([".github"]);
  });

  test.runIf(process.platform === "linux")(
    "and may not be written to is named before anything is written beside it",
    async () => {
      for (const [closed, rights] of [
        [".github", 0o555],
        [SETTINGS, 0o444],
      ] as const) {
        const cwd = testFolder({ ".github/keep": "", [SETTINGS]: "mine" });
        for (const path of [".", ".github", SETTINGS]) chmodSync(join(cwd, path), 0o777);
        chmodSync(join(cwd, closed), rights);
        const before = filesIn(cwd);
        const { code, stderr } = await runCommand(["init", "--force"], { cwd, ...asNobody() });
        const told = `${closed} may not be written to, so nothing was written; give yourself the right to first.`;
        expect([code, stderr]).toEqual([2, `payments-sandbox: ${told}\n`]);
        expect(filesIn(cwd)).toEqual(before);
      }
    },
  );

  test("is named all at once", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    const { code, stderr } = await runCommand(["init"], { cwd });
    expect(code).toBe(1);
    for (const file of [STARTER, SETTINGS, CI_JOB, SCHEMA]) expect(stderr).toContain(file);
  });

  test("stays as it is where --ci adds a job to it", async () => {
    const cwd = testFolder();
    await runCommand(["init"], { cwd });
    writeFileSync(join(cwd, STARTER), "mine");
    const begun = filesIn(cwd);
    const { code, stdout, stderr } = await runCommand(["init", "--ci", "compose"], { cwd });
    const job = "compose.payments-sandbox.yaml";
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${job}\nNext: npx payments-sandbox run ${STARTER}\n`,
      stderr: "",
    });
    expect(filesIn(cwd)).toEqual([...begun, job].sort());
    expect(readFileSync(join(cwd, STARTER), "utf8")).toBe("mine");
    const again = await runCommand(["init", "--ci", "compose"], { cwd });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(job)]);
  });

  test("with scenarios gets no starter beside them from --ci, but what the job takes", async () => {
    const cwd = testFolder({ "scenarios/own.yaml": "scenario: own\n" });
    const { code, stdout } = await runCommand(["init", "--ci", "github", "--json"], { cwd });
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { files: [SETTINGS, CI_JOB], next: "npx payments-sandbox run scenarios" },
    ]);
  });

  test("is written over with --force, and nothing else is touched", async () => {
    const cwd = testFolder({ [SETTINGS]: "mine", "scenarios/other.yaml": "mine too" });
    expect((await runCommand(["init", "--force"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, SETTINGS), "utf8")).not.toBe("mine");
    expect(readFileSync(join(cwd, "scenarios/other.yaml"), "utf8")).toBe("mine too");
  });
});

describe("where it cannot write: 2", () => {
  test("a file in place of the folder", async () => {
    const cwd = testFolder({ here: "" });
    const { code, stderr } = await runCommand(["init", "here"], { cwd });
    expect([code, stderr]).toEqual([2, "payments-sandbox: here is no folder.\n"]);
  });

  test("a folder without a name", async () => {
    const cwd = testFolder();
    const { code, stderr } = await runCommand(["init", ""], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("The folder of init must have a name;")]);
    expect(filesIn(cwd)).toEqual([]);
  });

  test("a file in place of a folder within", async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, "app"));
    writeFileSync(join(cwd, "app/scenarios"), "");
    const { code, stderr } = await runCommand(["init", "app"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^payments-sandbox: [^\n]*starter\.yaml cannot be written: [^\n]+\n$/);
  });
});
