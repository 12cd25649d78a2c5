/** What the default world of a server is made from: options, variables, the folder `scenarios` (interface, section 2). */
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { connectSandbox, type WorldInfo } from "../../src/index.ts";
import { startCommand, startReady } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

const infoOf = async (baseUrl: string, controlToken?: string): Promise<WorldInfo> => {
  const sandbox = await connectSandbox(baseUrl, controlToken === undefined ? {} : { controlToken });
  return (await sandbox.defaultWorld()).info();
};

const note = (name: string) =>
  `scenario: ${name}\nrules:\n  - on: cashin.created\n    then:\n      - { after: 1s, note: seen }\n`;

describe("what the default world loads", () => {
  const library = fileURLToPath(new URL("../../scenarios", import.meta.url));

  test("the folder scenarios of the working folder comes on top", async () => {
    const cwd = testFolder({ "scenarios/mine.yaml": note("mine"), "scenarios/readme.txt": "no scenario" });
    const { ready } = await startReady([], { cwd });
    expect((await infoOf(ready.base_url)).scenarios).toEqual(["happy-path", "magic-values", "mine"]);
  });

  test("a copy of the shipped ones comes on top too where something was changed in it, else it does not", async () => {
    const cwd = testFolder({});
    cpSync(library, join(cwd, "scenarios"), { recursive: true });
    const { ready: plain } = await startReady([], { cwd });
    expect((await infoOf(plain.base_url)).scenarios).toEqual(["happy-path", "magic-values"]);
    writeFileSync(join(cwd, "scenarios", "happy-path.yaml"), note("happy-path"));
    const { ready } = await startReady([], { cwd });
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    expect((await world.info()).scenarios.length).toBeGreaterThan(80);
    const loaded = await world.scenarios.list();
    expect(loaded.filter(({ name }) => name === "happy-path").map(({ rules }) => rules.length)).toEqual([1]);
  });

  test("a file of that name is somebody else's", async () => {
    const { ready } = await startReady([], { cwd: testFolder({ scenarios: "notes of mine\n" }) });
    expect((await infoOf(ready.base_url)).scenarios).toEqual(["happy-path", "magic-values"]);
  });

  test.each([
    ["none", ["--scenario", "none"], []],
    ["one by name", ["--scenario", "happy-path"], ["happy-path"]],
    [
      "several, in one option or two",
      ["--scenario", "happy-path", "a.yaml", "--scenario", "more"],
      ["happy-path", "a", "b"],
    ],
  ])("%s", async (_what, args, expected) => {
    const cwd = testFolder({ "a.yaml": note("a"), "more/b.yml": note("b") });
    const { ready } = await startReady(args, { cwd });
    expect((await infoOf(ready.base_url)).scenarios).toEqual(expected);
  });
});

describe("options and their variables", () => {
  const settings = "protections: off\n";
  const asked = {
    seed: 7,
    settings: { protections: "off" },
    scenarios: ["magic-values"],
    clock: { mode: "frozen", speed: 60, now: "2026-03-01T00:00:00.000Z" },
  };

  test("every variable is read", async () => {
    const cwd = testFolder({ "settings.yaml": settings });
    const running = startCommand([], {
      cwd,
      env: {
        PAYMENTS_SANDBOX_PORT: "0",
        PAYMENTS_SANDBOX_HOST: "localhost",
        PAYMENTS_SANDBOX_DATA: "worlds",
        PAYMENTS_SANDBOX_SCENARIO: "magic-values",
        PAYMENTS_SANDBOX_CLOCK: "frozen",
        PAYMENTS_SANDBOX_SPEED: "60",
        PAYMENTS_SANDBOX_START: "2026-03-01T00:00:00Z",
        PAYMENTS_SANDBOX_SEED: "7",
        PAYMENTS_SANDBOX_POSTBACK_URL: "http://localhost:9/hook",
        PAYMENTS_SANDBOX_SETTINGS: "settings.yaml",
        PAYMENTS_SANDBOX_CONTROL_TOKEN: "let-me-in",
        PAYMENTS_SANDBOX_LOG: "json",
      },
    });
    const ready = JSON.parse((await running.firstLine) ?? "{}");
    expect(ready.base_url).toMatch(/^http:\/\/localhost:/);
    const info = await infoOf(ready.base_url, "let-me-in");
    expect(info).toMatchObject(asked);
    expect(info.accounts[0]?.postback_url).toBe("http://localhost:9/hook");
    expect(existsSync(join(cwd, "worlds", "default.db"))).toBe(true);
    await expect(infoOf(ready.base_url)).rejects.toMatchObject({ status: 401 });
  });

  test("the variable of scenarios names several with commas, of which a file's name may have one", async () => {
    const cwd = testFolder({ "first, second.yaml": note("comma"), "third.yaml": note("third") });
    const scenariosOf = async (names: string) => {
      const { ready } = await startReady([], { cwd, env: { PAYMENTS_SANDBOX_SCENARIO: names } });
      return (await infoOf(ready.base_url)).scenarios;
    };
    expect(await scenariosOf("happy-path, third.yaml")).toEqual(["happy-path", "third"]);
    expect(await scenariosOf("first, second.yaml")).toEqual(["comma"]);
  });

  test("an option comes before its variable, and a variable set to nothing is not set", async () => {
    const { ready } = await startReady(["--seed", "8", "--clock", "frozen", "--start", "2026-03-01T00:00:00+01:00"], {
      env: { PAYMENTS_SANDBOX_SEED: "9", PAYMENTS_SANDBOX_CONTROL_TOKEN: "", PAYMENTS_SANDBOX_DATA: "" },
    });
    const info = await infoOf(ready.base_url);
    expect(info).toMatchObject({ seed: 8, clock: { now: "2026-02-28T23:00:00.000Z" } });
  });

  test("the same seed gives the same credentials, another seed others", async () => {
    const [one, same, other] = await Promise.all([startReady(), startReady(), startReady(["--seed", "2"])]);
    const keys = ({ client_id, client_secret, signing_key }: typeof one.ready) => [
      client_id,
      client_secret,
      signing_key,
    ];
    expect(keys(same.ready)).toEqual(keys(one.ready));
    expect(keys(other.ready)).not.toEqual(keys(one.ready));
  });
});
