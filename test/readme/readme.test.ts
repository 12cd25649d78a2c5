import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { startProcess } from "../support/process.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

function blocks(language: string, section = readme): string[] {
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code = ""]) => code);
}

test("the first charge of the README works as it stands there, from token to webhook", async () => {
  const section = readme.slice(readme.indexOf("## A first charge"), readme.indexOf("## What is not simulated"));
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

test("the two commands that the README opens with are scripts that npm knows", () => {
  expect(blocks("bash")[0]).toContain("npm ci && npm start");
  expect(blocks("bash")[0]).toContain("npm cit");
});

test("the scenario of the README is one", () => {
  for (const text of blocks("yaml")) expect(loadScenario(text, "README.md").content.rules.length).toBeGreaterThan(0);
});
