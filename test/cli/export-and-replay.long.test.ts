/** `export` and `replay` (interface, section 2). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type BundleInfo, startSandbox, type WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { bin, type Ended, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { useSandbox } from "../support/sandbox.ts";

const server = useSandbox({ postbackUrl: "sandbox://inbox", scenarios: ["happy-path"] });

/** The server's own world, with a history: a charge that was paid, told to the inbox. */
async function worldWithHistory(): Promise<WorldClient> {
  const world = await server.sandbox.defaultWorld();
  await world.reset();
  await makeCharge(world);
  await world.advance("5s");
  return world;
}

/** A file with a bundle. */
async function bundleFile(change: (bundle: BundleInfo) => unknown = () => {}): Promise<string> {
  const bundle = await (await worldWithHistory()).export();
  change(bundle);
  return join(testFolder({ "world.json": JSON.stringify(bundle) }), "world.json");
}

function expectRefusal(ended: Ended | undefined, code: number, words: RegExp) {
  expect({ code: ended?.code, stdout: ended?.stdout }).toEqual({ code, stdout: "" });
  expect(ended?.stderr).toMatch(/^payments-sandbox: [^\n]+[.?]\n$/);
  expect(ended?.stderr).toMatch(words);
}

describe("export", () => {
  test("writes a bundle to a file, and says what is in it: 0", async () => {
    const world = await worldWithHistory();
    const file = join(testFolder(), "world.json");
    const { code, stdout, stderr } = await runCommand(["export", file, "--url", world.baseUrl]);
    const bundle = await world.export();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      `${file}: the world default, ${bundle.journal.length} entries from ${bundle.inputs.length} inputs.\n`,
    );
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(bundle);
  });

  test("what is said of it is safe for a terminal, whatever its file is called", async () => {
    const { baseUrl } = await worldWithHistory();
    const file = join(testFolder(), "\u001b[31mred.json");
    const written = await runCommand(["export", file, "--url", baseUrl]);
    const played = await runCommand(["replay", file]);
    for (const { code, stdout } of [written, played]) {
      expect([code, stdout]).toEqual([0, expect.stringContaining("\\u001b[31mred.json: ")]);
    }
  });

  test("says it as JSON with --json", async () => {
    const world = await worldWithHistory();
    const file = join(testFolder(), "world.json");
    const { stdout } = await runCommand(["export", file, "--json", "--url", world.baseUrl]);
    const { journal, inputs } = await world.export();
    expect(JSON.parse(stdout)).toEqual({ file, world: "default", entries: journal.length, inputs: inputs.length });
  });

  test("- writes to stdout, of the world that --world names", async () => {
    const world = await worldWithHistory();
    await using other = await server.sandbox.createWorld({ id: "ci-7", seed: 7 });
    const [own, named] = await Promise.all([
      runCommand(["export", "-", "--url", world.baseUrl]),
      runCommand(["export", "-", "--url", world.baseUrl, "--world", "ci-7"]),
    ]);
    expect(JSON.parse(own.stdout)).toEqual(await world.export());
    expect(JSON.parse(named.stdout)).toEqual(await other.export());
    expect([own.code, named.code, own.stderr, named.stderr]).toEqual([0, 0, "", ""]);
  });

  test("a file without a name, as of a variable that is not set, is refused", async () => {
    const refused = await runCommand(["export", "", "--url", (await worldWithHistory()).baseUrl]);
    expectRefusal(refused, 2, /The file to write must have a name; - stands for stdout\.$/m);
  });

  test("a control token is demanded: 2 without it, 0 with it", async () => {
    await using sandbox = await startSandbox({ controlToken: "let-me-in" });
    const args = ["export", "-", "--url", sandbox.baseUrl];
    const [without, given] = await Promise.all([
      runCommand(args),
      runCommand([...args, "--control-token", "let-me-in"]),
    ]);
    expectRefusal(without, 2, /--control-token/);
    expect(given.code).toBe(0);
  });

  test("what cannot be done: 2", async () => {
    const { baseUrl } = server.sandbox;
    const nowhere = join(testFolder(), "none", "world.json");
    const [unwritable, unknown, nobody, nothing] = await Promise.all([
      runCommand(["export", nowhere, "--url", baseUrl]),
      runCommand(["export", "-", "--url", baseUrl, "--world", "none"]),
      runCommand(["export", "-", "--url", "http://127.0.0.1:9"]),
      runCommand(["export"]),
    ]);
    expectRefusal(unwritable, 2, /world\.json cannot be written: /);
    expectRefusal(unknown, 2, /no world "none"/);
    expectRefusal(nobody, 2, /Nothing listens/);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringMatching(/^payments-sandbox: [^\n]*file[^\n]*\n$/),
    ]);
  });
});

