/** What goes wrong between a test and its sandbox is told in one clear sentence each. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ControlCallError, connectSandbox, startSandbox, UnreachableError, type WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { startSecure } from "../support/odd-receivers.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** Something that listens and is no sandbox. @returns its address. */
async function startStranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const sandbox = await startSandbox();
  await sandbox.stop();
  return sandbox.baseUrl;
}

test.each(["localhost:4400", "ftp://127.0.0.1", "", "4400", "http://127.0.0.1:4400?x=1"])(
  "an address that is none, %j",
  async (url) => {
    await expect(connectSandbox(url)).rejects.toThrow(
      `connectSandbox takes an address such as http://127.0.0.1:4400, not "${url}".`,
    );
  },
);

test("an address that was never set, in a program without types", async () => {
  const url = process.env.AN_ADDRESS_THAT_NOBODY_SET as string;
  await expect(connectSandbox(url)).rejects.toThrow('such as http://127.0.0.1:4400, not "undefined".');
});

test("a call without its method is told with it, and nothing is called", async () => {
  const world = await file.world();
  const call = "/v2/transactions/cashin" as "POST /v2/transactions/cashin";
  await expect(world.merchant().call(call, { currency: "BRL", amount: "1.00" })).rejects.toThrow(
    'There is no call of the service "/v2/transactions/cashin"; did you mean "POST /v2/transactions/cashin"?',
  );
  expect(await world.requests()).toEqual([]);
});

test.each([
  ["idel", 'until must be next, idle or an event kind; did you mean "idle"?'],
  ["cashin.expird", 'until must be next, idle or an event kind; did you mean "cashin.expired"?'],
  ["5 s", "by must be a duration such as 500ms"],
  ["Next", 'until must be next, idle or an event kind; did you mean "next"?'],
  [5 as unknown as string, 'or PT5S; did you mean "5s"?'],
])("what is no word to advance to, %j, is told as what it was meant to be", async (what, words) => {
  const world = await file.world();
  await expect(world.advance(what)).rejects.toThrow(words);
});

test.each([-1, Number.NaN, "5", null])("a limit that is no number of items, %j", async (limit) => {
  const world = await file.world();
  const words = `limit must be a number of items, 0 or more, not ${limit === "5" ? '"5"' : limit}.`;
  await expect(world.journal(undefined, { limit: limit as number })).rejects.toThrow(words);
  expect(await world.journal(undefined, { limit: 0 })).toEqual([]);
});

test.each(["scenarios/charge-pix.yaml", "slow.json", "./Slow.YML", "C:\\stories\\slow.yaml"])(
  "the path of a scenario, %j, of which the text is to be given",
  async (path) => {
    const world = await file.world();
    const words = `load takes a name, a document or the text of a file; read ${JSON.stringify(path)} and give its text.`;
    await expect(world.scenarios.load(path)).rejects.toThrow(words);
  },
);

test.each([
  ["./slow.yaml", "; a file is not read here, give what it says as a document."],
  ["none", "; for none give an empty list."],
  ["hapy-path", '; did you mean "happy-path"?'],
])("a scenario that no shipped one is called like, %j, is told with what to give instead", async (name, words) => {
  const refusal = `There is no scenario "${name}"${words}`;
  await expect(file.sandbox.createWorld({ scenarios: [name] })).rejects.toThrow(refusal);
  await expect(startSandbox({ scenarios: [name] })).rejects.toThrow(refusal);
});

test.each([
  ["/v2", "There is nothing at this address."],
  ["/_sandbox", "There is no /_sandbox/ in the control interface."],
  ["/worlds/nowhere", 'There is no world "nowhere" here.'],
])("an address below that of a sandbox, %s, is told with what is wrong there", async (path, words) => {
  const url = `${file.sandbox.baseUrl}${path}`;
  const told = { code: "NOT_FOUND", message: `No sandbox answers at ${url}: ${words}` };
  await expect(connectSandbox(url)).rejects.toMatchObject(told);
});

test("an address at which nothing listens", async () => {
  const url = await deadAddress();
  const refusal = connectSandbox(url);
  await expect(refusal).rejects.toThrow(UnreachableError);
  await expect(refusal).rejects.toThrow(`Nothing listens at ${url}: the sandbox has not been started, or has gone.`);
});

test.each(["self-signed.pem", "certificates/vouched-for.pem"])(
  "a proxy with a certificate that Node does not trust, %s",
  async (certificate) => {
    await using proxy = await startSecure(certificate);
    const { origin } = new URL(proxy.url);
    const refusal = connectSandbox(origin);
    await expect(refusal).rejects.toThrow(UnreachableError);
    await expect(refusal).rejects.toThrow(
      `The certificate of ${origin} is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS before Node starts.`,
    );
  },
);

test("a host that there is not", async () => {
  await expect(connectSandbox("http://nowhere.invalid:4400")).rejects.toThrow("There is no host nowhere.invalid.");
});

