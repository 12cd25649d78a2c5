/** How a server starts and what it says when it is ready (interface, section 2). */
import { execFileSync, spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { type RunningCommand, runCommand, startCommand, startReady, terminate } from "../support/command.ts";
import { Merchant } from "../support/merchant.ts";
import { rawRequest } from "../support/raw-request.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

/** What a server that logs for people prints until it is ready. */
async function bannerOf(args: readonly string[]): Promise<string> {
  const { child } = startCommand(["--port", "0", "--log", "pretty", ...args]);
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (/curl .*\n/.test(text)) break;
  }
  return text;
}

/** A server that logs for people, and goes on. */
async function startForPeople(args: readonly string[]): Promise<{ running: RunningCommand; banner: string }> {
  const running = startCommand(["--port", "0", "--log", "pretty", ...args]);
  const banner = await new Promise<string>((resolve) => {
    let text = "";
    running.child.stdout.on("data", (chunk: string) => {
      text += chunk;
      if (/curl .*\n/.test(text)) resolve(text);
    });
  });
  return { running, banner };
}

describe("with --log json", () => {
  test("the first line of stdout is the ready line, with credentials that work", async () => {
    const running = await startReady();
    const { ready } = running;
    expect(Object.keys(ready)).toEqual([
      "event",
      "base_url",
      "dashboard_url",
      "world",
      "client_id",
      "client_secret",
      "signing_key",
    ]);
    expect(ready).toMatchObject({ event: "ready", world: "default", dashboard_url: `${ready.base_url}/` });
    expect(ready.base_url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    const credentials = { clientId: ready.client_id, clientSecret: ready.client_secret };
    const merchant = new Merchant({ baseUrl: ready.base_url }, credentials);
    expect((await merchant.authenticate()).status).toBe(200);

    const { stdout, stderr } = await terminate(running);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event }) => event)).toEqual(["ready", "request"]);
    expect(events[1]).toMatchObject({ world: "default", path: "/v2/oauth/token", status: 200 });
    expect(stderr).toBe("");
  });

  test("the line of a refused call has what its caller was told", async () => {
    const running = await startReady();
    const { base_url, client_id, client_secret } = running.ready;
    const merchant = new Merchant({ baseUrl: base_url }, { clientId: client_id, clientSecret: client_secret });
    await merchant.authenticate();
    const refused = await merchant.call("POST", "/v2/transactions/cashin", { amuont: 5 });
    const { stdout } = await terminate(running);
    const [, token, charge] = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    expect(token).not.toHaveProperty("message");
    expect(charge).toMatchObject({ status: 400, error: "INVALID_REQUEST", message: refused.body.error.message });
    expect(charge.hint).toBe(refused.headers.get("x-sandbox-hint"));
    expect(charge.hint).toContain("amuont");
  });

  test("the line of a delivery says how it went, and beside that which event it was of", async () => {
    const running = await startReady(["--clock", "frozen", "--postback-url", "http://127.0.0.1:9/nobody"]);
    const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
    const { webhook_id } = await world.trigger("cashin.confirmed");
    await world.advance("15m");
    const { stdout } = await terminate(running);
    const lines = stdout.split("\n").filter((line) => line.includes(webhook_id));
    const told = lines.map((line) => JSON.parse(line));
    expect(told.map(({ event }) => event)).toEqual([...Array(6).fill("webhook.failed"), "webhook.exhausted"]);
    expect(told[0]).toMatchObject({ webhook_event: "cashin.confirmed", attempt: 1, error: "connection_refused" });
  });

  test("that of a refusal which was lost has nothing that nobody was told", async () => {
    const running = await startReady();
    const { base_url, client_id, client_secret } = running.ready;
    const world = await (await connectSandbox(base_url)).defaultWorld();
    const merchant = new Merchant({ baseUrl: base_url }, { clientId: client_id, clientSecret: client_secret });
    await merchant.authenticate();
    const lost = { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" } };
    await world.call("PUT", "/faults", { rules: [lost] });
    await expect(merchant.call("POST", "/v2/transactions/cashin", { amuont: 5 })).rejects.toThrow();
    const { stdout } = await terminate(running);
    const line = stdout.split("\n").find((text) => text.includes("/v2/transactions/cashin"));
    const told = JSON.parse(line ?? "{}");
    expect(told).toMatchObject({ event: "request", lost: true });
    expect([told.message, told.hint]).toEqual([undefined, undefined]);
  });

  test("a reader that goes away after the first line does not take the server with it", async () => {
    const running = await startReady();
    running.child.stdout.destroy();
    const credentials = { clientId: running.ready.client_id, clientSecret: running.ready.client_secret };
    const merchant = new Merchant({ baseUrl: running.ready.base_url }, credentials);
    await merchant.authenticate();
    expect((await merchant.authenticate()).status).toBe(200);
    expect((await terminate(running)).code).toBe(0);
  });
});

