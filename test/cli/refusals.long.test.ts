/** What cannot be started as asked: one clear line on stderr and exit 2 (interface, section 2). */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ended, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { checkout } from "../support/laid-package.ts";
import { oldNode } from "../support/old-node.ts";

/** Expects one line that has all the words. */
function expectRefusal({ code, stdout, stderr }: Ended, ...words: readonly string[]): void {
  expect(stderr).toMatch(/^payments-sandbox[: ][^\n]+\n$/);
  for (const word of words) expect(stderr).toContain(word);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
}

const scenario = (trigger: string) =>
  `scenario: x\nrules:\n  - on: ${trigger}\n    then:\n      - { after: 1s, note: seen }\n`;

const files = {
  "a-file": "x",
  "two.yaml": `${scenario("cashin.createdd")}  - on: cashin.paid\n    then: [{ note: seen }]\n`,
  "broken.yaml": "scenario: [\n",
  "unknown.yaml": "protectons: off\n",
  "value.yaml": "webhook_rate: 0\n",
  "strict.yaml": "webhook_targets: strict\n",
  "list.yaml": "- protections\n",
  "syntax.yaml": "protections: off\nquotes: [\n",
  "twice.yaml": "protections: off\nprotections: report\n",
  "two-of.yaml": "protections: off\n---\nquotes: ignore\n",
  "data.yaml": "fixtures: { rates: 3 }\n",
  "rate.yaml": "fixtures: { rates: { BRL: x } }\n",
  "terms.yaml": "fixtures: { terms: { conversion_spread_percentage: '1', wallets_per_credential: x } }\n",
  "dot.yaml": 'fixtures: { rates: { "B.L": x } }\n',
  "rats.yaml": "fixtures: { rats: 3 }\n",
  "latin.yaml": Buffer.from("# Com\u00e9rcio\nprotections: off\n", "latin1"),
  "utf16.yaml": Buffer.from("\ufeffprotections: off\n", "utf16le"),
  "word.yaml": "# All of it.\nprotections: offf\n",
  "many.yaml": "quote_ttl: 5\nwebhook_rate: 0\nprotectons: off\n",
};

