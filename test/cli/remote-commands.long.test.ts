/** `advance`, `trigger`, `tail`, `resend` and `coverage` on a running server (interface, section 2). */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { runCommand, startCommand, startReady, terminate } from "../support/command.ts";
import { startRaw } from "../support/odd-receivers.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

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

test("resend tells of its own attempt, also when the next one of the schedule has begun meanwhile", async () => {
  const byHand = Promise.withResolvers<void>();
  const ofSchedule = Promise.withResolvers<void>();
  const held = (released: Promise<void>) => async (_request: unknown, response: ServerResponse) => {
    await released;
    response.writeHead(200).end();
  };
  await using receiver = await startReceiver(500, held(byHand.promise), held(ofSchedule.promise));
  const world = await file.world({ scenarios: [], postback_url: receiver.url });
  const { webhook_id } = await world.trigger("cashin.confirmed");
  const resent = runCommand(["resend", webhook_id, "--url", world.baseUrl]);
  await receiver.arrived(2);
  await world.setClock({ mode: "running", speed: 1000 });
  await receiver.arrived(3);
  byHand.resolve();
  const words = `cashin.confirmed ${webhook_id} → ${receiver.url}: answered 200\n`;
  expect(await resent).toMatchObject({ code: 0, stdout: words, stderr: "" });
  ofSchedule.resolve();
});

test("D65 trigger says why a webhook is undeliverable", async () => {
  const { ready } = await startReady(["--clock", "frozen"]);
  const { code, stdout } = await runCommand(["trigger", "cashin.confirmed", "--url", ready.base_url]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(", undeliverable: there is no postback_url)\n")]);
});

test("an advance to what does not come says what it was, and why: 1", async () => {
  const { ready } = await served();
  const url = ["--url", ready.base_url];
  const [event, next] = [
    await runCommand(["advance", "cashin.confirmed", ...url]),
    await runCommand(["advance", "next", ...url]),
  ];
  expect([event.code, event.stdout.split("\n")[1]]).toEqual([
    1,
    "No cashin.confirmed came: the world is idle, nothing is left on its clock that brings one about.",
  ]);
  expect([next.code, next.stdout.split("\n")[1]]).toEqual([1, "Nothing waits on the clock: there is no next timer."]);
});

test.each(["cashin.confirmed", "next"])(
  "an advance to %s blames no one where others have made timers since it was answered",
  async (what) => {
    const { ready } = await served();
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    const between = createServer(async (incoming, response) => {
      const { method = "GET", url = "" } = incoming;
      const body = await text(incoming);
      const init = method === "GET" ? {} : { headers: { "Content-Type": "application/json" }, body };
      const answer = await fetch(`${ready.base_url}${url}`, { method, ...init });
      if (url.endsWith("/clock/advance")) await makeCharge(world);
      response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
    });
    await once(between.listen(0), "listening");
    const { port } = between.address() as AddressInfo;
    const { code, stdout } = await runCommand(["advance", what, "--url", `http://127.0.0.1:${port}`]);
    between.close();
    expect([code, stdout.split("\n")[1]]).toEqual([
      1,
      `It ended at 2026-01-01T12:00:00.000Z, before it came to ${what}: it was called off, or the world was idle at that moment.`,
    ]);
  },
);

test("an unknown world is told with those that there are, where none is near", async () => {
  const { ready } = await served();
  const sandbox = await connectSandbox(ready.base_url);
  await sandbox.createWorld({ id: "pp" });
  const { code, stderr } = await runCommand(["report", "--world", "nope", "--url", ready.base_url]);
  expect([code, stderr]).toEqual([
    2,
    `payments-sandbox: There is no world "nope" at ${ready.base_url}; known are default and pp.\n`,
  ]);
});

test("at a world's address, --world names another world of the sandbox, and health asks the sandbox", async () => {
  const { ready } = await served();
  const sandbox = await connectSandbox(ready.base_url);
  const worlds = [await sandbox.createWorld({ id: "one" }), await sandbox.createWorld({ id: "other" })];
  const url = ["--url", worlds[0]?.baseUrl ?? ""];
  for (const world of ["other", "default", "one"]) {
    const { code, stdout } = await runCommand(["export", "-", "--world", world, ...url]);
    expect([code, JSON.parse(stdout).world.id]).toEqual([0, world]);
  }
  const { code, stderr } = await runCommand(["report", "--world", "othr", ...url]);
  const words = `There is no world "othr" at ${ready.base_url}; did you mean "other"?`;
  expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
  expect(await runCommand(["health", ...url])).toMatchObject({ code: 0, stderr: "" });
});

test.each(["", "null", '{"hello":"world"}', '{"world":"earth"}'])(
  "what answers 200 with %j is no sandbox: 2",
  async (body) => {
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    await using other = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const { origin } = new URL(other.url);
    const { code, stderr } = await runCommand(["explain", "order-1", "--url", origin]);
    expect([code, stderr]).toEqual([2, `payments-sandbox: No sandbox answers at ${origin}, but something else.\n`]);
  },
);

