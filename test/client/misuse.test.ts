/** What a program without types gives wrongly is refused in one clear sentence, and nothing is done. */
import { describe, expect, test } from "vitest";
import { connectSandbox, type SandboxClient, startSandbox, type WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** As a program without types sees them. */
// biome-ignore lint/suspicious/noExplicitAny: what the compiler would find is what is tried.
type Untyped = any;

const LISTS: readonly (readonly [string, (world: WorldClient, options: Untyped) => Promise<unknown>])[] = [
  ["transfers.list", (world, options) => world.transfers.list(options)],
  ["wallets.list", (world, options) => world.wallets.list(options)],
  ["accounts.list", (world, options) => world.accounts.list(options)],
  ["scenarios.list", (world, options) => world.scenarios.list(options)],
  ["timers", (world, options) => world.timers(options)],
  ["snapshots", (world, options) => world.snapshots(options)],
  ["journal", (world, options) => world.journal(0, options)],
  ["inbox", (world, options) => world.inbox(options)],
  ["webhooks", (world, options) => world.webhooks({}, options)],
  ["all", (world, options) => world.all("/ledger", options)],
  ["worlds", (_world, options) => file.sandbox.worlds(options)],
];

describe.each(LISTS)("%s", (_name, list) => {
  test.each([
    [{ status: "expired" }, 'There is no option of a list "status"; known is limit.'],
    [{ limits: 5 }, 'There is no option of a list "limits"; did you mean "limit"?'],
    [null, "The options of a list must be an object with limit, not null."],
    [5, "The options of a list must be an object with limit, not 5."],
    [() => true, "not a function."],
  ])("takes no %o", async (options, words) => {
    const world = await file.world();
    await makeCharge(world);
    await expect(list(world, options)).rejects.toThrow(words);
  });
});

test.each([
  [{ statsu: "expired" }, 'There is no option of a list of transactions "statsu"; did you mean "status"?'],
  [5, "The options of a list of transactions must be an object of limit, external_id,"],
  [{ status: "expird" }, "status must be one of"],
])("transactions.list takes no %o", async (options: Untyped, words) => {
  const world = await file.world();
  await expect(world.transactions.list(options)).rejects.toThrow(words);
});

test.each([
  [null, "The filter of requests must be an object such as", "The filter of webhooks must be an object such as"],
  ["cashin.confirmed", 'not "cashin.confirmed".', 'not "cashin.confirmed".'],
  [() => true, "not a function.", "not a function."],
  [
    { evnt: "x" },
    'There is no field of the filter of requests "evnt"; known are limit, call and client_id.',
    'There is no field of the filter of webhooks "evnt"; did you mean "event"?',
  ],
  [
    { cursor: "2" },
    'There is no field of the filter of requests "cursor"',
    'There is no field of the filter of webhooks "cursor"',
  ],
])("a filter of requests or webhooks that is none, %o", async (filter: Untyped, ofRequests, ofWebhooks) => {
  const world = await file.world();
  await expect(world.requests(filter)).rejects.toThrow(ofRequests);
  await expect(world.webhooks(filter)).rejects.toThrow(ofWebhooks);
});

test.each([
  [{ token: "let-me-in" }, 'There is no option of connectSandbox "token"; known is controlToken.'],
  [{ controltoken: "x" }, 'There is no option of connectSandbox "controltoken"; did you mean "controlToken"?'],
  [null, "The options of connectSandbox must be an object with controlToken, not null."],
  ["let-me-in", 'must be an object with controlToken, not "let-me-in".'],
])("what connectSandbox does not take, %j", async (options: Untyped, words) => {
  await expect(connectSandbox(file.sandbox.baseUrl, options)).rejects.toThrow(words);
});

test.each([["let-me-in\ns3cret"], ["s3cret "], [Promise.resolve("s3cret")], [null], [5]])(
  "a control token that cannot be one, %j, is refused without being shown",
  async (controlToken: Untyped) => {
    await expect(connectSandbox(file.sandbox.baseUrl, { controlToken })).rejects.toThrow(
      /^controlToken must be 1 to 1024 letters, digits and signs of ASCII, without blanks\.$/,
    );
  },
);

test("an empty control token is none", async () => {
  const sandbox = await connectSandbox(file.sandbox.baseUrl, { controlToken: "" });
  expect(await sandbox.health()).toMatchObject({ status: "ok" });
});

test.each([
  [{ onReset: () => {} }, 'There is no option of follow "onReset"; known are onNewHistory and signal.'],
  [{ onNewHistory: "x" }, 'onNewHistory of follow must be a function, not "x".'],
  [{ signal: new AbortController() }, "signal of follow must be that of an AbortController, not an AbortController."],
])("what follow does not take, %o", async (options: Untyped, words) => {
  const world = await file.world();
  await expect(world.follow(0, options).next()).rejects.toThrow(words);
});

const REPLY = "POST /v2/account/infractions/reply";

describe("what would be lost on its way, as JSON has nothing like it", () => {
  const promise: Untyped = Promise.resolve({ port: 1, controlToken: "s3cret", seed: 2, BRL: "0.19" });
  const calls: readonly (readonly [string, (sandbox: SandboxClient, world: WorldClient) => Promise<unknown>])[] = [
    ["startSandbox takes an object of options, not a Promise; await it.", () => startSandbox(promise)],
    ["startSandbox takes an object of options, not a Map.", () => startSandbox(new Map() as Untyped)],
    ["POST /worlds: the body must be an object, not a Promise; await it.", (sandbox) => sandbox.createWorld(promise)],
    [
      "POST /worlds: the body must be an object, not a function.",
      (sandbox) => sandbox.createWorld((() => {}) as Untyped),
    ],
    ["POST /worlds: the body must be an object, not a Map.", (sandbox) => sandbox.createWorld(new Map() as Untyped)],
    ["PUT /: the body must be an object, not a Promise; await it.", (sandbox) => sandbox.openWorld("lost", promise)],
    ["PUT /rates: rates must be a text, a number,", (_, world) => world.rates.set(promise)],
    [", not a Promise; await it.", (_, world) => world.rates.set({ BRL: promise })],
    [
      "POST /accounts/acme/fund: amount must be a text, a number, true, false, null, or a list or an object of those, not 10n; give it as a text.",
      (_, world) => world.accounts.fund("acme", { currency: "BRL", amount: 10n as Untyped }),
    ],
    [
      "POST /v2/transactions/cashin: amount must be a text, a number, true, false, null, or a list or an object of those, not 10n; give it as a text.",
      (_, world) => world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: 10n as Untyped }),
    ],
    [
      "POST /accounts/acme/fund: amount must be a text, a number,",
      (_, world) => world.accounts.fund("acme", { currency: "BRL", amount: Number.NaN as Untyped }),
    ],
    [
      "POST /v2/transactions/cashin: split.0.percentage must be a text, a number, true, false, null, or a list or an object of those, not NaN.",
      (_, world) =>
        world.merchant().call("POST /v2/transactions/cashin", {
          currency: "BRL",
          amount: 5,
          split: [{ username: "globex", percentage: Number.NaN }],
        }),
    ],
    [
      "speed must be a text, a number, true, false, null, or a list or an object of those, not Infinity.",
      (_, world) => world.setClock({ speed: Number.POSITIVE_INFINITY }),
    ],
    [
      "POST /v2/transactions/cashin: external_id must be a text, a number, true, false, null, or a list or an object of those, not a function.",
      (_, world) =>
        world
          .merchant()
          .call("POST /v2/transactions/cashin", { currency: "BRL", amount: 1, external_id: promise.then }),
    ],
    [
      "POST /v2/transactions/cashin: split.1.percentage must be a text,",
      (_, world) =>
        world.merchant().post("/v2/transactions/cashin", { split: [{ percentage: 1 }, { percentage: Symbol("1") }] }),
    ],
    [
      "POST /v2/transactions/cashin: the body must be an object, not a URLSearchParams.",
      (_, world) => world.merchant().post("/v2/transactions/cashin", new URLSearchParams({ currency: "BRL" })),
    ],
    [
      "The method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, not 1n; give it as a text.",
      (_, world) => world.call(1n as Untyped, "/clock"),
    ],
    [
      "POST /v2/account/transactions/list: the request must be an object, not a Promise; await it.",
      (_, world) => world.merchant().call("POST /v2/account/transactions/list", promise),
    ],
    [
      "POST /v2/account/infractions/reply: infraction_id must be a text or a file, not a Promise; await it.",
      (_, world) => world.merchant().call(REPLY, { infraction_id: promise, text: "Delivered." }),
    ],
    [
      "POST /v2/account/infractions/reply: files must be a text or a file, not a Promise; await it.",
      (_, world) => world.merchant().call(REPLY, { infraction_id: "x", text: "Delivered.", files: [promise] }),
    ],
    [
      "GET /v2/account/infractions: status must be a text, not a Promise; await it.",
      (_, world) => world.merchant().call("GET /v2/account/infractions", { status: promise }),
    ],
  ];

  test.each(calls)("%s", async (words, call) => {
    const world = await file.world();
    const told = async () => [await file.sandbox.worlds(), await world.journal(), await world.requests()];
    const before = await told();
    await expect(call(file.sandbox, world)).rejects.toThrow(words);
    expect(await told()).toEqual(before);
  });

  test("an address that is a URL has a text in JSON", async () => {
    const postback_url: Untyped = new URL("http://127.0.0.1:4000/hooks");
    await using world = await file.sandbox.createWorld({ postback_url });
    expect((await world.info()).accounts[0]?.postback_url).toBe("http://127.0.0.1:4000/hooks");
  });
});

