/** `explain`, and what it has in common with all commands that talk to a running server (interface, section 2). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { type CommandOptions, type Ended, type Ready, runCommand, startReady, terminate } from "../support/command.ts";

/** A server with a frozen clock and its default world. */
async function startServer(args: readonly string[] = []) {
  const running = await startReady(["--clock", "frozen", "--start", "2026-01-01T12:00:00Z", ...args]);
  return { running, ready: running.ready, url: running.ready.base_url };
}

async function worldOf({ base_url }: Ready, controlToken?: string): Promise<WorldClient> {
  const sandbox = await connectSandbox(base_url, controlToken === undefined ? {} : { controlToken });
  return sandbox.defaultWorld();
}

const explain = (args: readonly string[], options?: CommandOptions) => runCommand(["explain", ...args], options);

/** Expects one line on stderr, nothing on stdout, and an exit code. */
function expectRefusal({ code, stdout, stderr }: Ended, exit: number, ...words: readonly string[]): void {
  expect(stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
  for (const word of words) expect(stderr).toContain(word);
  expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
}

describe("explain", () => {
  test("prints what it is, and time, sentence and place of everything that led to it: 0", async () => {
    const { ready, url } = await startServer();
    const world = await worldOf(ready);
    const id = await makeCharge(world);
    const [called] = (await world.explain(id)).chain;
    const start = "2026-01-01T12:00:00.000Z";
    const created = [
      `${start}  POST /v2/transactions/cashin by ${ready.client_id} was answered 200.  ${called?.request_id}`,
      `${start}  The charge was created.`,
    ];
    const waiting = await explain([id, "--url", url]);
    expect(waiting).toMatchObject({ code: 0, stderr: "" });
    expect(waiting.stdout.split("\n")).toEqual([
      "Cash-in of 150.00 BRL by PIX: pending.",
      "",
      ...created,
      "",
      "Still to come:",
      expect.stringMatching(
        /^2026-01-01T12:00:05\.000Z {2}Step scenarios\/happy-path\.yaml:\d+ is carried out, unless /,
      ),
      "2026-01-01T12:30:00.000Z  The charge expires unless it is paid before.",
      "",
    ]);
    await world.advance("5s");
    const paid = await explain([id, "--url", url]);
    expect(paid.stdout.split("\n")).toEqual([
      "Cash-in of 150.00 BRL by PIX: confirmed.",
      "",
      ...created,
      expect.stringMatching(`^${start} {2}Rule ".+" at scenarios/happy-path\\.yaml:\\d+ fired on cashin\\.created\\.$`),
      expect.stringMatching(
        /^2026-01-01T12:00:05\.000Z {2}Step scenarios\/happy-path\.yaml:\d+ was carried out: pay\.$/,
      ),
      "2026-01-01T12:00:05.000Z  The payer paid 150.00 BRL.",
      "",
      "Webhooks:",
      expect.stringMatching(/^evt_\w+ {2}cashin\.confirmed {2}undeliverable$/),
      "",
    ]);
    const request = await explain([called?.request_id ?? "", "--url", url]);
    expect(request.stdout).toContain(`\n\nWhat it led to:\n${start}  The charge was created.\n`);
  });

  test("--json prints the answer of the control interface as it is", async () => {
    const { ready, url } = await startServer();
    const world = await worldOf(ready);
    const id = await makeCharge(world);
    const { code, stdout } = await explain([id, "--json", "--url", url]);
    expect([code, JSON.parse(stdout)]).toEqual([0, await world.explain(id)]);
  });

  test("says what else a number stands for, and where links are left out", async () => {
    const { ready, url } = await startServer(["--scenario", "none"]);
    const world = await worldOf(ready);
    const refunds = Array.from({ length: 300 }, () => ({ refund: { amount: "0.01" } }));
    // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
    const drip = { on: "cashin.created", then: [{ pay: {} }, ...refunds] };
    await world.call("POST", "/scenarios", { scenario: "drip", rules: [drip] });
    const id = await makeCharge(world, { external_id: "acme" });
    const { stdout } = await explain([id, "--url", url]);
    expect(stdout).toContain("\n… 107 more …\n");
    const account = await explain(["acme", "--url", url]);
    expect(account.stdout).toMatch(/^Account acme of /);
    expect(account.stdout.endsWith(`\n\nacme also stands for ${id} (cashin).\n`)).toBe(true);
  });

  test("an id that nothing has: 1", async () => {
    const { url } = await startServer();
    expectRefusal(await explain(["nope", "--url", url]), 1, 'Nothing in the world default has the id "nope".');
    expectRefusal(await explain(["nope", "--json", "--url", url]), 1, '"nope"');
  });

  test("no id at all: 2", async () => {
    expectRefusal(await explain([]), 2, "id");
  });
});

describe("the server that it talks to", () => {
  test("is named by --url, with a slash or without, by a variable, and its world by --world or the address", async () => {
    const { ready, url } = await startServer();
    const sandbox = await connectSandbox(url);
    const other = await sandbox.createWorld({ id: "ci-7", seed: 7, scenarios: [] });
    const [here, there] = [await makeCharge(await worldOf(ready)), await makeCharge(other)];
    const found = await Promise.all([
      explain([here, "--url", `${url}/`]),
      explain([here], { env: { PAYMENTS_SANDBOX_URL: url } }),
      explain([here], { env: { PAYMENTS_SANDBOX_PORT: new URL(url).port } }),
      explain([here, "--url", url, "--world", "default"]),
      explain([there, "--url", url, "--world", "ci-7"]),
      explain([there, "--url", other.baseUrl]),
    ]);
    for (const { code, stdout } of found) expect([code, stdout]).toEqual([0, expect.stringMatching(/^Cash-in of /)]);
    expectRefusal(await explain([there, "--url", url]), 1, "world default");
    expectRefusal(await explain([here, "--url", url, "--world", "ci-7"]), 1, "world ci-7");
  });

  test("a world that is not there, with the nearest: 2", async () => {
    const { url } = await startServer();
    await (await connectSandbox(url)).createWorld({ id: "ci-7", scenarios: [] });
    const { code, stderr } = await explain(["1", "--url", url, "--world", "ci-8"]);
    expect([code, stderr]).toEqual([2, `payments-sandbox: There is no world "ci-8" at ${url}; did you mean "ci-7"?\n`]);
    expectRefusal(await explain(["1", "--url", `${url}/worlds/ci-9`]), 2, '"ci-9"');
  });

  test("nothing listens there: 2", async () => {
    const { running, url } = await startServer();
    await terminate(running);
    const { code, stdout, stderr } = await explain(["1", "--url", url]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `payments-sandbox: Nothing listens at ${url}.\n`,
    });
  });

  test("a control token is demanded: 2 without it, 0 with it", async () => {
    const { ready, url } = await startServer(["--control-token", "let-me-in"]);
    const id = await makeCharge(await worldOf(ready, "let-me-in"));
    expectRefusal(await explain([id, "--url", url]), 2, "--control-token");
    expectRefusal(await explain([id, "--url", url, "--control-token", "x"]), 2, "--control-token");
    const found = await Promise.all([
      explain([id, "--url", url, "--control-token", "let-me-in"]),
      explain([id, "--url", url], { env: { PAYMENTS_SANDBOX_CONTROL_TOKEN: "let-me-in" } }),
    ]);
    for (const { code } of found) expect(code).toBe(0);
  });

  test.each([
    ["JSON of its own", "application/json", "{}"],
    ["a page", "text/html", "<p>Hello"],
  ])("something else answers there, with %s: 2", async (_what, type, body) => {
    const server = createServer((_request, response) => response.setHeader("Content-Type", type).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expectRefusal(await explain(["1", "--url", url]), 2, `No sandbox answers at ${url}`);
  });

  test("a connection that breaks off on the way: 2", async () => {
    const server = createServer((request, response) => {
      if (!request.url?.endsWith("/_sandbox/")) return void request.socket.destroy();
      response.setHeader("Content-Type", "application/json").end('{"world": "default", "accounts": []}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expectRefusal(await explain(["1", "--url", url]), 2, `The connection to ${url} broke off.`);
  });

  test.each(["localhost", "ftp://127.0.0.1", ""])("an address that is none, %j: 2", async (url) => {
    expectRefusal(await explain(["1", "--url", url]), 2, "--url", JSON.stringify(url));
  });
});
