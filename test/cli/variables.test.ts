/** Variables of the environment: those that were meant otherwise are told, those of others leave the server alone. */
import { expect, test } from "vitest";
import { serveOptions } from "../../src/cli/serving/serve-options.ts";
import { runCommand, startReady, terminate } from "../support/command.ts";

test("a variable that is nearly one of the server's, or an option's that has none, is told of", async () => {
  const env = {
    PAYMENTS_SANDBOX_SCENARIOS: "happy-path",
    PAYMENTS_SANDBOX_WEBHOOK_TIMEOUT: "500",
    PAYMENTS_SANDBOX_IMAGE: "registry.example/sandbox",
  };
  const { stderr } = await terminate(await startReady([], { env }));
  expect(stderr.split("\n").sort()).toEqual([
    "",
    "payments-sandbox: PAYMENTS_SANDBOX_SCENARIOS is not read; did you mean PAYMENTS_SANDBOX_SCENARIO?",
    "payments-sandbox: PAYMENTS_SANDBOX_WEBHOOK_TIMEOUT is not read: --webhook-timeout has no variable.",
  ]);
});

test("what Kubernetes sets beside a service of this name is not taken for options", async () => {
  const env = {
    PAYMENTS_SANDBOX_PORT: "tcp://10.0.0.1:4400",
    PAYMENTS_SANDBOX_PORT_4400_TCP: "tcp://10.0.0.1:4400",
    PAYMENTS_SANDBOX_PORT_4400_TCP_ADDR: "10.0.0.1",
    PAYMENTS_SANDBOX_PORT_4400_TCP_PORT: "4400",
    PAYMENTS_SANDBOX_PORT_4400_TCP_PROTO: "tcp",
    PAYMENTS_SANDBOX_SERVICE_HOST: "10.0.0.1",
    PAYMENTS_SANDBOX_SERVICE_PORT: "4400",
  };
  const running = await startReady([], { env });
  expect((await fetch(`${running.ready.base_url}/_sandbox/health`)).status).toBe(200);
  expect((await terminate(running)).stderr).toBe("");
});

test.each([
  ["SCENARIO", "none,happy-path", "--scenario"],
  ["HOST", " ", "--host"],
  ["DATA", " ", "--data"],
  ["PORT", "99999", "--port"],
])("a value that the server refuses is told by the variable that it came from: %s=%s", async (name, value, flag) => {
  const { code, stderr } = await runCommand(["serve"], { env: { [`PAYMENTS_SANDBOX_${name}`]: value } });
  expect([code, stderr.split(" ").slice(0, 3)]).toEqual([
    2,
    ["payments-sandbox:", `PAYMENTS_SANDBOX_${name}`, `(${flag})`],
  ]);
});

test("a port that no server can have is not blamed on a --url that nobody gave", async () => {
  const { code, stderr } = await runCommand(["health"], { env: { PAYMENTS_SANDBOX_PORT: "99999" } });
  const words = 'PAYMENTS_SANDBOX_PORT must be a whole number from 0 to 65535, not "99999".';
  expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
});

test.each(["http://127.0.0.1", "127.0.0.1:4400", "bad host", "a/b", "a?b", "fe80::1%lo"])(
  "nor is a host that no URL has: %s",
  async (host) => {
    const words = `PAYMENTS_SANDBOX_HOST must be a host alone, as URLs name it, such as 127.0.0.1, not "${host}".`;
    for (const command of ["health", "openapi"]) {
      const { code, stderr } = await runCommand([command], { env: { PAYMENTS_SANDBOX_HOST: host } });
      expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
    }
  },
);

test("credentials in a host are masked in its refusal", async () => {
  const { stderr } = await runCommand(["health"], { env: { PAYMENTS_SANDBOX_HOST: "me:secret@127.0.0.1" } });
  expect(stderr).toContain('such as 127.0.0.1, not one with credentials, "me:***@127.0.0.1".');
});

test("a wrong host does no harm to an address that is given", async () => {
  const env = { PAYMENTS_SANDBOX_HOST: "127.0.0.1/x" };
  expect((await runCommand(["openapi", "--url", "http://127.0.0.1:4400"], { env })).code).toBe(0);
});

test("interface section 2: the server's options have these variables and defaults", () => {
  const told = serveOptions.map(({ long, envVar, defaultValue }) => [long, envVar, defaultValue]);
  expect(told).toEqual([
    ["--port", "PAYMENTS_SANDBOX_PORT", "4400"],
    ["--host", "PAYMENTS_SANDBOX_HOST", "127.0.0.1"],
    ["--data", "PAYMENTS_SANDBOX_DATA", undefined],
    ["--scenario", "PAYMENTS_SANDBOX_SCENARIO", undefined],
    ["--clock", "PAYMENTS_SANDBOX_CLOCK", "running"],
    ["--speed", "PAYMENTS_SANDBOX_SPEED", "1"],
    ["--start", "PAYMENTS_SANDBOX_START", undefined],
    ["--seed", "PAYMENTS_SANDBOX_SEED", "1"],
    ["--postback-url", "PAYMENTS_SANDBOX_POSTBACK_URL", undefined],
    ["--settings", "PAYMENTS_SANDBOX_SETTINGS", undefined],
    ["--webhook-timeout", undefined, "10000"],
    ["--webhook-source-ipv4", "PAYMENTS_SANDBOX_WEBHOOK_SOURCE_IPV4", undefined],
    ["--webhook-source-ipv6", "PAYMENTS_SANDBOX_WEBHOOK_SOURCE_IPV6", undefined],
    ["--webhook-concurrency", undefined, "1"],
    ["--control-token", "PAYMENTS_SANDBOX_CONTROL_TOKEN", undefined],
    ["--allow-host", "PAYMENTS_SANDBOX_ALLOW_HOST", undefined],
    ["--trust-proxy", undefined, undefined],
    ["--log", "PAYMENTS_SANDBOX_LOG", undefined],
    ["--open", undefined, undefined],
  ]);
});