test.runIf(hasIpv6)("an IPv6 address to listen on may stand in the brackets that it has in URLs", async () => {
  const { ready } = await startReady(["--host", "[::1]"]);
  expect(ready.base_url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  expect((await world.info()).world).toBe("default");
});

describe("for people", () => {
  test.runIf(hasCurl)("the banner tells all and its curl works when pasted", async () => {
    const text = await bannerOf(["--scenario", "happy-path", "magic-values"]);
    for (const label of ["base URL", "dashboard", "client id", "client secret", "signing key"]) {
      expect(text).toMatch(new RegExp(`^ +${label} +\\S+$`, "m"));
    }
    expect(text).toMatch(/^ +scenarios +happy-path, magic-values$/m);
    const curl = /^ *(curl .*)$/m.exec(text)?.[1] ?? "";
    const answer = JSON.parse(execFileSync("sh", ["-c", curl], { encoding: "utf8" }));
    expect(answer).toMatchObject({ success: true, data: { token_type: "Bearer" } });
  });

  test.runIf(hasCurl && hasIpv6)("the curl for an IPv6 address works when pasted, into zsh too", async () => {
    const curl = /^ *(curl .*)$/m.exec(await bannerOf(["--host", "::1"]))?.[1] ?? "";
    expect(curl).toMatch(/^curl -s "http:\/\/\[::1\]:\d+\/v2\/oauth\/token" -d/);
    expect(JSON.parse(execFileSync("sh", ["-c", curl], { encoding: "utf8" }))).toMatchObject({ success: true });
  });

  test("where other machines reach it, the banner says who may steer it; --allow-host lets names in", async () => {
    const args = [
      "--host",
      "0.0.0.0",
      "--allow-host",
      "Sandbox.example.dev,second.example",
      "--allow-host",
      "third.example",
    ];
    const text = await bannerOf(args);
    expect(text).toMatch(/^ +steered by +whoever reaches this machine; --control-token asks for a token$/m);
    const baseUrl = /base URL +(\S+)/.exec(text)?.[1] ?? "";
    for (const [host, status] of [
      ["sandbox.example.dev:4400", 200],
      ["second.example", 200],
      ["third.example", 200],
      ["fourth.example", 403],
    ] as const) {
      expect((await rawRequest(baseUrl, "GET", "/_sandbox/clock", { Host: host })).status).toBe(status);
    }
    expect(await bannerOf([])).not.toContain("steered by");
  });

  test("the line of a refused call has what its caller was told, and stays one line", async () => {
    const { running, banner } = await startForPeople([]);
    const said = (label: string) => new RegExp(`${label} +(\\S+)`).exec(banner)?.[1] ?? "";
    const credentials = { clientId: said("client id"), clientSecret: said("client secret") };
    const merchant = new Merchant({ baseUrl: said("base URL") }, credentials);
    await merchant.authenticate();
    const body = { currency: "B\u001b[31m\nforged", amount: 5 };
    const refused = await merchant.call("POST", "/v2/transactions/cashin", body);
    const { stdout } = await terminate(running);
    const lines = stdout.split("\n").filter((line) => line.includes("/v2/transactions/cashin "));
    const hint = refused.headers.get("x-sandbox-hint");
    const message = refused.body.error.message.replace("\u001b", "\\u001b").replace("\n", " ");
    expect(lines).toEqual([expect.stringMatching(/^\d{4}-.* default POST \S+ 422 INVALID_CURRENCY: /)]);
    expect(lines[0]).toContain(`: ${message} ${hint}`);
    expect(stdout).not.toMatch(/^forged/m);
    expect(stdout).not.toContain("\u001b[31m");
  });

  test("the lines of a webhook say how each attempt went, and when it was given up", async () => {
    // Nothing listens on a port that no ordinary program may have.
    const args = ["--clock", "frozen", "--postback-url", "http://127.0.0.1:2/hook"];
    const { running, banner } = await startForPeople(args);
    const world = await (await connectSandbox(/base URL +(\S+)/.exec(banner)?.[1] ?? "")).defaultWorld();
    await world.trigger("cashin.confirmed");
    await world.advance("idle");
    const { stdout } = await terminate(running);
    const told = [...stdout.matchAll(/ default webhook\.(.*)$/gm)].map(([, words]) => words);
    const failed = [1, 2, 3, 4, 5, 6].map((attempt) => `failed cashin.confirmed attempt ${attempt} connection_refused`);
    expect(told).toEqual([...failed, "exhausted cashin.confirmed attempt 6"]);
  });

  test("--log silent says that it is ready, and nothing more", async () => {
    const running = startCommand(["--port", "0", "--log", "silent"]);
    await running.firstLine;
    const { stdout, code } = await terminate(running);
    expect(stdout.trimEnd()).toMatch(/curl -s [^\n]+$/);
    expect(code).toBe(0);
  });
});

test.each(["--help", "serve --help", "check --help", "health --help", "--version"])(
  "%s leaves with 0",
  async (line) => {
    const { code, stdout, stderr } = await runCommand(line.split(" "));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
  },
);
