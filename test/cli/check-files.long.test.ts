/** `check` on files as they come: broken ones by the hundred, what is no scenario at all, and what others name. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/scenarios/problems.ts";
import { brokenFiles } from "../scenarios/broken-files.ts";
import { type Ended, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

type Files = Readonly<Record<string, string | Buffer>>;

const MIB = 1024 * 1024;
const good = "scenario: good\nrules: []\n";

/** Checks a folder of these files. */
function check(files: Files, ...args: string[]): Promise<Ended> {
  return runCommand(["check", ...(args.length > 0 ? args : ["."])], { cwd: testFolder(files) });
}

/** What is told of a folder of these files, `file:line:column: message` each. */
async function told(files: Files, ...args: string[]): Promise<string[]> {
  const { code, stdout } = await check(files, ...(args.length > 0 ? args : ["."]), "--json");
  const { ok, problems } = JSON.parse(stdout) as { ok: boolean; problems: Problem[] };
  expect([code, ok]).toEqual([1, false]);
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

test("a folder of broken files: each is told with its line and the right word", async () => {
  const named = brokenFiles.map((broken, index) => [`broken-${String(index).padStart(3, "0")}.yaml`, broken] as const);
  const messages = await told(Object.fromEntries(named.map(([file, { source }]) => [file, source])));
  const expected = named.flatMap(([file, broken]) => broken.told.map((words) => `${file}:${words}`));
  expect(named.length).toBeGreaterThan(200);
  expect(messages.map((message, index) => message.slice(0, expected[index]?.length))).toEqual(expected);
});

test("the caret stands below its column, behind tabs too, and in the part of a long line that is shown", async () => {
  const tabbed = "scenario: x\nrules: []\nexpect: [\t{ evnt: x } ]\n";
  const [long, place] = [`scenario: x\nrules: [${" ".repeat(1_000)}{ on: x }]\n`, 1_015];
  const { stdout } = await check({ "a.yaml": tabbed, "b.yaml": long });
  const [first = [], second = []] = stdout.split(/^(?=[ab]\.yaml)/m).map((part) => part.split("\n"));
  expect(first).toEqual([
    'a.yaml:3:13: unknown key "evnt"; did you mean "event"?',
    "3 | expect: [\t{ evnt: x } ]",
    "             \t  ^",
    "",
  ]);
  expect(second[0]).toMatch(new RegExp(`^b\\.yaml:2:${place}: `));
  expect(second[1]?.length).toBeLessThan(300);
  expect(second[1]?.slice(second[2]?.indexOf("^"))).toBe("x }]");
});

describe("control characters are shown, not obeyed, with the caret below its column", () => {
  test("in what is not YAML", async () => {
    const { stdout } = await check({ "a.yaml": "scenario: a\ndescription: a\x1b[31mb\x9b\n" });
    const words = "the control character U+001B has no place in a text; take it out";
    expect(stdout).toContain(
      `a.yaml:2:15: ${words}\n2 | description: a\\u001b[31mb\\u009b\n                  ^\n1 file`,
    );
  });

  test("in the words of a message", async () => {
    const source = 'scenario: a\nrules: [{ on: "\\e]0;x\\a", then: [{ note: x }] }]\n';
    const { stdout } = await check({ "a.yaml": source });
    expect(stdout).toContain('a.yaml:2:15: unknown trigger "\\u001b]0;x\\u0007"');
    const { stderr } = await runCommand(["run", "a.yaml"], { cwd: testFolder({ "a.yaml": source }) });
    expect(stderr).toContain('unknown trigger "\\u001b]0;x\\u0007"');
  });
});

describe("what is no scenario: 1, with the file and a sentence", () => {
  test.each<[string, string | Buffer, string]>([
    [
      "nothing",
      "",
      "1:1: the file must be an object that begins with its name, such as scenario: my-scenario; it is empty",
    ],
    [
      "a list",
      "- scenario: x\n",
      "1:1: the file must be an object that begins with its name, such as scenario: my-scenario; it is a list",
    ],
    ["an image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "1:1: the file is no text in UTF-8"],
    [
      "Latin-1",
      Buffer.from("scenario: x\ndescription: cobrança\n", "latin1"),
      "2:20: this character is not in UTF-8; save the file as UTF-8",
    ],
    [
      "UTF-16",
      Buffer.from(`\uFEFF${good}`, "utf16le"),
      "1:1: the file is no text in UTF-8; if it is text, save it as UTF-8",
    ],
    ["more than 2 MiB", Buffer.alloc(3 * MIB, "#"), "1:1: the file is too large: a scenario has at most 2 MiB"],
    [
      "JSON with comments",
      '{ "scenario": "x", // late\n "rules": [] }',
      "1:20: JSON has no comments; in YAML they begin with #",
    ],
    ["JSON with a comma too many", '{ "scenario": "x",\n "rules": [],\n}', "2:13: this comma is one too many"],
    [
      "JSON with a comment as YAML has it",
      '{ "scenario": "x" } # late',
      "1:21: JSON has no comments; in YAML they begin",
    ],
    ["YAML with the name of JSON", "scenario: x\nrules: []\n", "1:1: this is no JSON, where names and texts are"],
    ["JSON with a name without a value", '{ "scenario": "x", "seed" }', '1:27: a ":" is missing before this'],
    ["half of a JSON text", '{ "scenario": "x", "rules": [', "1:29: [ is opened here and not closed; ] is missing"],
  ])("%s", async (_what, content, words) => {
    const messages = await told({ "odd.json": content, "good.yaml": good });
    expect(messages.map((message) => message.slice(0, `odd.json:${words}`.length))).toEqual([`odd.json:${words}`]);
  });
});

describe("what a scenario names beside it", () => {
  const using = "scenario: using\nwith: [happy-path, other.yaml]\n";

  test("is checked with it, and told once", async () => {
    const files = {
      "using.yaml": using,
      "again.yaml": using.replace("using", "again"),
      "other.yaml": "scenario: other\nrulez: []\n",
    };
    expect(await told(files)).toEqual(['other.yaml:2:1: unknown key "rulez"; did you mean "rules"?']);
  });

  test("is told at its name where it is not there", async () => {
    expect(await told({ "using.yaml": "scenario: using\nwith:\n  - happy-pth\n" })).toEqual([
      'using.yaml:3:5: there is no scenario "happy-pth"; did you mean "happy-path"?',
    ]);
  });

  test("is told at its name even where another one has problems of its own", async () => {
    const files = {
      "using.yaml": "scenario: using\nwith:\n  - happy-pth\n  - other.yaml\n",
      "other.yaml": "rulez: []\n",
    };
    const [own, ...beneath] = await told(files, "using.yaml");
    expect(own).toBe('using.yaml:3:5: there is no scenario "happy-pth"; did you mean "happy-path"?');
    expect(beneath).not.toEqual([]);
  });

  test.each(["base.yaml", "base.yml", "base.json"])("is told with the ending that it lacks: %s", async (file) => {
    const files = { "using.yaml": "scenario: using\nwith:\n  - base\n", [file]: '{"scenario": "base"}' };
    expect(await told(files)).toEqual([`using.yaml:3:5: there is no scenario "base"; did you mean "${file}"?`]);
  });

  test.each([
    ["./missing.yaml", '"./missing.yaml" beside the scenario, and no shipped one of that name'],
    ["/etc/missing", '"/etc/missing" beside the scenario, and no shipped one of that name'],
  ])("is told to be no file, where no shipped name is near: %s", async (name, words) => {
    const messages = await told({ "using.yaml": `scenario: using\nwith:\n  - ${name}\n` });
    expect(messages).toEqual([`using.yaml:3:5: there is no file ${words}`]);
  });

  describe("brings its settings: what it is built on decides which currencies and accounts there are", () => {
    const worldly = `scenario: worldly
settings:
  currencies: extended
  fixtures:
    accounts:
      accounts: [{ username: shop, name: Shop, document: "11222333000181", email: shop@shop.example }]
      balances: { BRL: "10.00" }
`;
    const building = (currency: string, username: string) => `scenario: building
with: [worldly.yaml]
rules:
  - every: "0 9 * * *"
    then: [{ set_rate: { ${currency}: "0.5" } }]
merchant:
  - call: POST /v2/transactions/cashin
    as: ${username}
    body: { currency: ${currency}, amount: 150 }
expect:
  - transaction: { currency: ${currency}, chain: polygon }
`;
    const filesWith = (currency: string, username: string) => ({
      "worldly.yaml": worldly,
      "building.yaml": building(currency, username),
    });

    test("by check and by run", async () => {
      const cwd = testFolder(filesWith("POL", "shop"));
      const checked = await runCommand(["check", "building.yaml"], { cwd });
      expect(checked).toMatchObject({ code: 0, stdout: "1 file checked, all fine.\n" });
      expect(await runCommand(["run", "building.yaml"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    });

    test("so that slips of the hand are told by what it has", async () => {
      const cwd = testFolder(filesWith("PLO", "shpo"));
      const checked = await runCommand(["check", "building.yaml"], { cwd });
      const told = [
        'building.yaml:5:26: there is no currency "PLO"; did you mean "POL"?',
        'building.yaml:8:9: there is no account "shpo"; did you mean "shop"?',
        'building.yaml:9:23: there is no currency "PLO"; did you mean "POL"?',
        'building.yaml:11:30: there is no currency "PLO"; did you mean "POL"?',
      ];
      expect(checked.stdout.split("\n").filter((line) => line.startsWith("building"))).toEqual(told);
      expect((await runCommand(["run", "building.yaml"], { cwd })).code).toBe(2);
    });
  });

  const replying = `scenario: replying
merchant:
  - call: POST /v2/account/infractions/reply
    form: { text: hello, files: [proof.pdf, { name: a.png, type: image/png, size: 10 }] }
`;

  test("a file that the merchant sends is told where it is not there, by run too", async () => {
    const words = 'replying.yaml:4:34: there is no file "proof.pdf" beside the scenario';
    expect(await told({ "replying.yaml": replying })).toEqual([words]);
    const { code, stderr } = await runCommand(["run", "replying.yaml"], {
      cwd: testFolder({ "replying.yaml": replying }),
    });
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
  });

  test("one that is there is fine", async () => {
    const { code } = await check({ "replying.yaml": replying, "proof.pdf": "%PDF-1.7" }, "replying.yaml");
    expect(code).toBe(0);
  });
});

describe("accounts that the world of a run cannot have are told with their place, by check and by run", () => {
  const having = (account: string, more = "") => `scenario: having\naccounts: [{ username: a, ${account} }]\n${more}`;

  test.each([
    [
      "a destination",
      'postback_url: "http://example.com/x"',
      "2:41: postback_url must be an https URL; plain http is let through to local hosts only, unless the file says settings: { webhook_targets: any }",
    ],
    [
      "a currency",
      "balances: { POL: 5 }",
      '2:44: there is no currency "POL" in the world of a run; did you mean "SOL"?',
    ],
  ])("%s", async (_what, account, words) => {
    const files = { "having.yaml": having(account) };
    expect(await told(files)).toEqual([`having.yaml:${words}`]);
    const { code, stderr } = await runCommand(["run", "having.yaml"], { cwd: testFolder(files) });
    expect([code, stderr]).toEqual([2, `payments-sandbox: having.yaml:${words}\n`]);
  });

  test("its own settings may let them be", async () => {
    const settings = "settings: { webhook_targets: any, currencies: extended }\n";
    const files = { "having.yaml": having('postback_url: "http://example.com/x", balances: { POL: 5 }', settings) };
    expect((await runCommand(["run", "having.yaml"], { cwd: testFolder(files) })).code).toBe(0);
  });

  test("what a file beneath wants of a world is no matter of a run", async () => {
    const files = {
      "a.yaml": "scenario: a\nwith: [b.yaml]\n",
      "b.yaml": having('postback_url: "http://example.com/x"'),
    };
    expect((await check(files, "a.yaml")).code).toBe(0);
  });
});

test("a bundle that is named is told to be one, with what plays it", async () => {
  const bundle = '{\n  "format": "payments-sandbox-bundle",\n  "version": 1\n}';
  expect(await told({ "bundle.json": bundle }, "bundle.json")).toEqual([
    "bundle.json:2:3: the file is a bundle and no scenario; payments-sandbox replay plays it",
  ]);
});

test("what lies in a folder and has another ending is left alone", async () => {
  const { code, stdout } = await check({ "good.yaml": good, "notes.txt": "hello", "deeper/bad.yaml": "rulez: []\n" });
  expect([code, stdout]).toEqual([0, "1 file checked, all fine.\n"]);
});

test("what editors and systems keep beside a file is left alone: it begins with a dot", async () => {
  const cwd = testFolder({ "good.yaml": good, "._good.yaml": "\0\u0005" });
  // As Emacs marks a file that is open.
  symlinkSync("me@machine.1:1", join(cwd, ".#good.yaml"));
  const { code, stdout } = await runCommand(["check", "."], { cwd });
  expect([code, stdout]).toEqual([0, "1 file checked, all fine.\n"]);
});

describe("what lies in a folder and is clearly no scenario", () => {
  const beside = {
    "good.yaml": good,
    "report.json": '{"verdict":"pass","scenarios":[]}',
    "list.json": "[1, 2]",
    "payments-sandbox.settings.yaml": "protections: off\n",
    "compose.payments-sandbox.yaml": "services: {}\n",
    "a-folder.yaml/inner.txt": "hello",
  };

  test.each(["check", "run"])("is left alone by %s", async (command) => {
    const { code, stdout } = await runCommand([command, "."], { cwd: testFolder(beside) });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/(^|\n)1 (file checked, all fine|scenario, all as expected)\.\n$/),
    ]);
  });

  test("folders within it are left out, and those with scenarios are told", async () => {
    const files = {
      "good.yaml": good,
      "pix/more.yaml": good,
      "data/list.json": "[]",
      "node_modules/x/a.yaml": good,
      ".git/a.yaml": good,
    };
    const { stdout, stderr } = await runCommand(["check", "."], { cwd: testFolder(files) });
    expect([stdout, stderr]).toEqual([
      "1 file checked, all fine.\n",
      "payments-sandbox: the scenarios in pix are left out; name that folder too.\n",
    ]);
  });

  test.runIf(process.platform !== "win32")(
    "what a terminal would obey in the name of such a folder is shown",
    async () => {
      const files = { "good.yaml": good, "sub\u001b[31m/more.yaml": good };
      const { stderr } = await runCommand(["check", "."], { cwd: testFolder(files) });
      expect(stderr).toBe("payments-sandbox: the scenarios in sub\\u001b[31m are left out; name that folder too.\n");
    },
  );

  test("is judged where it is named on its own", async () => {
    const messages = await told(beside, "payments-sandbox.settings.yaml", "report.json");
    const files = messages.map((message) => message.split(":")[0]);
    expect([...new Set(files)]).toEqual(["payments-sandbox.settings.yaml", "report.json"]);
  });

  test("a slip in the name of its first key does not make it one", async () => {
    const files = { "a.yaml": "scenaro: a\nrules: []\n", "b.json": '{"scenaro": "b", "rules": []}' };
    const messages = await told(files);
    expect(messages).toContain('a.yaml:1:1: unknown key "scenaro"; did you mean "scenario"?');
    expect(messages).toContain('b.json:1:2: unknown key "scenaro"; did you mean "scenario"?');
  });
});

describe("a file outside the working folder", () => {
  const broken = "scenario: a\nrulez: []\n";
  const words = 'unknown key "rulez"; did you mean "rules"?';

  test("is named by the path that was given, and files of the same name are told apart", async () => {
    const folder = testFolder({ "d1/x.yaml": broken, "d2/x.yaml": broken, "empty/.keep": "" });
    const cwd = join(folder, "empty");
    const { code, stdout } = await runCommand(["check", "../d1", "../d2"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(`../d1/x.yaml:2:1: ${words}\n`);
    expect(stdout).toContain(`../d2/x.yaml:2:1: ${words}\n`);
    expect(stdout).toContain("2 files checked, 2 problems.\n");
    const absolute = await runCommand(["check", join(folder, "d1/x.yaml")], { cwd });
    expect(absolute.stdout).toContain(`${folder}/d1/x.yaml:2:1: ${words}\n`);
  });

  test("so is one that another names under with, each beside its own", async () => {
    const using = "scenario: using\nwith: [other.yaml]\n";
    const files = { "using.yaml": using, "other.yaml": broken };
    const both = ["d1", "d2"].flatMap((name) => Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]));
    const cwd = join(testFolder({ ...Object.fromEntries(both), "empty/.keep": "" }), "empty");
    const { stdout } = await runCommand(["check", "../d1/using.yaml", "../d2/using.yaml", "--json"], { cwd });
    const { problems } = JSON.parse(stdout) as { problems: Problem[] };
    expect(problems.map(({ file }) => file)).toEqual(["../d1/other.yaml", "../d2/other.yaml"]);
  });

  test("files that name each other under with are checked once", async () => {
    const naming = (name: string, other: string) => `scenario: ${name}\nwith: [${other}.yaml]\n`;
    const { code, stdout } = await check({ "a.yaml": naming("a", "b"), "b.yaml": naming("b", "a") });
    expect([code, stdout]).toEqual([0, "2 files checked, all fine.\n"]);
  });
});

test("ten thousand rules are checked", async () => {
  const rules = Array.from({ length: 10_000 }, (_, index) => {
    return `  - on: cashin.created\n    where: { external_id: order-${index} }\n    then: [{ after: ${index}s, pay: {} }]\n`;
  });
  const { code, stdout } = await check({ "many.yaml": `scenario: many\nrules:\n${rules.join("")}` });
  expect([code, stdout]).toEqual([0, "1 file checked, all fine.\n"]);
});
