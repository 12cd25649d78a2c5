/** `payments-sandbox run --explore`: what a QA engineer types, sees and keeps. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBundle } from "../../src/history/bundle.ts";
import { replay } from "../../src/history/replay.ts";
import { playersOf } from "../../src/http/players.ts";
import { runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { throwFault } from "../support/runs.ts";
import { startSampleMerchant } from "../support/sample-merchant.ts";

const sale = `
scenario: sale
with: [happy-path]
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: order-1 }
expect:
  - event: cashin.confirmed
`;

test("run --explore prints the smallest order that shows a mistake and keeps it as a bundle", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const cwd = testFolder({ "sale.yaml": sale });
  const { hookUrl, booksUrl, resetUrl } = merchant;
  const urls = ["--postback-url", hookUrl, "--verify-url", booksUrl, "--reset-url", resetUrl];
  const args = ["run", "sale.yaml", "--explore", "50", ...urls];

  const pretty = await runCommand(args, { cwd });
  expect(pretty).toMatchObject({ code: 1, stderr: "" });
  expect(pretty.stdout).toContain("✗ holds under 50 variations of delivery");
  expect(pretty.stdout).toMatch(/the smallest that does:\n +cashin\.confirmed evt_\w+ is delivered twice\n/);
  const fault = `GET ${booksUrl} answered 409: order-1 was credited 30000 instead of 15000 cents`;
  expect(pretty.stdout).toContain(fault);
  expect(pretty.stdout).not.toContain("the same ids");
  expect(pretty.stdout).toContain("kept as payments-sandbox-failure.json, for payments-sandbox replay");
  const bundle = readBundle(JSON.parse(readFileSync(join(cwd, "payments-sandbox-failure.json"), "utf8")));
  const { outcome: again } = await replay(bundle, playersOf(throwFault));
  expect(again).toMatchObject({ identical: true, difference: null });

  const junit = await runCommand([...args, "--reporter", "junit", "--bundle", "kept.json"], { cwd });
  expect(junit.code).toBe(1);
  expect(junit.stdout).toContain('<testcase classname="sale" name="holds under 50 variations of delivery">');
  expect(junit.stdout).toContain(fault);
  expect(existsSync(join(cwd, "kept.json"))).toBe(true);
});

test("run --explore names a file outside of the working folder by one path, also where it judges the whole", async () => {
  await using merchant = await startSampleMerchant();
  const cwd = testFolder({ "above/sale.yaml": sale, "here/nothing.txt": "" });
  const explore = ["--explore", "1", "--postback-url", merchant.hookUrl, "--json"];
  const ended = await runCommand(["run", "../above/sale.yaml", ...explore], { cwd: join(cwd, "here") });
  const [{ expectations }] = JSON.parse(ended.stdout).scenarios;
  const places = expectations.map(({ at }: { at: string }) => at);
  expect(places).toEqual(["../above/sale.yaml:5", "../above/sale.yaml:8", "../above/sale.yaml"]);
});

test("run --explore --json tells what a careful merchant takes", async () => {
  await using merchant = await startSampleMerchant();
  const cwd = testFolder({ "sale.yaml": sale });
  const urls = ["--postback-url", merchant.hookUrl, "--verify-url", merchant.booksUrl];
  const ended = await runCommand(["run", "sale.yaml", "--explore", "3", ...urls, "--json"], { cwd });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const { verdict, scenarios } = JSON.parse(ended.stdout);
  expect(verdict).toBe("pass");
  expect(scenarios[0].exploration).toEqual({ verdict: "pass", variations: 3, failure: null });
  expect(existsSync(join(cwd, "payments-sandbox-failure.json"))).toBe(false);
});

test("run --explore says that nobody looked at the books, and that ids come again, where no URL is given for it", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const cwd = testFolder({ "sale.yaml": sale });
  const args = ["run", "sale.yaml", "--brief", "--explore", "3", "--postback-url", merchant.hookUrl];
  const { code, stdout } = await runCommand(args, { cwd });
  expect([code, stdout.split("\n").slice(-4)]).toEqual([
    0,
    [
      "  ! the receiver's answers alone were judged; --verify-url lets it say whether its books are right",
      "  ! another run has the same ids, which a receiver may remember: start it anew before, use --reset-url, or choose a --seed far from this one",
      "1 scenario, all as expected.",
      "",
    ],
  ]);
});

test("run --explore keeps a bundle of each that fails, of several that are called alike too", async () => {
  const failing = (call: string) =>
    `scenario: sale\nmerchant:\n  - call: ${call}\nexpect:\n  - event: cashin.confirmed\n`;
  const calls = ["GET /v2/account/balance", "GET /v2/account/limits", "GET /v2/account/fees"];
  const files = Object.fromEntries(calls.map((call, index) => [`${index}.yaml`, failing(call)]));
  const cwd = testFolder(files);
  const args = ["run", ...Object.keys(files), "--explore", "3", "--postback-url", "http://127.0.0.1:2/hook"];
  const { code, stdout } = await runCommand(args, { cwd });
  expect(code).toBe(1);
  const kept = ["sale", "sale-2", "sale-3"].map((name) => `payments-sandbox-failure-${name}.json`);
  for (const [index, file] of kept.entries()) {
    expect(stdout).toContain(`kept as ${file}, for payments-sandbox replay`);
    expect(readFileSync(join(cwd, file), "utf8")).toContain(calls[index]?.slice(4));
  }
});

describe("run --explore refuses in one sentence", () => {
  // Nothing listens on a port that no ordinary program may have.
  const resetUrl = "http://127.0.0.1:2/reset";
  const hook = ["--postback-url", "http://127.0.0.1:2/hook"];
  test.each<[args: string[], sentence: string]>([
    [["--explore", "5"], "--explore needs --postback-url: the receiver whose webhooks it varies."],
    [
      ["--explore", "5", "--postback-url", "sandbox://inbox"],
      "--explore needs a receiver of yours: sandbox://inbox takes every webhook.",
    ],
    [["--explore", ...hook], "--explore is given no value: --postback-url comes right behind it."],
    [["--explore", "0", ...hook], '--explore must be a whole number from 1 to 100000, not "0".'],
    [["--verify-url", resetUrl], "--verify-url goes with --explore, which is missing."],
    [["--explore", "5", ...hook, "--reset-url", "reset"], '--reset-url must be an http or https URL, not "reset".'],
    [
      ["--explore", "5", ...hook, "--verify-url", "http://me:secret@127.0.0.1/"],
      '--verify-url must be an http or https URL, not one with credentials, "http://***@127.0.0.1/".',
    ],
    [["--explore", "5", ...hook, "--bundle", "."], "--bundle . cannot be written: it is a folder."],
    [
      ["--explore", "5", ...hook, "--bundle", ""],
      "--bundle must name a file; without --bundle, it is payments-sandbox-failure.json.",
    ],
    [
      ["--explore", "5", ...hook, "--reset-url", resetUrl],
      `The receiver could not be reset: POST ${resetUrl} was not answered: ECONNREFUSED.`,
    ],
    [
      ["--explore", "5", ...hook, "--verify-url", resetUrl],
      `The books could not be looked at: GET ${resetUrl} was not answered: ECONNREFUSED.`,
    ],
  ])("%j", async (args, sentence) => {
    const cwd = testFolder({ "sale.yaml": sale });
    const refused = { code: 2, stdout: "", stderr: `payments-sandbox: ${sentence}\n` };
    expect(await runCommand(["run", "sale.yaml", ...args], { cwd })).toMatchObject(refused);
  });
});