/** TABLE: what is asked, and what the one line must tell. */
const refusals: readonly (readonly [what: string, args: readonly string[], words: readonly string[]])[] = [
  ["an unknown option, with the nearest", ["--prot", "1"], ["--prot", "--port"]],
  ["the same before a command", ["--prot", "1", "serve"], ["--prot", "--port"]],
  ["an option of a command before it", ["--url", "x", "advance", "5s"], ["'--url'", "payments-sandbox advance …"]],
  ["the server's options before its command", ["--port", "1", "serve"], ["serve", "payments-sandbox serve …"]],
  ["an option without its value", ["--scenario"], ["--scenario"]],
  [
    "an option before another without its value",
    ["--data", "--clock", "frozen"],
    ["--data is given no value: --clock"],
  ],
  [
    "the same before one with a value",
    ["--scenario", "--clock=frozen"],
    ["--scenario is given no value: --clock=froz"],
  ],
  ["a port that is none", ["--port", "http"], ["--port", '"http"', "65535"]],
  ["a port out of range", ["--port", "70000"], ["--port", "65535"]],
  ["an unknown clock mode", ["--clock", "warp"], ["--clock", "running", "frozen"]],
  ["a speed of nothing", ["--speed", "0"], ["--speed"]],
  ["a speed that is no plain number", ["--speed", "0x10"], ["--speed must be a plain number", '"0x10"']],
  ["a speed with an exponent", ["--speed", "1e3"], ["--speed must be a plain number", '"1e3"']],
  ["a host with a scheme", ["--allow-host", "a.example,http://b.example"], ["--allow-host", "host name", "http://b"]],
  ["a host with a port", ["--allow-host", "b.example:4400"], ["--allow-host", "without scheme, port or path"]],
  ["an empty control token", ["--control-token", ""], ["--control-token", "1 to 1024"]],
  ["a start without a zone", ["--start", "2026-01-01T12:00:00"], ["--start", "zone"]],
  ["a start before 1970", ["--start", "1969-12-31T23:59:59Z"], ["--start", "from 1970 to the year 9999"]],
  ["a seed below zero", ["--seed", "-1"], ["--seed"]],
  ["an unknown log mode", ["--log", "loud"], ["--log", "pretty", "json", "silent"]],
  ["a webhook time-out of nothing", ["--webhook-timeout", "0"], ["--webhook-timeout"]],
  ["a webhook concurrency that is no number", ["--webhook-concurrency", "x"], ["--webhook-concurrency"]],
  ["an IPv4 source that is none", ["--webhook-source-ipv4", "localhost"], ["--webhook-source-ipv4", '"localhost"']],
  ["an IPv6 source that is IPv4", ["--webhook-source-ipv6", "127.0.0.1"], ["--webhook-source-ipv6", "an IPv6 address"]],
  ["a source of another machine", ["--webhook-source-ipv4", "198.51.100.7"], ["198.51.100.7", "this machine does not"]],
  [
    "an IPv6 source of another machine",
    ["--webhook-source-ipv6", "2001:db8::7"],
    ["2001:db8::7", "this machine does not"],
  ],
  ["an address that cannot be listened on", ["--host", "192.0.2.1"], ["192.0.2.1"]],
  ["no address to listen on", ["--host", ""], ["--host must name an address", "127.0.0.1"]],
  ["a postback with credentials", ["--postback-url", "http://me:secret@localhost/x"], ["with credentials", "//***@lo"]],
  ["a postback to a foreign host over http", ["--postback-url", "http://shop.example/x"], ["--postback-url", "https"]],
  [
    "a postback over http, where settings let none go there, with the setting",
    ["--postback-url", "http://localhost:3000/hook", "--settings", "strict.yaml"],
    ["--postback-url must be an https URL or sandbox://inbox", ": the setting webhook_targets is strict."],
  ],
  [
    "a postback that is no URL, with all that it may be",
    ["--postback-url", "hook"],
    ["--postback-url", "an https URL, an http URL on this machine", "sandbox://inbox", '"hook"'],
  ],
  ["none beside other scenarios", ["--scenario", "none", "--scenario", "happy-path"], ["--scenario none stands alone"]],
  ["a data folder without a name", ["--data", ""], ["--data must name a folder", "in memory"]],
  ["an unknown scenario, with the nearest", ["--scenario", "happy-pth"], ["happy-pth", '"happy-path"']],
  ["a file that is not there", ["--scenario", "nofile.yaml"], ['no scenario, file or folder "nofile.yaml".\n']],
  ["a scenario with two faults", ["--scenario", "two.yaml"], ["two.yaml:3:9", '"cashin.created"', "1 more problem"]],
  ["a scenario that cannot be parsed", ["--scenario", "broken.yaml"], ["broken.yaml:1:11"]],
  ["a settings file that is not there", ["--settings", "nope.yaml"], ["nope.yaml: there is no such file."]],
  [
    "settings in Latin-1",
    ["--settings", "latin.yaml"],
    ["latin.yaml:1:6: this character is not in UTF-8; save the file as UTF-8."],
  ],
  ["settings in UTF-16", ["--settings", "utf16.yaml"], ["utf16.yaml:1:1: the file is no text in UTF-8;"]],
  ["a folder of settings", ["--settings", "."], [".: it is a folder, not a file."]],
  [
    "an unknown setting, with the nearest",
    ["--settings", "unknown.yaml"],
    ['unknown.yaml:1:1: unknown setting "protectons"; did you mean "protections"?'],
  ],
  [
    "an unknown value of a setting, with the nearest",
    ["--settings", "word.yaml"],
    ['word.yaml:2:14: protections must be one of enforce, report, off; did you mean "off"?'],
  ],
  [
    "several faults of settings, the first of them",
    ["--settings", "many.yaml"],
    ["many.yaml:1:12: ", "2 more problems"],
  ],
  ["a setting out of range", ["--settings", "value.yaml"], ["value.yaml:1:15: webhook_rate must be at least 1."]],
  [
    "settings that are a list",
    ["--settings", "list.yaml"],
    ["list.yaml:1:1: the file must be an object", "it is a list"],
  ],
  [
    "settings that cannot be parsed",
    ["--settings", "syntax.yaml"],
    ["syntax.yaml:2:9: [ is opened here and not closed; ] is missing."],
  ],
  [
    "settings with a key twice",
    ["--settings", "twice.yaml"],
    ['twice.yaml:2:1: the key "protections" is there already.'],
  ],
  ["two documents of settings", ["--settings", "two-of.yaml"], ["two-of.yaml:2:1: a file is one document;"]],
  [
    "data for fixtures that does not fit",
    ["--settings", "data.yaml"],
    ["data.yaml:1:20: fixtures.rates must be an object."],
  ],
  [
    "a field of such data",
    ["--settings", "rate.yaml"],
    [
      "rate.yaml:1:27: fixtures.rates.BRL must be a decimal string of at most 64 characters, without a sign, such as 0.185.",
    ],
  ],
  [
    "a figure in it that is none",
    ["--settings", "terms.yaml"],
    ["terms.yaml:1:", "fixtures.terms.wallets_per_credential must be a"],
  ],
  ["the same of a name with a dot in it", ["--settings", "dot.yaml"], ["dot.yaml:1:29: fixtures.rates.B.L must be"]],
  ["data that there is not", ["--settings", "rats.yaml"], ["rats.yaml:1:13: fixtures.rats: there is no such data"]],
  ["a data folder that is a file", ["--data", "a-file"], ["a-file", "not a folder"]],
  ["a data folder below a file", ["--data", "a-file/worlds"], ["a-file/worlds", "not a folder"]],
];

