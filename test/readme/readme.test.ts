import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ciFiles } from "../../src/cli/project-files/ci-files.ts";
import { runScenario } from "../../src/runs/run.ts";
import { startProcess } from "../support/process.ts";
import { sendNothing, throwFault } from "../support/runs.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

function blocks(language: string, section = readme): string[] {
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code = ""]) => code);
}

test("the first charge of the README works as it stands there, from token to webhook", async () => {
  const section = readme.slice(readme.indexOf("## A first charge"), readme.indexOf("## The dashboard"));
  const process_ = await startProcess();
  const script = `set -euo pipefail\n${blocks("bash", section).join('\necho "=== next"\n')}`;
  const env = { ...process.env, BASE: process_.baseUrl };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env });
  await process_.end("SIGTERM");

  const [account = "", charge = "", advance = "", outcome = ""] = stdout.split("=== next\n");
  expect(JSON.parse(account).postback_url).toBe("sandbox://inbox");
  expect(JSON.parse(charge).data).toMatchObject({ status: "pending", amount: "150.00", external_id: "order-1" });
  expect(JSON.parse(advance).webhooks).toMatchObject({ delivered: 1, failed: 0 });
  const [balance = "", inbox = ""] = outcome.split(/(?<=\})(?=\{"items")/);
  expect(JSON.parse(balance).data.balances).toEqual([{ currency: "BRL", balance: "10148.50", balance_locked: "0.00" }]);
  expect(JSON.parse(inbox).items[0].body).toMatchObject({
    event: "cashin.confirmed",
    data: { external_id: "order-1" },
  });
});

test("COUT-01 the signed cash-out of the README is accepted as it stands there", async () => {
  const process_ = await startProcess();
  const [setUp = "", token = ""] = blocks("bash", readme.slice(readme.indexOf("## A first charge")));
  const [cashout = ""] = blocks("bash", readme.slice(readme.indexOf("## The service")));
  const script = `set -euo pipefail\n${setUp}\n${token}\necho "=== next"\n${cashout}`;
  const env = { ...process.env, BASE: process_.baseUrl };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env });
  await process_.end("SIGTERM");
  expect(JSON.parse(stdout.split("=== next\n")[1] ?? "").data).toMatchObject({
    status: "pending",
    wallet: "maria@example.com",
  });
});

test("what is not simulated is told on the first screen", () => {
  expect(readme.slice(0, readme.indexOf("## What is not simulated")).split("\n").length).toBeLessThan(30);
});

test("the two commands that the README opens with are scripts that npm knows", () => {
  expect(blocks("bash")[0]).toContain("npm ci && npm start");
  expect(blocks("bash")[0]).toContain("npm cit");
});

test("the scenario of the README holds when it is run", async () => {
  for (const text of blocks("yaml")) {
    const options = { send: sendNothing, onFault: throwFault };
    const { verdict, expectations } = await runScenario({ file: "README.md", text }, options);
    expect(expectations.length).toBeGreaterThan(2);
    expect(verdict).toBe("pass");
  }
});

test("the faults and the question of the README work as they stand there", async () => {
  const process_ = await startProcess();
  const [setUp = "", token = "", , outcome = ""] = blocks("bash", readme.slice(readme.indexOf("## A first charge")));
  const [faults = ""] = blocks("bash", readme.slice(readme.indexOf("## Faults")));
  const [why = ""] = blocks("bash", readme.slice(readme.indexOf("## Why did this happen?")));
  const script = [
    "set -euo pipefail",
    setUp,
    token,
    outcome,
    ...[faults, why].map((code) => `echo "=== next"\n${code}`),
  ];
  const env = { ...process.env, BASE: process_.baseUrl };
  const { stdout } = await promisify(execFile)("bash", ["-c", script.join("\n")], { env });
  await process_.end("SIGTERM");
  const [, rules = "", explanation = ""] = stdout.split("=== next\n");
  expect(JSON.parse(rules).rules).toHaveLength(2);
  expect(JSON.parse(explanation)).toMatchObject({ type: expect.any(String), chain: expect.any(Array) });
});

test("what the README shows of containers is what init writes", () => {
  const trimmed = (text: string) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .join("\n");
  const written = Object.values(ciFiles).map(({ text }) => trimmed(text()));
  const containers = blocks("ts").filter((text) => text.includes("GenericContainer"));
  const shown = [...blocks("yml"), ...containers].map(trimmed);
  expect(shown).toHaveLength(3);
  for (const text of shown) expect(written.some((file) => file.includes(text))).toBe(true);
});

/** The zsh of a Mac takes `#` for a word at its prompt, opens a quote at an apostrophe after it, and looks for files by `?`. */
test("what is to be pasted into a shell is the same to zsh as to bash", () => {
  const pages = readdirSync(new URL("../../docs", import.meta.url)).filter((name) => name.endsWith(".md"));
  const texts = pages.map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"));
  const pasted = [readme, ...texts].flatMap((text) => blocks("bash", text)).filter((code) => !code.includes("set -e"));
  expect(pasted.length).toBeGreaterThan(9);
  const unquoted = pasted.map((code) => code.replace(/\$?\{[^}]*\}|'[^']*'|"[^"]*"/g, ""));
  expect(unquoted.filter((code) => /[#?*]/.test(code))).toEqual([]);
});
