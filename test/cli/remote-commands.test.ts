/** `advance`, `trigger`, `tail` and `resend` on a running server (interface, section 2). */
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { runCommand, startCommand, startReady } from "../support/command.ts";

const served = () =>
  startReady(["--clock", "frozen", "--start", "2026-01-01T12:00:00Z", "--postback-url", "sandbox://inbox"]);

test("trigger makes an event happen, advance moves the clock, resend delivers once more", async () => {
  const { ready } = await served();
  const url = ["--url", ready.base_url];
  const triggered = await runCommand(["trigger", "cashin.confirmed", "--set", "amount=7.50", ...url, "--json"]);
  expect(triggered).toMatchObject({ code: 0, stderr: "" });
  const webhook = JSON.parse(triggered.stdout);
  expect(webhook).toMatchObject({ event: "cashin.confirmed", status: "delivered", body: { data: { amount: "7.50" } } });

  const advanced = await runCommand(["advance", "1h30m", ...url]);
  expect(advanced).toMatchObject({ code: 0, stderr: "" });
  expect(advanced.stdout).toContain("2026-01-01T12:00:00.000Z → 2026-01-01T13:30:00.000Z");
  const next = await runCommand(["advance", "cashout.failed", ...url, "--json"]);
  expect(next.code).toBe(1);
  expect(JSON.parse(next.stdout)).toMatchObject({ reached: false });

  const resent = await runCommand(["resend", webhook.webhook_id, ...url]);
  expect(resent).toMatchObject({ code: 0, stderr: "" });
  expect(resent.stdout).toContain("sandbox://inbox: answered 200");
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  expect((await world.webhook(webhook.webhook_id)).attempts).toHaveLength(2);
});

test.each([
  [["trigger", "cashin.confirmd"], 1, 'did you mean "cashin.confirmed"'],
  [["trigger", "cashin.confirmed", "--set", "amount"], 2, "path=value"],
  [["trigger", "cashin.confirmed", "--on", "nobody"], 1, "nobody"],
  [["resend", "evt_nobody"], 1, "evt_nobody"],
  [["advance", "soon"], 2, "duration"],
  [["tail", "--after", "x"], 2, "--after"],
])("%j is told in one line, exit %i", async (args, code, words) => {
  const { ready } = await served();
  const ended = await runCommand([...args, "--url", ready.base_url]);
  expect(ended.stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
  expect(ended.stderr).toContain(words);
  expect(ended).toMatchObject({ code, stdout: "" });
});

test("tail follows the journal, narrowed by kind, until the server goes", async () => {
  const running = await served();
  const { base_url } = running.ready;
  const tail = startCommand(["tail", "--all", "--kind", "transition", "webhook.*", "--json", "--url", base_url]);
  await runCommand(["trigger", "cashin.expired", "--url", base_url]);
  await tail.firstLine;
  running.child.kill("SIGTERM");
  await running.ended;
  const { stdout } = await tail.ended;
  const kinds = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toContain("transition");
  expect(kinds).toContain("webhook.delivered");
  expect(kinds.every((kind) => kind === "transition" || kind.startsWith("webhook."))).toBe(true);
});