test.each([
  ["with JSON of its own", 200, "application/json", '{"hello": "world"}', "but something else."],
  ["with no more than that it is well", 200, "application/json", "", "but something else."],
  ["with a world of another kind", 200, "application/json", '{"world": "earth"}', "but something else."],
  ["with a page", 200, "text/html", "<p>Hello\nworld", "but something else: <p>Hello world"],
  ["with an error page", 404, "text/html", "<p>Not here", "but something else: <p>Not here"],
  ["with a token of its own in mind", 401, "text/plain", "no", "but something else: no"],
  ["with an empty refusal", 502, "text/plain", "", "but something else: it answers 502."],
])("something else that answers, %s", async (_what, status, type, body, words) => {
  const url = await startStranger((_request, response) =>
    response.writeHead(status, { "Content-Type": type }).end(body),
  );
  const refusal = connectSandbox(url);
  await expect(refusal).rejects.toThrow(ControlCallError);
  await expect(refusal).rejects.toThrow(`No sandbox answers at ${url}, ${words}`);
});

test.each(["", ".", ".."])("an id that no address carries, %j: none has it, and no other call is made", async (id) => {
  const { sandbox } = file;
  const world = await file.world();
  await world.takeSnapshot();
  const refused = { code: "NOT_FOUND", message: expect.stringContaining(`There is nothing with the id "${id}".`) };
  await expect(world.explain(id)).rejects.toMatchObject(refused);
  await expect(world.redeliver(id)).rejects.toMatchObject(refused);
  await expect(world.transaction(id)).rejects.toMatchObject(refused);
  await expect(world.accounts.get(id)).rejects.toMatchObject(refused);
  await expect(world.restore(id)).rejects.toMatchObject(refused);
  await expect(world.deleteSnapshot(id)).rejects.toMatchObject(refused);
  await expect(sandbox.deleteWorld(id)).rejects.toMatchObject(refused);
  await expect(sandbox.world(id)).rejects.toMatchObject(refused);
  await expect(sandbox.openWorld(id)).rejects.toMatchObject(refused);
  await expect(world.trigger("cashin.confirmed", { on: id })).rejects.toThrow(`or transfer "${id}".`);
});

test("an id that no world may have is told with the call that it was given to", async () => {
  const told = "PUT /: The id must match [a-z0-9][a-z0-9-]{0,62}.";
  await expect(file.sandbox.openWorld("Worker 1")).rejects.toMatchObject({ status: 400, message: told });
});

test("a control token that is missing or wrong", async () => {
  await using guarded = await startSandbox({ controlToken: "let-me-in" });
  const { baseUrl } = guarded;
  await expect(connectSandbox(baseUrl)).rejects.toThrow(
    `${baseUrl} demands a control token; give it as { controlToken }.`,
  );
  const wrong = connectSandbox(baseUrl, { controlToken: "let-me-out" });
  await expect(wrong).rejects.toThrow(`${baseUrl} demands another control token; give it as { controlToken }.`);
  await expect(wrong).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  const right = await connectSandbox(`${baseUrl}/`, { controlToken: "let-me-in" });
  expect((await right.createWorld()).baseUrl).toMatch(`${baseUrl}/worlds/`);
});