describe("replay", () => {
  test("what an export wrote comes out the same, without a server: 0", async () => {
    const file = await bundleFile();
    const { journal, made_by }: BundleInfo = JSON.parse(readFileSync(file, "utf8"));
    const [pretty, json] = await Promise.all([runCommand(["replay", file]), runCommand(["replay", file, "--json"])]);
    expect(pretty).toMatchObject({ code: 0, stderr: "", stdout: `${file}: identical, ${journal.length} entries.\n` });
    expect(json).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(json.stdout)).toEqual({ identical: true, entries: journal.length, difference: null, made_by });
  });

  test("- reads stdin, as a pipe from export", async () => {
    const file = await bundleFile();
    const child = spawn(process.execPath, [bin, "replay", "-"], { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    child.stdout.on("data", (text) => {
      stdout += text;
    });
    child.stdin.end(readFileSync(file));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stdout).toMatch(/^-: identical, \d+ entries\.\n$/);
  });

  test("a history that differs: 1, with the entry, as it should be and as it is", async () => {
    let sequence = 0;
    const file = await bundleFile(({ journal }) => {
      sequence = journal.findIndex(({ kind }) => kind === "transition") + 1;
      Object.assign(journal[sequence - 1] ?? {}, { subject: "somebody-else" });
    });
    const { journal }: BundleInfo = JSON.parse(readFileSync(file, "utf8"));
    const { code, stdout, stderr } = await runCommand(["replay", file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const [verdict, expected = "", actual = "", rest] = stdout.split("\n");
    expect(verdict).toBe(`${file}: differs at entry ${sequence} of ${journal.length}.`);
    expect(expected.startsWith("expected  ")).toBe(true);
    expect(JSON.parse(expected.slice("expected  ".length))).toEqual(journal[sequence - 1]);
    expect(JSON.parse(actual.slice("actual    ".length))).toMatchObject({ sequence, kind: "transition" });
    expect(rest).toBe("");
    const json = await runCommand(["replay", file, "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      identical: false,
      entries: sequence - 1,
      difference: { sequence, expected: { subject: "somebody-else" }, actual: { kind: "transition" }, reason: null },
    });
  });

  test("a history that ends too soon, of a bundle that another version made: 1, and both are said", async () => {
    const file = await bundleFile((bundle) => {
      bundle.inputs.pop();
      bundle.operations = bundle.inputs.at(-1)?.ordinal ?? 0;
      bundle.made_by = "0.0.1";
    });
    const { code, stdout } = await runCommand(["replay", file]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/\nactual {4}nothing\n.*made by version 0\.0\.1; this is /),
    ]);
  });

  test("all its entries but an operation too few: 1, with what was to come after the last, and no entry", async () => {
    const file = await bundleFile((bundle) => {
      bundle.operations++;
    });
    const { journal }: BundleInfo = JSON.parse(readFileSync(file, "utf8"));
    const { code, stdout } = await runCommand(["replay", file]);
    const last = journal.length;
    expect([code, stdout]).toEqual([
      1,
      `${file}: differs after its last entry, ${last}: a timer ran here, and there is none now.\n`,
    ]);
  });

  test("a call that can no longer be repeated: 1, with why, and a single full stop", async () => {
    const file = await bundleFile(({ inputs }) => {
      const call = inputs.find(({ kind }) => kind === "control");
      Object.assign(call ?? {}, { body: "{" });
    });
    const { code, stdout } = await runCommand(["replay", file]);
    expect([code, stdout.split("\n")[0]]).toEqual([
      1,
      expect.stringMatching(/: differs at entry \d+ of \d+: .*[^.]\.$/),
    ]);
  });

  test.each([
    ["nothing", "", /no bundle/],
    ["no JSON", "journal: []", /no bundle/],
    ["something else", "[1, 2]", /no bundle/],
    ["null", "null", /no bundle/],
    ["UTF-16", Buffer.from('\ufeff{"format":"payments-sandbox-bundle"}', "utf16le"), /no text in UTF-8/],
    ["no version", '{"format":"payments-sandbox-bundle"}', /no bundle: its "version" is missing/],
    ["a mark of UTF-8 in front", '\ufeff{"format":"payments-sandbox-bundle","version":1}', /damaged: /],
    ["a bundle of another version", '{"format":"payments-sandbox-bundle","version":2}', /version 2.*version 1/],
    ["a damaged one", '{"format":"payments-sandbox-bundle","version":1}', /damaged: /],
  ])("a file with %s: 2", async (_what, text, words) => {
    const file = join(testFolder({ "world.json": text }), "world.json");
    expectRefusal(await runCommand(["replay", file]), 2, words);
  });

  test("the beginning of a bundle, one whose world cannot be made, no file at all: 2", async () => {
    const file = await bundleFile(({ world }) => Object.assign(world.scenarios[0] ?? {}, { text: "rules: 7" }));
    const beginning = join(testFolder({ "half.json": readFileSync(file, "utf8").slice(0, 5_000) }), "half.json");
    const [unmade, half, none, folder] = await Promise.all(
      [file, beginning, `${file}.none`, testFolder()].map((name) => runCommand(["replay", name])),
    );
    expectRefusal(unmade, 2, /cannot be made: scenarios\/happy-path\.yaml:1:1/);
    expectRefusal(half, 2, /only the beginning/);
    expectRefusal(none, 2, /\.none: there is no such file\.$/m);
    expectRefusal(folder, 2, /: it is a folder, not a file\.$/m);
  });
});