test("a host that there is not, and https to a sandbox, are told as what they are: 2", async () => {
  const { ready } = await startReady();
  const secure = ready.base_url.replace("http:", "https:");
  const told = await Promise.all(
    ["http://nowhere.invalid:4400", secure].map((url) => runCommand(["advance", "1s", "--url", url])),
  );
  expect(told.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, "payments-sandbox: There is no host nowhere.invalid.\n"],
    [2, `payments-sandbox: ${secure} speaks no https; a sandbox speaks http, at ${ready.base_url}.\n`],
  ]);
});

test("a control token that is missing is asked for, and a wrong one is called another", async () => {
  const { ready } = await startReady(["--control-token", "let-me-in"]);
  const demanded = async (...args: string[]) =>
    (await runCommand(["report", "--url", ready.base_url, ...args])).stderr.replace(ready.base_url, "It");
  const way = "give it with --control-token or PAYMENTS_SANDBOX_CONTROL_TOKEN.";
  expect(await demanded()).toBe(`payments-sandbox: It demands a control token; ${way}\n`);
  expect(await demanded("--control-token", "x")).toBe(`payments-sandbox: It demands another control token; ${way}\n`);
});

test.each([
  ["401 Unauthorized", []],
  ["404 Not Found", ["--world", "w"]],
])("something else that answers %s is no sandbox, whatever a sandbox means by it: 2", async (status, args) => {
  const answer = `HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nno`;
  await using other = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
  const { origin } = new URL(other.url);
  const { code, stderr } = await runCommand(["advance", "1s", "--url", origin, ...args]);
  expect([code, stderr]).toEqual([2, `payments-sandbox: No sandbox answers at ${origin}: no\n`]);
});

test("a control token that cannot be sent is told of", async () => {
  const ended = await runCommand(["report", "--control-token", "let-me-in\n"]);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/^[^\n]+--control-token must be [^\n]+\n$/)]);
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

test("tail and explain have a line for each entry, whatever breaks are in a note", async () => {
  const world = await file.world({ scenarios: [] });
  const source = 'scenario: noting\nrules: [{ at: +1s, then: [{ note: "one\\n2026-01-01 two" }] }]\n';
  await world.scenarios.load(source);
  const { trace } = await world.advance("1s");
  const { sequence } = trace.find(({ kind }) => kind === "step") ?? {};
  const tail = startCommand(["tail", "--all", "--kind", "step", "--url", world.baseUrl]);
  expect(await tail.firstLine).toMatch(/ was carried out: one 2026-01-01 two\./);
  const explained = await runCommand(["explain", String(sequence), "--url", world.baseUrl]);
  expect(explained.stdout).toMatch(/ was carried out: one 2026-01-01 two\./);
  await world.delete();
  expect((await tail.ended).stdout.split("\n")).toHaveLength(2);
});

test("tail goes on with the new history of a world that is reset, and says so", async () => {
  const running = await served();
  const { base_url } = running.ready;
  const tail = startCommand([
    "tail",
    "--all",
    "--kind",
    "world.created",
    "account.funded",
    "--json",
    "--url",
    base_url,
  ]);
  await tail.firstLine;
  const world = await (await connectSandbox(base_url)).defaultWorld();
  await world.reset();
  await once(tail.child.stderr, "data");
  await world.accounts.fund("globex", { currency: "BRL", amount: "1.00" });
  await terminate(running);
  const { code, stdout, stderr } = await tail.ended;
  const entries = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.filter(({ kind }) => kind === "world.created")).toHaveLength(2);
  expect(entries.at(-1)).toMatchObject({ subject: "globex", data: { amount: "1.00" } });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^payments-sandbox: The world was reset or restored: .*\n$/),
  ]);
});

test("tail ends with its reader, at the next entry", async () => {
  const { ready } = await served();
  const tail = startCommand(["tail", "--all", "--url", ready.base_url]);
  await tail.firstLine;
  tail.child.stdout.destroy();
  await runCommand(["trigger", "cashin.expired", "--url", ready.base_url]);
  expect(await tail.ended).toMatchObject({ code: 0, stderr: "" });
});

test("coverage tells how much has been exercised; less than --min is no: 1", async () => {
  const world = await file.world();
  await makeCharge(world);
  const coverage = (...args: string[]) => runCommand(["coverage", "--url", world.baseUrl, ...args]);
  const { percent, covered, total } = await world.coverage();
  const words = `Altogether: ${covered} of ${total} (${percent}%)\n`;
  expect(percent).toBeGreaterThan(0);
  const enough = await coverage("--min", String(percent));
  expect([enough.code, enough.stderr, enough.stdout.endsWith(words)]).toEqual([0, "", true]);
  const less = await coverage("--min", String(percent + 1));
  expect([less.code, less.stdout.endsWith(words)]).toEqual([1, true]);
  expect(less.stderr).toBe(`payments-sandbox: ${percent}% were exercised, less than the ${percent + 1}% of --min.\n`);
  const told = await coverage("--json", "--min", "100");
  expect([told.code, JSON.parse(told.stdout)]).toEqual([1, await world.coverage()]);
});

test.each(["101", "-1", "60%", "sixty", ""])("coverage takes no --min of %j: 2", async (least) => {
  const { code, stdout, stderr } = await runCommand(["coverage", `--min=${least}`]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`payments-sandbox: --min must be a whole number from 0 to 100, not "${least}".\n`);
});