describe("ids of worlds", () => {
  const calls: readonly (readonly [string, (sandbox: SandboxClient, id: Untyped) => Promise<unknown>])[] = [
    ["openWorld", (sandbox, id) => sandbox.openWorld(id)],
    ["world", (sandbox, id) => sandbox.world(id)],
    ["deleteWorld", (sandbox, id) => sandbox.deleteWorld(id)],
  ];

  test.each(calls)("%s takes a text, and no other value", async (name, call) => {
    await using world = await file.sandbox.openWorld("undefined");
    for (const id of [undefined, null, 5]) {
      await expect(call(file.sandbox, id)).rejects.toThrow(`The id of ${name} must be a text, not ${id}.`);
    }
    expect(await world.info()).toMatchObject({ world: "undefined" });
  });
});

test.each([
  [[undefined], "What replay takes must be an object such as world.export() gives, not undefined."],
  [[Promise.resolve({})], "not a Promise; await it."],
  [['{"version":1}'], 'not "{\\"version\\":1}".'],
  [[{}, { name: "again" }], 'There is no option of replay "name"; known is id.'],
  [[{}, null], "The options of replay must be an object with id, not null."],
])("what replay does not take, %o: no world is made", async (given, words) => {
  const before = await file.sandbox.worlds();
  const [bundle, options] = given as Untyped[];
  await expect(file.sandbox.replay(bundle, options)).rejects.toThrow(words);
  expect(await file.sandbox.worlds()).toEqual(before);
});