describe("serve refuses", () => {
  test.each(refusals)("%s", async (_what, args, words) => {
    expectRefusal(await runCommand(["--port", "0", ...args], { cwd: testFolder(files) }), ...words);
  });

  test("an unknown command, with the nearest", async () => {
    expectRefusal(await runCommand(["chek"]), '"chek"', '"check"');
    expectRefusal(await runCommand(["help", "chek"]), '"chek"', '"check"');
    expectRefusal(await runCommand(["help", "nope"]), 'no command "nope"; known are serve, check, ');
  });

  test("a port that is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const port = String((server.address() as AddressInfo).port);
    expectRefusal(await runCommand(["--port", port]), port, "taken", "--port");
  });

  test("a bad variable, by its name", async () => {
    const env = { PAYMENTS_SANDBOX_CLOCK: "warp" };
    expectRefusal(await runCommand(["--port", "0"], { env }), "PAYMENTS_SANDBOX_CLOCK", "frozen");
  });

  test("a bad number in a variable, by the variable's name too", async () => {
    const env = { PAYMENTS_SANDBOX_PORT: "abc" };
    expectRefusal(await runCommand([], { env }), "PAYMENTS_SANDBOX_PORT (--port) must be a whole number", '"abc"');
    const speed = { PAYMENTS_SANDBOX_SPEED: "0" };
    expectRefusal(await runCommand(["--port", "0"], { env: speed }), "PAYMENTS_SANDBOX_SPEED (--speed) must be");
  });

  test.each([4, 6])("D64 a bad IPv%i source in a variable", async (family) => {
    const env = { [`PAYMENTS_SANDBOX_WEBHOOK_SOURCE_IPV${family}`]: "everywhere" };
    expectRefusal(await runCommand(["--port", "0"], { env }), `--webhook-source-ipv${family}`, '"everywhere"');
  });
});

test("D07 a mistake in the files of fixtures/, by its file and place", async () => {
  const copy = testFolder();
  for (const name of ["bin", "src", "fixtures", "scenarios", "package.json"]) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  const rates = join(copy, "fixtures", "rates.json");
  writeFileSync(rates, '{ "BRL": "abc" }');
  const bin = join(copy, "bin", "payments-sandbox.js");
  const { status, ...ended } = spawnSync(process.execPath, [bin, "--port", "0"], { encoding: "utf8" });
  expectRefusal({ ...ended, code: status }, `${rates}: BRL: must be a decimal string`);
});

describe("a Node too old to run it", () => {
  const required: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).engines
    .node;
  const least = required.replace(">=", "");

  test.each(["18.20.4", "20.19.0", "22.17.1"])("%s by its number", async (version) => {
    const module = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
    const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(module)}`];
    expectRefusal(await runCommand(["--port", "0"], { nodeOptions }), least);
  });

  const old = oldNode();
  test.runIf(old !== undefined)("in truth", async () => {
    const { node = "", version = "" } = old ?? {};
    expectRefusal(await runCommand(["--port", "0"], { node }), least, version);
  });
});