test("a sandbox that has been stopped, and its worlds; to stop it again does nothing", async () => {
  const sandbox = await startSandbox();
  const world = await sandbox.createWorld();
  await Promise.all([sandbox.stop(), sandbox.stop()]);
  const told = `The sandbox at ${sandbox.baseUrl} has been stopped.`;
  const calls = [
    () => sandbox.createWorld(),
    () => world.advance("5s"),
    () => world.waitForWebhook("cashin.confirmed"),
    () => world.merchant().call("GET /v2/account/balance"),
    () => world.follow().next(),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(new UnreachableError(told));
  await world[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

test("a call that its own stop overtakes is told of the stop", async () => {
  const sandbox = await startSandbox();
  const told = new UnreachableError(`The sandbox at ${sandbox.baseUrl} has been stopped.`);
  const overtaken = expect(sandbox.createWorld()).rejects.toThrow(told);
  await sandbox.stop();
  await overtaken;
});

test("a default world is handed out with the tokens that it has, but one of before a restart is not", async () => {
  const first = await startSandbox();
  const sandbox = await connectSandbox(first.baseUrl);
  const old = await sandbox.defaultWorld();
  expect(await sandbox.defaultWorld()).toBe(old);
  await first.stop();
  await using _second = await startSandbox({ port: Number(new URL(first.baseUrl).port), seed: 2 });
  const world = await sandbox.defaultWorld();
  expect(world.credentials).toEqual((await sandbox.world("default")).credentials);
  expect(world.credentials).not.toEqual(old.credentials);
  expect((await world.merchant().call("GET /v2/account/balance")).balances.length).toBeGreaterThan(0);
});

test("one that ran and was ended by somebody else", async () => {
  const running = await startSandbox();
  const sandbox = await connectSandbox(running.baseUrl);
  const world = await sandbox.createWorld();
  const following = world.follow();
  const next = following.next();
  const waiting = expect(world.waitForEntry("transition")).rejects.toThrow(UnreachableError);
  await world.settle();
  await running.stop();
  expect(await next).toEqual({ done: true, value: undefined });
  await waiting;
  await expect(world.clock()).rejects.toThrow(`Nothing listens at ${running.baseUrl}`);
  await world[Symbol.asyncDispose]();
  await sandbox.stop();
});

test("a connection that breaks off in the middle of an answer", async () => {
  const info = JSON.stringify(await file.sandbox.defaultWorld().then((world) => world.info()));
  const url = await startStranger((request, response) => {
    if (request.url === "/_sandbox/") return void response.end(info);
    response.writeHead(200, { "Content-Length": "100" }).write("{");
    setImmediate(() => request.socket.destroy());
  });
  const world = await (await connectSandbox(url)).defaultWorld();
  await expect(world.clock()).rejects.toThrow(new UnreachableError(`The connection to ${url} broke off.`));
  await expect(world.merchant().call("GET /v2/account/balance")).rejects.toThrow(UnreachableError);
});

test("a refusal names the address that was called, and by it the world", async () => {
  const world = await file.world();
  const url = `${world.baseUrl}/_sandbox/transactions/none`;
  await expect(world.transactions.get("")).rejects.toMatchObject({ code: "NOT_FOUND", url: null });
  await expect(world.transactions.get("none")).rejects.toMatchObject({ code: "NOT_FOUND", url });
});

test("a world that is gone, whatever it is asked; to dispose of it again does nothing", async () => {
  const world = await file.world();
  const charge = await makeCharge(world);
  await world.delete();
  const told = `The world "${world.id}" is gone: it was deleted, its ttl ran out, or the sandbox was started anew.`;
  const calls = [
    () => world.clock(),
    () => world.advance("5s"),
    () => world.transactions.pay(charge),
    () => world.find(`/transactions/${charge}`),
    () => world.webhooks(),
    () => world.disputes.file("inf_1", 1),
    () => world.follow().next(),
    () => world.delete(),
  ];
  const gone = { message: told, status: 404, code: "WORLD_GONE" };
  for (const call of calls) await expect(call()).rejects.toMatchObject(gone);
  await world[Symbol.asyncDispose]();
});

test.each([
  ["goes away", (world: WorldClient) => world.delete(), "went away"],
  ["is taken back", (world: WorldClient) => world.reset(), "was taken back by a reset or a restore"],
])("an advance whose world %s meanwhile", async (_what, end, told) => {
  const answer = Promise.withResolvers<void>();
  const url = await startStranger(async (_request, response) => {
    arrived.resolve();
    await answer.promise;
    response.end();
  });
  const arrived = Promise.withResolvers<void>();
  const world = await file.world({ scenarios: ["happy-path"], postback_url: url });
  await makeCharge(world);
  const advance = world.advance("5s");
  const message = `POST /clock/advance: The world ${world.id} ${told} while this call was under way.`;
  const refused = expect(advance).rejects.toMatchObject({ code: "WORLD_GONE", message });
  await arrived.promise;
  await end(world);
  answer.resolve();
  await refused;
});

test("a world that there is not, and ids that nothing has, are told by the sandbox", async () => {
  await expect(file.sandbox.world("nobody")).rejects.toThrow('There is no world "nobody" here.');
  const world = await file.world();
  await expect(world.transaction("nothing")).rejects.toThrow(
    "GET /transactions/nothing: There is no transaction nothing.",
  );
  expect(await world.find("/transactions/nothing")).toBeUndefined();
  await expect(world.transactions.pay("a/b")).rejects.toThrow("There is no transaction a/b.");
});

test("the address of a world serves as well: it is the default one there, others are made at the root", async () => {
  const own = await file.world();
  const sandbox = await connectSandbox(own.baseUrl);
  expect((await sandbox.defaultWorld()).id).toBe(own.id);
  const other = await sandbox.createWorld();
  expect(other.baseUrl).toBe(`${file.sandbox.baseUrl}/worlds/${other.id}`);
  expect((await sandbox.worlds()).map(({ world }) => world)).toContain(other.id);
  await (await sandbox.world(other.id)).delete();
  expect((await sandbox.world("default")).baseUrl).toBe(file.sandbox.baseUrl);
});

test("worlds and sandboxes are disposed of where their block ends; the default world stays", async () => {
  const { baseUrl, id } = await (async () => {
    await using sandbox = await startSandbox();
    {
      await using world = await sandbox.createWorld({ id: "mine" });
      await using first = await sandbox.defaultWorld();
      expect([world.id, first.id]).toEqual(["mine", "default"]);
    }
    expect((await sandbox.worlds()).map(({ world }) => world)).toEqual(["default"]);
    return { baseUrl: sandbox.baseUrl, id: "mine" };
  })();
  expect(id).toBe("mine");
  await expect(connectSandbox(baseUrl)).rejects.toThrow("Nothing listens");
});
