/** Variables of the environment: those that were meant otherwise are told, those of others leave the server alone. */
import { expect, test } from "vitest";
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