test("changes that come to nothing, as what they were to be was never set", async () => {
  const world = await file.world({ postback_url: "sandbox://inbox" });
  const unset: Untyped = undefined;
  const { clientId } = world.credentials;
  const isUndefined = (name: string, method: string) =>
    `${name} of ${method} is undefined: give it a value, or null where it may have none.`;
  await expect(world.setPostbackUrl("acme", unset)).rejects.toThrow(
    "The url of setPostbackUrl, behind the username, must be a text, not undefined.",
  );
  await expect(world.accounts.update("acme", { postback_url: unset })).rejects.toThrow(
    isUndefined("postback_url", "accounts.update"),
  );
  await expect(world.accounts.update("acme", unset)).rejects.toThrow(
    'The changes of accounts.update must be an object such as { status: "under_review" }, not undefined.',
  );
  await expect(world.accounts.updateCredential(clientId, { limits: unset })).rejects.toThrow(
    isUndefined("limits", "accounts.updateCredential"),
  );
  await expect(world.setClock(unset)).rejects.toThrow("The changes of setClock must be an object such as");
  await expect(world.setClock({ mode: unset })).rejects.toThrow(isUndefined("mode", "setClock"));
  expect((await world.accounts.update("acme", { name: "Acme", status: unset })).name).toBe("Acme");
  expect((await world.journal()).filter(({ kind }) => kind === "control")).toHaveLength(1);
});

describe("before any call is made", () => {
  const calls: readonly (readonly [string, (world: WorldClient, unset: Untyped) => Promise<unknown>])[] = [
    [
      "POST /transactions/undefined/pay: the id must be a text, not undefined.",
      (w, unset) => w.transactions.pay(unset),
    ],
    ["POST /snapshots/undefined/restore: the id must be a text, not undefined.", (w, unset) => w.restore(unset)],
    [
      "/accounts/%5Bobject%20Object%5D: the id must be a text, not of the type Object.",
      (w) => w.accounts.get({} as Untyped),
    ],
    ['GET accounts/acme: the path must begin with a slash, as in "/accounts/acme".', (w) => w.find("accounts/acme")],
    ['advance must be told how far, as in advance("5s") or advance("next").', (w, unset) => w.advance(unset)],
    ["requests takes its limit with the filter: requests({ limit: 5 }).", (w: Untyped) => w.requests({}, { limit: 1 })],
    ["webhooks takes its options second: webhooks({}, { limit: 5 }).", (w) => w.webhooks({ limit: 1 } as Untyped)],
    ["GET undefined: the path must begin with a slash, as in", (w, unset) => w.all(unset)],
    ['There is no method "GET "; did you mean "GET"?', (w) => w.call("GET ", "/clock")],
    ["limit must be a whole number of items, not 1.5.", (w) => w.timers({ limit: 1.5 })],
    ["journal takes its options second: journal(undefined, { limit: 5 }).", (w) => w.journal({ limit: 5 } as Untyped)],
    [
      "follow takes its options second: follow(undefined, { signal }).",
      (w) => w.follow({ signal: null } as Untyped).next(),
    ],
    [
      'A target of advance must be an object such as { to: "2026-02-01T00:00:00Z" }, not a Date; give its toISOString().',
      (w) => w.advance(new Date(0) as Untyped),
    ],
  ];

  test.each(calls)("%s", async (words, call) => {
    const world = await file.world();
    const error: Untyped = await call(world, undefined).catch((thrown) => thrown);
    expect([error.name, error.message]).toEqual(["Error", expect.stringContaining(words)]);
  });
});

test("find takes a path where nothing can be for a slip, and a record that is not there for none", async () => {
  const world = await file.world();
  expect(await world.find("/accounts/nobody")).toBeUndefined();
  await expect(world.find("/acounts/acme")).rejects.toThrow(
    'There is no /acounts/acme in the control interface; did you mean "/accounts/acme"?',
  );
});
