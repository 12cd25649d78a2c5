/** Worlds: made, forked, listed, reset, deleted; and how little they have to do with each other. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startSandbox, WorldClient, type WorldInfo, type WorldOptions } from "../../src/index.ts";
import { chargeOf, externalIdsOf, makeCharge, secondsOf, transactionOf, webhookOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { StoppedWall } from "../support/stopped-wall.ts";

const file = useSandbox();

/** What `POST /worlds` answers. */
async function created(body: WorldOptions = {}): Promise<WorldInfo> {
  const answer = await control(file.sandbox, "POST", "/worlds", body);
  expect(answer.status).toBe(201);
  return answer.body;
}

describe("a new world", () => {
  test("starts as section 3a says, unless told otherwise", async () => {
    const info = await created();
    expect(info).toMatchObject({
      world: expect.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/),
      base_url: `${file.sandbox.baseUrl}/worlds/${info.world}`,
      clock: { mode: "frozen", speed: 1, now: "2026-01-01T12:00:00.000Z" },
      seed: 1,
      scenarios: ["happy-path", "magic-values"],
    });
    expect(info.accounts.map(({ username }) => username)).toEqual(["acme", "globex"]);
    for (const account of info.accounts) {
      expect(account.credentials).toHaveLength(1);
      expect(Object.fromEntries(account.balances.map(({ currency, balance }) => [currency, balance]))).toEqual({
        BRL: "10000.00",
        MXN: "100000.00",
        USDT: "10000.000000",
        USDC: "10000.000000",
        BTC: "1.00000000",
        ETH: "10.00000000",
        SOL: "100.00000000",
        BNB: "10.00000000",
      });
    }
  });

  test("has an id that no world had before, whatever was deleted", async () => {
    await using sandbox = await startSandbox();
    const ids: string[] = [];
    await sandbox.createWorld({ id: "world-2" });
    for (let count = 0; count < 3; count++) {
      await using world = await sandbox.createWorld();
      ids.push(world.id);
    }
    expect(ids).toEqual(["world-3", "world-4", "world-5"]);
  });

  test("names each of several documents by its place among them, so that lines are told apart", async () => {
    const noting = (name: string) => scenario(name, rule("cashin.created", [{ note: name }]));
    const [mine, yours] = [noting("mine"), noting("yours")];
    const world = await file.world({ scenarios: [mine, "happy-path", yours] });
    const filesOf = async (name: string) => (await world.scenarios.get(name)).rules.map(({ at }) => at.split(":")[0]);
    expect(await filesOf("mine")).toEqual(["inline-1.json"]);
    expect(await filesOf("yours")).toEqual(["inline-2.json"]);
    const alone = await file.world({ scenarios: ["happy-path", mine] });
    expect((await alone.scenarios.get("mine")).rules[0]?.at).toMatch(/^inline\.json:\d+$/);
  });

  test("is made as it is told", async () => {
    const info = await created({
      id: "as-told",
      seed: 42,
      clock: { mode: "running", speed: 2.5, start: "2027-05-05T05:05:05Z" },
      settings: { webhook_rate: 7, expired_event: "all", signature_tolerance: "10m" },
      scenarios: ["happy-path", scenario("mine", rule("cashin.created", [{ note: "mine" }]))],
      accounts: [
        { username: "initech", name: "Initech Ltda", balances: { BRL: "12.34", BTC: "0.5" } },
        { username: "hooli", postback_url: "http://localhost:9/hook" },
      ],
      postback_url: "sandbox://inbox",
    });
    expect(info).toMatchObject({
      world: "as-told",
      clock: { mode: "running", speed: 2.5 },
      seed: 42,
      settings: { webhook_rate: 7, expired_event: "all", signature_tolerance: "10m", protections: "enforce" },
      scenarios: ["happy-path", "mine"],
    });
    expect(info.clock.now >= "2027-05-05T05:05:05.000Z").toBe(true);
    expect(info.accounts).toMatchObject([
      { username: "initech", name: "Initech Ltda", postback_url: "sandbox://inbox" },
      { username: "hooli", name: "hooli", postback_url: "http://localhost:9/hook" },
    ]);
    const balances = info.accounts[0]?.balances.filter(({ balance }) => Number(balance) !== 0);
    expect(balances?.map(({ currency, balance }) => `${balance} ${currency}`)).toEqual(["12.34 BRL", "0.50000000 BTC"]);
  });

  test("is made as its scenarios ask, but for what the call says itself", async () => {
    const asking = {
      ...scenario("asking", rule("cashin.created", [{ note: "mine" }])),
      settings: { webhook_rate: 7, expired_event: "all" },
      seed: 42,
      clock: { start: "2027-05-05T05:05:05Z", mode: "running" },
      accounts: [{ username: "initech" }],
    };
    const asked = await created({ scenarios: [asking] });
    expect(asked).toMatchObject({ seed: 42, settings: { webhook_rate: 7, expired_event: "all" } });
    expect(asked).toMatchObject({ clock: { mode: "running" }, accounts: [{ username: "initech" }] });
    expect(asked.clock.now >= "2027-05-05T05:05:05.000Z").toBe(true);
    const told = await created({
      scenarios: [asking],
      settings: { webhook_rate: 8 },
      seed: 43,
      clock: { mode: "frozen" },
      accounts: [{ username: "hooli" }],
    });
    expect(told).toMatchObject({ seed: 43, settings: { webhook_rate: 8, expired_event: "all" } });
    expect(told.clock).toMatchObject({ mode: "frozen", now: "2027-05-05T05:05:05.000Z" });
    expect(told.accounts.map(({ username }) => username)).toEqual(["hooli"]);
  });

  test("gives ids, credentials, keys and tokens by its seed", async () => {
    const [one, same, other] = [await created(), await created(), await created({ seed: 2 })];
    expect(same.accounts).toEqual(one.accounts);
    expect(other.accounts[0]?.credentials).not.toEqual(one.accounts[0]?.credentials);
    const secrets = [one, other].flatMap(({ accounts }) => accounts).flatMap(({ credentials }) => credentials);
    expect(new Set(secrets.map(({ client_secret }) => client_secret)).size).toBe(4);
    expect(new Set(secrets.map(({ signing_key }) => signing_key)).size).toBe(4);
  });

  test.each([
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["1.0", 1],
    ["1e2", 100],
    ["120e-1", 12],
    ["-0", 0],
  ])("takes the seed %s: a whole number, however it is written", async (seed, read) => {
    const { status, body } = await control(file.sandbox, "POST", "/worlds", `{"seed":${seed}}`);
    expect([status, body.seed]).toEqual([201, read]);
  });

  test.each(["9007199254740992", "9007199254740990.5", "0.1", "1e400"])("refuses the seed %s", async (seed) => {
    const { status, body } = await control(file.sandbox, "POST", "/worlds", `{"seed":${seed}}`);
    expect([status, body.error.message]).toEqual([400, "seed must be a whole number from 0 to 9007199254740991."]);
  });

  test("takes an id of 63 characters, the most that there may be", async () => {
    const { status, body } = await control(file.sandbox, "POST", "/worlds", { id: "a".repeat(63) });
    expect([status, body.world]).toEqual([201, "a".repeat(63)]);
  });

  test.each([
    [{ id: "Upper" }, 400, "id must match"],
    [{ id: "-hyphen" }, 400, "id must match"],
    [{ id: "a".repeat(64) }, 400, "id must match"],
    [{ id: "../etc" }, 400, "id must match"],
    [{ sed: 5 }, 400, 'unknown field "sed"; did you mean "seed"?'],
    [{ seed: -1 }, 400, "seed must be a whole number"],
    [{ seed: 1.5 }, 400, "seed must be a whole number"],
    [{ seed: "1" }, 400, "seed must be a whole number"],
    [{ clock: { mod: "frozen" } }, 400, 'unknown field "clock.mod"; did you mean "mode"?'],
    [{ clock: { start: "now" } }, 400, "clock.start must be an ISO 8601 instant"],
    [{ clock: "frozen" }, 400, "clock must be an object"],
    [{ settings: { webhook_rates: 5 } }, 400, 'unknown field "settings.webhook_rates"; did you mean "webhook_rate"?'],
    [{ clock: { start: "1969-12-31T23:59:59Z" } }, 400, "with a zone, from 1970 to the year 9999, such as"],
    [{ clock: { mode: "stopped" } }, 400, "clock.mode must be one of running, frozen."],
    [{ settings: { webhook_rate: 0 } }, 400, "settings.webhook_rate must be at least 1."],
    [{ settings: { webhook_rate: 1e9 } }, 400, "settings.webhook_rate must be at most 1000000."],
    [{ settings: { webhook_rate: 0.5 } }, 400, "settings.webhook_rate must be a whole number."],
    [{ settings: { webhook_rate: "5" } }, 400, "settings.webhook_rate must be a number."],
    [{ settings: { duplicate_status: 410 } }, 400, "settings.duplicate_status must be one of 409, 422."],
    [{ settings: { retry_base: "second" } }, 400, "settings.retry_base must be one of previous, first."],
    [{ settings: { retry_base: "frist" } }, 400, 'must be one of previous, first; did you mean "first"?'],
    [{ scenarios: [5] }, 400, "scenarios.0 must be the name of a shipped scenario, or a scenario as an object."],
    [{ settings: { credential_block: "soon" } }, 400, "settings.credential_block must be a duration"],
    [{ scenarios: ["happy-paht"] }, 422, 'did you mean "happy-path"?'],
    [{ scenarios: [{ scenario: "x", rulez: [] }] }, 422, 'unknown key "rulez"; did you mean "rules"?'],
    [
      { scenarios: ["happy-path", { scenario: "x" }, { scenario: "y", rulez: [] }] },
      422,
      "inline-2.json:3:3: unknown key",
    ],
    [{ ttl: "0s" }, 400, "ttl must be a duration above zero such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S."],
    [{ ttl: 0 }, 400, "ttl must be a duration above zero such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S."],
    [{ ttl: "PT0S" }, 400, "ttl must be a duration above zero such as 500ms"],
    [{ ttl: 60 }, 400, 'ttl must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "60s"?'],
    [{ ttl: "200000000d" }, 400, "ttl is too long; the longest duration is 104249991d."],
    [{ accounts: [] }, 400, "accounts"],
    [{ accounts: [{ username: "ok", balance: {} }] }, 400, 'did you mean "balances"?'],
    [{ accounts: [{ username: "Not Ok" }] }, 400, "accounts.0.username must match"],
    [{ accounts: [{ name: "nameless" }] }, 400, "accounts.0.username is missing"],
    [{ accounts: [{ username: "twice" }, { username: "twice" }] }, 422, "twice is named twice"],
    [{ accounts: [{ username: "ok", balances: { EUR: "1" } }] }, 422, "accounts.0.balances.EUR: there is no such"],
    [
      { accounts: [{ username: "fine" }, { username: "ok", balances: { BRL: "1.234" } }] },
      422,
      "accounts.1.balances.BRL must have at most 2 decimals.",
    ],
    [
      { accounts: [{ username: "ok", balances: { brl: 1 } }] },
      422,
      "no such currency in this world; there are BRL, MXN",
    ],
    [{ accounts: [{ username: "ok", balances: { BRL: "" } }] }, 422, "accounts.0.balances.BRL must be a plain decimal"],
    [
      { accounts: [{ username: "ok", balances: { BRL: "-" } }] },
      422,
      "accounts.0.balances.BRL must be a plain decimal",
    ],
    [
      { accounts: [{ username: "ok", balances: { BRL: "-1" } }] },
      422,
      "accounts.0.balances.BRL must not be below zero.",
    ],
    [
      { accounts: [{ username: "ok", balances: { BRL: "1".repeat(20) } }] },
      422,
      "accounts.0.balances.BRL must be at most",
    ],
    [
      { accounts: [{ username: "fine" }, { username: "ok", postback_url: "http://shop.example" }] },
      422,
      "accounts.1.postback_url must be an https URL",
    ],
    [{ from: "nowhere" }, 404, "There is no world nowhere"],
  ] as const)("is refused: %j", async (body, status, message) => {
    const before = await file.sandbox
      .defaultWorld()
      .then((world) => world.call<{ items: unknown[] }>("GET", "/worlds"));
    const answer = await control(file.sandbox, "POST", "/worlds", body);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
    const after = await control(file.sandbox, "GET", "/worlds");
    expect(after.body.items).toHaveLength(before.items.length);
  });

  test("is refused where its id is taken, and the one that is there stays", async () => {
    const world = await file.world({ id: "taken", seed: 3 });
    const { status, body } = await control(file.sandbox, "POST", "/worlds", { id: "taken" });
    expect([status, body.error.code]).toEqual([409, "WORLD_EXISTS"]);
    expect((await world.info()).seed).toBe(3);
  });

  test("is made at the root only", async () => {
    const world = await file.world();
    const answer = await control(world, "POST", "/worlds", {});
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("PUT at a world's own address", () => {
  const at = (id: string) => ({ baseUrl: `${file.sandbox.baseUrl}/worlds/${id}` });

  test("makes it, or gives the one that is there", async () => {
    const first = await control(at("ci-job"), "PUT", "", { seed: 9, scenarios: [] });
    expect([first.status, first.body.world, first.body.seed]).toEqual([201, "ci-job", 9]);
    const second = await control(at("ci-job"), "PUT", "", { seed: 9, scenarios: [] });
    expect([second.status, second.body]).toEqual([200, first.body]);
    const third = await control(at("ci-job"), "PUT", "");
    expect([third.status, third.body]).toEqual([200, first.body]);
  });

  test("gives the one that another job has made while a bundle was being replayed for this one", async () => {
    const notes = Array.from({ length: 500 }, (_, index) => ({ after: "1s", note: `note ${index}` }));
    const origin = await file.world({ scenarios: [scenario("talkative", rule("cashin.created", notes))] });
    await makeCharge(origin);
    await origin.advance("10m");
    const replay = await origin.call("GET", "/export");
    const jobs = await Promise.all([1, 2, 3].map(() => control(at("ci-replay"), "PUT", "", { replay })));
    expect(jobs.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(jobs.map(({ body }) => body.world))).toEqual(new Set(["ci-replay"]));
  });

  test("takes a slash at its end, as GET does", async () => {
    expect((await control(at("ci-slash"), "PUT", "/", { seed: 9 })).status).toBe(201);
    expect((await control(at("ci-slash"), "PUT", "/")).status).toBe(200);
  });

  test.each([
    ["one", { id: "other" }, 422],
    ["one", { sed: 1 }, 400],
    ["Upper", {}, 400],
    ["default", { sed: 1 }, 400],
    ["default", { settings: { cashout_fee: 0 } }, 400],
    ["default", { scenarios: ["happy-pat"] }, 422],
    ["default", { from: 5 }, 400],
    ["default", { from: "default", seed: 5 }, 422],
    ["default", { replay: {}, seed: 5 }, 422],
    ["default", { replay: {} }, 422],
    ["default", { postback_url: "ftp://shop.example" }, 422],
    ["default", { accounts: [{ username: "acme" }, { username: "acme" }] }, 422],
  ])("refuses %s with %j: %i", async (id, body, status) => {
    expect((await control(at(id), "PUT", "", body)).status).toBe(status);
    expect((await control(at("one"), "GET", "/")).status).toBe(404);
  });
});

test("interface 4: a postback_url of the world that is refused is told of where it was given", async () => {
  const body = { accounts: [{ username: "initech" }], postback_url: "http://shop.example" };
  const refused = await control(file.sandbox, "POST", "/worlds", body);
  const message = "postback_url must be an https URL; plain http is let through to local hosts only.";
  expect([refused.status, refused.body.error.message]).toEqual([422, message]);
  const scenarios = [{ scenario: "own-accounts", accounts: [{ username: "shop" }], rules: [] }];
  const ofScenario = await control(file.sandbox, "POST", "/worlds", { scenarios, postback_url: "http://shop.example" });
  expect(ofScenario.body.error.message).toBe(message);
});

test("interface 4: a postback_url that is given counts before that of a scenario's default account", async () => {
  const accounts = [
    { username: "shop", postback_url: "sandbox://inbox" },
    { username: "other", postback_url: "sandbox://inbox" },
  ];
  const scenarios = [{ scenario: "own-accounts", accounts, rules: [] }];
  const urlsOf = async (options: object) => {
    const { accounts: made } = await (await file.world({ scenarios, ...options })).info();
    return made.map(({ postback_url }) => postback_url);
  };
  const given = "http://127.0.0.1:2/hook";
  expect(await urlsOf({})).toEqual(["sandbox://inbox", "sandbox://inbox"]);
  expect(await urlsOf({ postback_url: given })).toEqual([given, "sandbox://inbox"]);
  // What a call says of an account itself is nearer than what it says of the world.
  expect(await urlsOf({ postback_url: given, accounts })).toEqual(["sandbox://inbox", "sandbox://inbox"]);
});

describe("the list of worlds", () => {
  test("has the default one and all others, page by page", async () => {
    const ids = ["listed-a", "listed-b", "listed-c"];
    for (const id of ids) await file.world({ id });
    const root = await file.sandbox.defaultWorld();
    const worlds = await root.all<{ world: string; seed: number; clock: object }>("/worlds");
    expect(worlds.map(({ world }) => world)).toEqual(expect.arrayContaining(["default", ...ids]));
    const paged: string[] = [];
    for (let cursor: string | null = "0"; cursor; ) {
      const { body } = await control(root, "GET", `/worlds?limit=2&cursor=${cursor}`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      for (const { world } of body.items) paged.push(world);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(worlds.map(({ world }) => world));
  });

  test("goes on behind its cursor where worlds of the pages before are deleted meanwhile, or reset", async () => {
    const ids = Array.from({ length: 6 }, (_, index) => `cleared-${index}`);
    for (const id of ids) await file.world({ id });
    const seen: string[] = [];
    for (let cursor: string | null = "0"; cursor; ) {
      const { body } = await control(file.sandbox, "GET", `/worlds?limit=2&cursor=${cursor}`);
      for (const { world } of body.items) {
        seen.push(world);
        if (ids.includes(world)) await control(file.sandbox, "DELETE", `/worlds/${world}`);
        else await control(await file.sandbox.world(world), "POST", "/reset");
      }
      cursor = body.next_cursor;
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("has one that is made again under its id behind those made before", async () => {
    for (const id of ["made-again", "made-once"]) await file.world({ id });
    await (await file.sandbox.world("made-again")).delete();
    await file.world({ id: "made-again" });
    const seen: string[] = [];
    for (let cursor: string | null = "0"; cursor; ) {
      const { body } = await control(file.sandbox, "GET", `/worlds?limit=1&cursor=${cursor}`);
      for (const { world } of body.items) seen.push(world);
      cursor = body.next_cursor;
    }
    expect(seen.slice(-2)).toEqual(["made-once", "made-again"]);
  });
});

describe("deleting a world", () => {
  test("takes all of it away, and frees its id", async () => {
    const world = await file.world({ id: "short-lived" });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant, { external_id: "order-1" });
    await world.delete();
    expect((await control(world, "GET", "/")).status).toBe(404);
    expect((await merchant.cashin({ currency: "BRL", amount: 1 })).status).toBe(404);
    const again = await control(file.sandbox, "DELETE", "/worlds/short-lived");
    expect([again.status, again.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const reborn = await file.world({ id: "short-lived" });
    expect(await reborn.all("/transactions")).toEqual([]);
  });

  test("leaves nothing to a new one of its id: neither the numbers of snapshots, nor what a fork began as", async () => {
    const origin = await file.world();
    await makeCharge(origin);
    const fork = await file.sandbox.createWorld({ id: "mortal", from: origin.id });
    await fork.takeSnapshot();
    await fork.delete();
    const reborn = await file.world({ id: "mortal" });
    expect((await reborn.takeSnapshot()).name).toBe("snapshot-1");
    await reborn.reset();
    expect(await reborn.all("/transactions")).toEqual([]);
  });

  test("does not free an id that was not given: who still calls that world comes upon no other", async () => {
    const gone = await created();
    await control(file.sandbox, "DELETE", `/worlds/${gone.world}`);
    const next = await created();
    expect(next.world).not.toBe(gone.world);
    expect((await control(file.sandbox, "DELETE", `/worlds/${next.world}`)).status).toBe(204);
  });

  test("takes nothing but the id", async () => {
    const world = await file.world({ id: "addressed" });
    const { status, body } = await control(file.sandbox, "DELETE", "/worlds/addressed", { force: true });
    expect([status, body.error.message]).toEqual([400, 'unknown field "force".']);
    expect((await world.clock()).mode).toBe("frozen");
  });

  test("the default world is not deleted", async () => {
    const { status, body } = await control(file.sandbox, "DELETE", "/worlds/default");
    expect([status, body.error.code]).toEqual([409, "WORLD_IN_USE"]);
    expect((await control(file.sandbox, "GET", "/")).status).toBe(200);
  });

  test("with a delivery in the air lets it come to nothing, and disturbs nobody else", async () => {
    await using receiver = await startHeld(500);
    const world = await file.world({ postback_url: receiver.url });
    const paying = control(world, "POST", `/transactions/${await makeCharge(world)}/pay`);
    await receiver.arrived(1);
    await world.delete();
    receiver.release();
    expect((await paying).body.error.code).toBe("WORLD_GONE");
    const other = await file.world({ postback_url: receiver.url });
    receiver.answerWith(200);
    await other.act(await makeCharge(other), "pay");
    expect(receiver.received).toHaveLength(2);
  });
});

test.each([
  ["a re-delivery by hand", "/webhooks/{id}/redeliver"],
  ["probes", "/report/probe"],
])("%s is told at once that its world went away, however long the receiver takes", async (_what, path) => {
  await using receiver = await startReceiver();
  const world = await file.world({ postback_url: receiver.url });
  await world.act(await makeCharge(world), "pay");
  const [webhook] = await world.webhooks();
  receiver.answerWith(() => new Promise(() => {}));
  const calling = control(world, "POST", path.replace("{id}", webhook?.webhook_id ?? ""), {});
  await receiver.arrived(2);
  await world.delete();
  expect((await calling).body.error.code).toBe("WORLD_GONE");
  expect(receiver.received).toHaveLength(2);
});

test("a call of the service for a world that is not there: 404 in the common failure body", async () => {
  const nowhere = { baseUrl: `${file.sandbox.baseUrl}/worlds/nowhere` };
  const merchant = new Merchant(nowhere, { clientId: "x", clientSecret: "y" });
  for (const [method, path] of [
    ["POST", "/v2/oauth/token"],
    ["POST", "/v2/transactions/cashin"],
    ["GET", "/v2/account/balance"],
    ["GET", "/v2/no/such/path"],
  ] as const) {
    const { status, body, headers } = await merchant.call(method, path);
    const message = 'There is no world "nowhere" here.';
    expect([status, body]).toEqual([
      404,
      { success: false, error: { code: "NOT_FOUND", message, group: "VALIDATION", retryable: false } },
    ]);
    expect(headers.get("x-ratelimit-limit")).not.toBeNull();
  }
});

describe("reset", () => {
  test("takes a world back to the moment of its creation, so that the same calls give the same once more", async () => {
    const world = await file.world({ id: "again", seed: 5, scenarios: ["happy-path"], settings: { webhook_rate: 3 } });
    const before = await world.info();
    const first = await playIn(world);
    await world.call("POST", "/scenarios", scenario("more", rule("cashin.created", [{ note: "more" }])));
    await world.call("POST", "/accounts", { username: "initech" });
    expect(await world.reset()).toEqual(before);
    expect(await world.clock()).toEqual(before.clock);
    expect(await world.all("/transactions")).toEqual([]);
    expect(await playIn(world)).toEqual(first);
  });

  test("forgets what was on the clock and in the air", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    await world.advance("5s");
    expect(receiver.received).toHaveLength(1);
    await world.reset();
    expect(await world.clock()).toMatchObject({ pending_timers: 0, now: "2026-01-01T12:00:00.000Z" });
    await world.advance("1d");
    expect(receiver.received).toHaveLength(1);
  });

  test("of the default world keeps it the default one", async () => {
    await using sandbox = await startSandbox();
    const world = await sandbox.defaultWorld();
    await makeCharge(world);
    expect(await world.reset()).toMatchObject({ world: "default", base_url: sandbox.baseUrl });
    expect(await world.all("/transactions")).toEqual([]);
  });
});

describe("a fork", () => {
  test("is all that its origin is, timers included, and goes its own way from there", async () => {
    await using receiver = await startReceiver();
    const origin = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url, seed: 11 });
    const merchant = await Merchant.of(origin);
    const id = await chargeOf(merchant, { external_id: "order-1" });
    await origin.advance("2s");
    const fork = await forkOf(origin);
    expect(await fork.journal()).toEqual(await origin.journal());
    expect(await fork.all("/timers")).toEqual(await origin.all("/timers"));
    expect((await fork.info()).accounts).toEqual((await origin.info()).accounts);
    expect((await fork.clock()).now).toBe("2026-01-01T12:00:02.000Z");

    await fork.act(id, "expire");
    await origin.advance("3s");
    expect((await transactionOf(fork, id)).status).toBe("expired");
    expect((await transactionOf(origin, id)).status).toBe("confirmed");
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.expired", "cashin.confirmed"]);
  });

  test("accepts the tokens of its origin, and serves them by itself", async () => {
    const origin = await file.world();
    const merchant = await Merchant.of(origin);
    const fork = await forkOf(origin);
    const inFork = new Merchant(fork, origin.credentials);
    inFork.token = merchant.token;
    await chargeOf(inFork);
    expect(await fork.all("/transactions")).toHaveLength(1);
    expect(await origin.all("/transactions")).toEqual([]);
  });

  test("made after others is what its origin has become meanwhile, and leaves them as they are", async () => {
    const origin = await file.world();
    const first = await makeCharge(origin);
    const before = [await forkOf(origin), await forkOf(origin)];
    await before[0]?.act(first, "pay");
    await origin.advance("1s");
    const second = await makeCharge(origin);
    const after = await forkOf(origin);
    const seen = async (world: WorldClient) => [(await world.clock()).now, (await world.all("/transactions")).length];
    expect(await Promise.all(before.map(seen))).toEqual([
      ["2026-01-01T12:00:00.000Z", 1],
      ["2026-01-01T12:00:00.000Z", 1],
    ]);
    expect(await seen(after)).toEqual(["2026-01-01T12:00:01.000Z", 2]);
    expect((await transactionOf(after, second)).status).toBe("pending");
    expect((await transactionOf(before[1] as WorldClient, first)).status).toBe("pending");
    await before[1]?.reset();
    expect(await before[1]?.all("/transactions")).toHaveLength(1);
  });

  test("of a running world that nobody has called meanwhile begins where its clock is by then", async () => {
    using wall = new StoppedWall();
    const origin = await file.world({ clock: { mode: "running" } });
    const seen: string[] = [];
    for (let count = 0; count < 2; count++) {
      seen.push((await (await forkOf(origin)).clock()).now);
      wall.pass(60_000);
    }
    expect(seen).toEqual(["2026-01-01T12:00:00.000Z", "2026-01-01T12:01:00.000Z"]);
  });

  test("is reset to the moment it was forked", async () => {
    const origin = await file.world();
    const id = await makeCharge(origin);
    const fork = await forkOf(origin);
    const before = [await fork.info(), await fork.journal()];
    await fork.act(id, "pay");
    await fork.advance("1h");
    await fork.reset();
    expect([await fork.info(), await fork.journal()]).toEqual(before);
    expect((await transactionOf(fork, id)).status).toBe("pending");
    await fork.advance("30m");
    expect((await transactionOf(fork, id)).status).toBe("expired");
  });

  test("of a fork, and of a world whose retries go on", async () => {
    await using receiver = await startReceiver(500);
    const origin = await file.world({ postback_url: receiver.url });
    await origin.act(await makeCharge(origin), "pay");
    const fork = await forkOf(await forkOf(origin));
    await fork.advance("6s");
    await origin.advance("1s");
    expect(secondsOf(receiver)).toEqual([0, 1, 6, 1]);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-webhook-id"])).size).toBe(1);
  });

  test("takes nothing but an id beside its origin", async () => {
    const origin = await file.world();
    const { status, body } = await control(file.sandbox, "POST", "/worlds", { from: origin.id, seed: 5 });
    expect([status, body.error.message]).toEqual([422, expect.stringContaining("leave out seed")]);
    const taken = await control(file.sandbox, "POST", "/worlds", { from: origin.id, id: origin.id });
    expect([taken.status, taken.body.error.code]).toEqual([409, "WORLD_EXISTS"]);
  });

  test("is not made while its origin is advanced", async () => {
    await using receiver = await startHeld();
    const origin = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(origin);
    const advance = origin.advance("1m");
    await receiver.arrived(1);
    const { status, body } = await control(file.sandbox, "POST", "/worlds", { from: origin.id });
    expect([status, body.error.code]).toEqual([409, "WORLD_BUSY"]);
    receiver.release();
    await advance;
    expect((await forkOf(origin)).id).not.toBe(origin.id);
  });
});

describe("worlds share nothing", () => {
  test("neither external ids nor balances, tokens, clocks, webhooks or journals", async () => {
    await using receiver = await startReceiver();
    const [left, right] = [await file.world({ seed: 1 }), await file.world({ seed: 2, postback_url: receiver.url })];
    const [before, merchant] = [await right.journal(), await Merchant.of(left)];
    const id = await chargeOf(merchant, { external_id: "order-1" });
    await left.act(id, "pay");
    await left.advance("1d");
    expect(await right.journal()).toEqual(before);
    expect((await right.clock()).now).toBe("2026-01-01T12:00:00.000Z");
    expect(await right.webhooks()).toEqual([]);
    expect((await control(right, "GET", `/transactions/${id}`)).status).toBe(404);

    const stranger = new Merchant(right, left.credentials);
    expect((await stranger.authenticate()).status).toBe(401);
    stranger.token = merchant.token;
    expect((await stranger.call("GET", "/v2/account/balance")).status).toBe(401);
    await makeCharge(right, { external_id: "order-1", amount: "1.00" });
    expect(receiver.received).toEqual([]);
  });

  test("same seed and same calls: the same ids, codes, webhooks and journal, byte for byte, whatever the receiver's address", async () => {
    const played: unknown[] = [];
    for (const id of ["twin-one", "twin-two"]) {
      await using receiver = await startReceiver(500, 200);
      const world = await file.world({ id, seed: 77, scenarios: ["happy-path", "magic-values"] });
      await world.setPostbackUrl("acme", receiver.url);
      played.push({ ...(await playIn(world)), received: receiver.received.map(({ text }) => text) });
    }
    expect(JSON.stringify(played[1])).toBe(JSON.stringify(played[0]));
    expect(JSON.stringify(played[0])).not.toMatch(/127\.0\.0\.1|twin-one/);
  });
});

describe("a data folder", () => {
  test("brings worlds back after a restart: clock, charges, timers, retries, and what a fork began as", async () => {
    const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-worlds-"));
    await using receiver = await startReceiver(500);
    try {
      const first = await startSandbox({ data: folder });
      const origin = await first.createWorld({ id: "kept", seed: 4, postback_url: receiver.url, scenarios: [] });
      const [paid, open] = [await makeCharge(origin), await makeCharge(origin, { external_id: "open" })];
      await origin.act(paid, "pay");
      const fork = await first.createWorld({ id: "forked", from: "kept" });
      await fork.act(open, "cancel");
      await origin.advance("1s");
      const journal = await origin.journal();
      await first.stop();

      await using second = await startSandbox({ data: folder });
      const kept = await worldOf(second, "kept");
      expect(await kept.journal()).toEqual(journal);
      expect((await kept.clock()).now).toBe("2026-01-01T12:00:01.000Z");
      await kept.advance("idle");
      expect(secondsOf(receiver)).toEqual([0, 1, 6, 36, 156, 756, 1800, 1801, 1806, 1836, 1956, 2556]);
      expect((await webhookOf(kept, paid)).status).toBe("exhausted");
      const forked = await worldOf(second, "forked");
      expect((await transactionOf(forked, open)).status).toBe("canceled");
      await forked.reset();
      expect((await transactionOf(forked, open)).status).toBe("pending");
      expect(externalIdsOf(receiver).slice(6)).toEqual(Array(6).fill("open"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** A merchant's and a tester's doings. @returns all that came of them. */
async function playIn(world: WorldClient) {
  const merchant = await Merchant.of(world);
  const answers: string[] = [];
  for (const currency of ["BRL", "MXN", "BTC", "SOL", "BRL"]) {
    answers.push((await merchant.cashin({ currency, amount: "10", external_id: `order-${answers.length}` })).text);
    await world.advance("7s");
  }
  answers.push((await merchant.cashin({ currency: "EUR", amount: "10" })).text);
  await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "0.01" });
  await world.advance("idle");
  await merchant.authenticate();
  // Where they went to and how long they took is of the receiver.
  const webhooks = (await world.webhooks()).map(({ destination: _, attempts, ...webhook }) => {
    return { ...webhook, attempts: attempts.map(({ at, outcome }) => ({ at, outcome })) };
  });
  return { answers, webhooks, journal: await world.journal(), balance: await merchant.balance("BRL") };
}

/** A fork of a world, as a client. */
function forkOf(origin: WorldClient): Promise<WorldClient> {
  return file.sandbox.createWorld({ from: origin.id });
}

/** A world that is there, as a client. */
async function worldOf(sandbox: { readonly baseUrl: string }, id: string): Promise<WorldClient> {
  const baseUrl = `${sandbox.baseUrl}/worlds/${id}`;
  const { body } = await control({ baseUrl }, "GET", "/");
  return new WorldClient(body, { baseUrl, fetch });
}
