/** Waiting for webhooks, calls and entries; what does not come in time is told by what came instead. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Connection } from "../../src/client/control-client.ts";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import { type EventKind, eventKinds } from "../../src/domain/events.ts";
import { SandboxClient, WaitError, type WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { pdf } from "../support/disputes.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

/** A world of which nothing is expected any more: looks at what there is, and says why that is not it. */
async function refusalOf(waiting: Promise<unknown>): Promise<string> {
  const error = await waiting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WaitError);
  return (error as WaitError).message;
}

/** A client of a world that calls by other means. */
function clientOf({ id }: WorldClient, fetch: Connection["fetch"]): Promise<WorldClient> {
  return new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {}).world(id);
}

/** Settings without which an event is not sent. */
const SETTINGS: Partial<Record<EventKind, object>> = {
  wallet_deposit: { deposit_events: "both" },
};

const AT_ONCE = { timeoutMs: 0 };

const STREAM = { headers: { "Content-Type": "text/event-stream" } };

describe("waitForWebhook", () => {
  test("gives the first that is there already, with its attempts", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await world.transactions.pay(await makeCharge(world, { external_id: "order-1" }));
    await world.transactions.pay(await makeCharge(world, { external_id: "order-2" }));
    const hook = await world.waitForWebhook("cashin.confirmed", { external_id: "order-2" }, AT_ONCE);
    expect(hook).toMatchObject({ event: "cashin.confirmed", status: "delivered", attempts: [{ number: 1 }] });
    expect(hook.body.data.external_id).toBe("order-2");
    expect((await world.waitForWebhook("cashin.confirmed")).body.data.external_id).toBe("order-1");
  });

  test("is woken by one that comes later, and passes those that are another", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const [first, second] = [await makeCharge(world), await makeCharge(world, { external_id: "mine" })];
    const waiting = world.waitForWebhook("cashin.confirmed", { external_id: "mine", payer: { name: "Ana" } });
    await world.transactions.pay(first);
    await world.transactions.pay(second, { payer: { name: "Ana" } });
    expect((await waiting).body.data.transaction_id).toBe(second);
  });

  test("takes the flat body, the names of the glossary, and whom it goes to", async () => {
    const world = await file.world({ settings: { legacy_refund_events: true } });
    const merchant = world.merchant();
    const wallet = await merchant.call("POST /v2/transactions/wallet", { currency: "BRL" });
    await world.wallets.deposit(wallet.wallet_id, { amount: "25.00", instant: true });
    const deposit = await world.waitForWebhook("wallet_deposit", { wallet_id: wallet.wallet_id });
    expect(deposit.body.amount_gross).toBe("25.00");
    await merchant.call("POST /v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: 10 });
    const received = await world.waitForWebhook("transfer.confirmed", { username: "globex" });
    expect(received.body.data.direction).toBe("received");
    await world.trigger("chargeback.confirmed");
    const legacy = await world.waitForWebhook("refund_confirmed");
    expect(legacy.body).toMatchObject({ event: "refund_confirmed", data: { currency: "BRL" } });
  });

  test("amounts are the same by their value and instants by their time, as in scenarios; ids as they are written", async () => {
    const world = await file.world();
    await world.transactions.pay(await makeCharge(world, { amount: "10.00", external_id: "10.00" }));
    const { body } = await world.waitForWebhook("cashin.confirmed", { amount: "10", fee: "0.300" }, AT_ONCE);
    expect(body.data).toMatchObject({ amount: "10.00", fee: "0.30" });
    await world.waitForWebhook("cashin.confirmed", { confirmed_at: "2026-01-01T13:00:00+01:00" }, AT_ONCE);
    await world.waitForRequest("POST /v2/transactions/cashin", { body: { amount: 10 } }, AT_ONCE);
    for (const where of [{ amount: "10.01" }, { amount: "1*" }, { external_id: "10.0" }]) {
      await refusalOf(world.waitForWebhook("cashin.confirmed", where, AT_ONCE));
    }
  });

  test("so are those in lists, the instants of a search, and that of an entry", async () => {
    const world = await file.world();
    const merchant = world.merchant();
    const split = (amount: string) => [{ username: "globex", type: "fixed" as const, amount }];
    await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00", split: split("5.00") });
    const since = (created_from: string) => ({ created_from });
    await merchant.call("POST /v2/account/transactions/list", since("2026-01-01T12:00:00Z"));
    const cashin = (body: object) => world.waitForRequest("POST /v2/transactions/cashin", { body }, AT_ONCE);
    const list = (body: object) => world.waitForRequest("POST /v2/account/transactions/list", { body }, AT_ONCE);
    await cashin({ split: split("5") });
    await list(since("2026-01-01T13:00:00.000+01:00"));
    await world.waitForEntry("transition", { to: "pending", at: "2026-01-01T12:00:00Z" }, AT_ONCE);
    for (const other of [split("5.01"), [...split("5"), ...split("5")], [{ username: "globex", amount: "5.00" }]]) {
      await refusalOf(cashin({ split: other }));
    }
    await refusalOf(list(since("2026-01-01T12:00:01Z")));
  });

  test("with a status, waits until the delivery has come to that", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    const paid = world.transactions.pay(await makeCharge(world));
    const hook = await world.waitForWebhook("cashin.confirmed");
    expect(hook.status).toBe("pending");
    const refusal = await refusalOf(world.waitForWebhook("cashin.confirmed", {}, { ...AT_ONCE, status: "delivered" }));
    expect(refusal).toContain('delivery status is "pending", not "delivered"');
    const delivered = world.waitForWebhook("cashin.confirmed", {}, { status: "delivered" });
    receiver.release();
    expect((await delivered).attempts).toMatchObject([{ outcome: "delivered" }]);
    await paid;
  });

  test("D61 with a status, is woken by a retry that is put back too", async () => {
    await using receiver = await startReceiver(503);
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
    const waiting = world.waitForWebhook("cashin.confirmed", {}, { status: "throttled" });
    await world.transactions.pay(await makeCharge(world));
    await world.waitForEntry("webhook.failed");
    await world.advance("1s");
    expect((await waiting).attempts).toMatchObject([{ outcome: "refused" }]);
  });

  test("goes on while the world is reset under it", async () => {
    const world = await file.world();
    const waiting = world.waitForWebhook("cashin.expired");
    await world.reset();
    await world.transactions.expire(await makeCharge(world));
    expect(await waiting).toMatchObject({ event: "cashin.expired" });
  });

  test("passes what a reset has taken away before it could be looked at", async () => {
    const world = await file.world();
    const [looked, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isThere = true;
    const fetch: Connection["fetch"] = async (url, init) => {
      if (isThere && /\/webhooks\/evt_\w+$/.test(url)) {
        isThere = false;
        await world.reset();
        taken.resolve();
      }
      const answer = await patientFetch(url, init);
      if (/\/webhooks\?/.test(url)) looked.resolve();
      return answer;
    };
    const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {});
    const waiting = (await client.world(world.id)).waitForWebhook("cashin.expired");
    await looked.promise;
    await world.transactions.expire(await makeCharge(world));
    await taken.promise;
    await world.transactions.expire(await makeCharge(world, { external_id: "again" }));
    expect(await waiting).toMatchObject({ event: "cashin.expired", body: { data: { external_id: "again" } } });
  });

  test("what came instead is told nearest first, with the fields that differ, and where the clock stands", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox" });
    const expired = await makeCharge(world, { external_id: "order-1", amount: "10.00" });
    await world.transactions.expire(expired);
    for (const id of ["order-2", "order-3"]) {
      await world.transactions.pay(await makeCharge(world, { external_id: id, amount: "10.00" }));
    }
    await makeCharge(world, { external_id: "order-1b" });
    const where = { external_id: "order-1", amount: "10.00" };
    const lines = (await refusalOf(world.waitForWebhook("cashin.confirmed", where, AT_ONCE))).split("\n");
    expect(lines).toEqual([
      'No cashin.confirmed with {"external_id":"order-1","amount":"10.00"} came within 0 s. What came instead, nearest first:',
      expect.stringMatching(
        /^- cashin\.confirmed [0-9a-f]{32} \(delivered\): external_id is "order-3", not "order-1"$/,
      ),
      expect.stringMatching(/^- cashin\.confirmed .*"order-2", not "order-1"$/),
      `- cashin.expired ${expired} (delivered): it is no cashin.confirmed`,
      "The clock stands still at 2026-01-01T12:00:00.000Z; 5 timers wait on it, the next is due at 2026-01-01T12:00:05.000Z: advance it.",
    ]);
  });

  test("what is due already and held up by a receiver is told as that: advancing would not help", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    const paying = world.transactions.pay(await makeCharge(world));
    await receiver.arrived(1);
    await world.transactions.pay(await makeCharge(world));
    const told = await refusalOf(world.waitForWebhook("cashin.expired", {}, AT_ONCE));
    receiver.release();
    await paying;
    expect(told).toContain(
      "1 timer waits on it, the next was due at 2026-01-01T12:00:00.000Z: it runs once receivers have answered what is being sent.",
    );
  });

  test.each([
    ["advance", (world: WorldClient) => world.advance("1h")],
    ["setClock", (world: WorldClient) => world.setClock({ now: "2026-01-01T13:00:00Z" })],
  ])("an advance that a receiver holds up is told of: to ask for one would not help (%s)", async (_call, begin) => {
    await using receiver = await startHeld();
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    await makeCharge(world, { currency: "MXN" });
    const advancing = begin(world);
    await receiver.arrived(1);
    const where = { external_id: "none" };
    const told = await refusalOf(world.waitForWebhook("cashin.confirmed", where, AT_ONCE));
    receiver.release();
    await advancing;
    expect(told.split("\n").at(-1)).toMatch(
      /^The clock shows 2026-01-01T12:00:05\.000Z; \d timers wait on it, the next is due at [^:]*:00:30\.000Z\. An advance is under way: what is due on its way is still to come\.$/,
    );
    expect(await refusalOf(world.waitForWebhook("cashin.confirmed", where, AT_ONCE))).toContain(
      "The clock stands still at 2026-01-01T13:00:00.000Z, and nothing waits on it.",
    );
  });

  test("where nothing came at all, that is told; of many the nearest ten", async () => {
    const world = await file.world();
    expect(await refusalOf(world.waitForWebhook("cashin.expired", {}, AT_ONCE))).toBe(
      "No cashin.expired came within 0 s, and no other webhook either. The clock stands still at 2026-01-01T12:00:00.000Z, and nothing waits on it.",
    );
    for (let count = 0; count < 12; count++) await world.transactions.pay(await makeCharge(world));
    const lines = (await refusalOf(world.waitForWebhook("cashin.refunded", {}, AT_ONCE))).split("\n");
    expect(lines).toHaveLength(13);
    expect(lines[11]).toBe("- and 2 more");
  });

  test("fails once the time-out is over, while the clock of the world stands still", async () => {
    const world = await file.world();
    expect(await refusalOf(world.waitForWebhook("cashin.expired", {}, { timeoutMs: 50 }))).toContain("within 0.05 s");
  });

  test.each([
    ["an unknown event", (world: WorldClient) => world.waitForWebhook("cashin.confirmd" as never), "cashin.confirmed"],
    [
      "an unknown field",
      (world: WorldClient) => world.waitForWebhook("cashin.confirmed", { external: "order-1" } as never),
      "external_id",
    ],
    [
      "a field of another event, by its name of the glossary",
      (world: WorldClient) => world.waitForWebhook("refund_responded", { amount: "1" } as never),
      "of refund_responded",
    ],
    [
      "an unknown call",
      (world: WorldClient) => world.waitForRequest("POST /v2/transaction/cashin" as never),
      "POST /v2/transactions/cashin",
    ],
    [
      "an unknown field of a call",
      (world: WorldClient) => world.waitForRequest("GET /v2/account/fees", { error: "UNAUTHORIZED" } as never),
      'no field of a call "error"',
    ],
    [
      "an unknown error code",
      (world: WorldClient) => world.waitForRequest("GET /v2/account/fees", { error_code: "UNAUTHORISED" }),
      '"UNAUTHORIZED"',
    ],
    ["an unknown kind of entry", (world: WorldClient) => world.waitForEntry("transitions"), '"transition"'],
  ])("%s is told at once, with the nearest, or with all where none is near", async (_what, wait, words) => {
    const waiting = wait(await file.world());
    await expect(waiting).rejects.toThrow(/did you mean|; known are /);
    await expect(waiting).rejects.toThrow(words);
  });

  test.each([
    [
      "an option that there is not",
      { timeout: 50 },
      'There is no option of a wait "timeout"; did you mean "timeoutMs"?',
    ],
    ["a status that there is not", { status: "deliverd" }, 'status of a webhook "deliverd"; did you mean "delivered"?'],
    [
      "a time-out that is a word",
      { timeoutMs: "50" },
      'timeoutMs must be a number of milliseconds, 0 or more, not "50".',
    ],
    ["one that is no number", { timeoutMs: Number.NaN }, "0 or more, not NaN."],
    ["one below zero", { timeoutMs: -1 }, "0 or more, not -1."],
  ])("%s is told at once, before anything is waited for", async (_what, options, words) => {
    const world = await file.world();
    await expect(world.waitForWebhook("cashin.confirmed", {}, options as never)).rejects.toThrow(words);
  });

  test.each([
    ["undefined", { external_id: undefined }, "where.external_id is undefined: give it a value, or leave it out."],
    ["undefined within", { payer: { name: undefined } }, "where.payer.name is undefined: give it a value, or leave it"],
    ["null", null, 'where must be an object such as { external_id: "order-1" }, not null.'],
    ["a predicate", () => false, 'where must be an object such as { external_id: "order-1" }, not a function.'],
    ["a Map", new Map([["external_id", "order-2"]]), "not a Map."],
    ["a list", [], 'such as { external_id: "order-1" }, not a list.'],
    ["an id alone", "order-1", 'such as { external_id: "order-1" }, not "order-1".'],
    ["a promise", Promise.resolve({}), "not a Promise; await it."],
    ["a Date", { confirmed_at: new Date(0) }, "where.confirmed_at must be a text, a number, true, false, null, or "],
    ["a Date, which has a text", { confirmed_at: new Date(0) }, ", not a Date; give its toISOString()."],
    ["a pattern", { external_id: /order/ }, "a list or an object of those, not a RegExp."],
    ["a promise of a value", { external_id: Promise.resolve("order-1") }, "not a Promise; await it."],
    ["a matcher", { external_id: (id: string) => id === "order-1" }, "not a function."],
    ["a bigint", { amount: 10n }, "where.amount must be a text, a number,"],
    ["no number", { amount: Number.NaN }, ", not NaN."],
  ])("a where that is or has %s is told at once, though a webhook has come", async (_what, where, words) => {
    const world = await file.world();
    await world.transactions.pay(await makeCharge(world, { external_id: "order-2" }));
    const waits = [
      () => world.waitForWebhook("cashin.confirmed", where as never, AT_ONCE),
      () => world.waitForRequest("POST /v2/transactions/cashin", where as never, AT_ONCE),
      () => world.waitForEntry("transition", where as never, AT_ONCE),
    ];
    await expect(waits[0]?.()).rejects.toThrow(words);
    for (const wait of waits) await expect(wait()).rejects.toThrow(/^where(\.[a-z_.]+)? (is undefined: |must be )/);
  });

  test.each([
    [null, "The options of a wait must be an object of timeoutMs and status, not null."],
    [500, "The options of a wait must be an object of timeoutMs and status, not 500."],
    ["delivered", 'not "delivered".'],
    [[], "not a list."],
  ])("options that are none, %j, are told at once", async (options, words) => {
    const world = await file.world();
    await expect(world.waitForWebhook("cashin.confirmed", {}, options as never)).rejects.toThrow(words);
    const told = /^The options of a wait must be an object with timeoutMs, not /;
    await expect(world.waitForRequest("GET /v2/account/fees", {}, options as never)).rejects.toThrow(told);
    await expect(world.waitForEntry("transition", {}, options as never)).rejects.toThrow(told);
  });

  test("null is a value, and what has come from another realm is an object", async () => {
    const world = await file.world();
    await world.transactions.pay(await makeCharge(world, { external_id: "order-2" }));
    const where = runInNewContext('({ external_id: "order-2", destination: null })');
    const { body } = await world.waitForWebhook("cashin.confirmed", where, runInNewContext("({ timeoutMs: 0 })"));
    expect(body.data.external_id).toBe("order-2");
  });

  test("a name that was never set is told with those that there are", async () => {
    const world = await file.world();
    await expect(world.waitForWebhook(undefined as never)).rejects.toThrow("There is no event undefined; known are ");
    await expect(world.waitForEntry(undefined as never)).rejects.toThrow("There is no kind of entry undefined");
  });

  test("a world that goes away meanwhile is told as such", async () => {
    const world = await file.world();
    const waiting = world.waitForWebhook("cashin.confirmed");
    const told = expect(waiting).rejects.toThrow(`The world "${world.id}" is gone`);
    await world.delete();
    await told;
  });
});

describe("waitForRequest", () => {
  test("a list is the one that is wanted only with as many items, whatever the first ones are", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const split = [10, 20].map((percentage) => ({ username: "globex", percentage }));
    await merchant.cashin({ currency: "BRL", amount: "10.00", split });
    const wait = (items: typeof split) =>
      world.waitForRequest("POST /v2/transactions/cashin", { body: { split: items } }, AT_ONCE);
    expect(await wait(split)).toMatchObject({ status: 200 });
    expect(await refusalOf(wait(split.slice(0, 1)))).toContain("split is [");
    expect(await refusalOf(wait([...split, ...split]))).toContain("split is [");
  });

  test("gives a call that was made, told by its body and its answer, or that comes", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: "10.00", external_id: "order-1", payer: { name: "A" } });
    await merchant.cashin({ currency: "BRL", amount: "10.00", external_id: "order-1" });
    const made = await world.waitForRequest("POST /v2/transactions/cashin", {
      body: { external_id: "order-1" },
      status: 200,
    });
    expect(JSON.parse(made.body)).toEqual({ currency: "BRL", amount: "10.00", external_id: "order-1" });
    const asked = { client_id: merchant.clientId, query: "currency=BRL" };
    const waiting = world.waitForRequest("GET /v2/account/balance", asked);
    await merchant.balance("BRL");
    expect(await waiting).toMatchObject({ method: "GET", path: "/v2/account/balance", status: 200 });
  });

  test("D51 tells the reply to a dispute by the fields of its form", async () => {
    const world = await file.world();
    await world.trigger("chargeback.opened");
    const [dispute] = await world.disputes.list();
    const infraction_id = dispute?.infraction_id ?? "";
    const sent = { infraction_id, text: "Delivered,\nsee the receipt." };
    const files = [new File([pdf], "receipt.pdf", { type: "application/pdf" })];
    await world.merchant().call("POST /v2/account/infractions/reply", { ...sent, files });
    const reply = (body: object) => world.waitForRequest("POST /v2/account/infractions/reply", { body }, AT_ONCE);
    expect(await reply(sent)).toMatchObject({ status: 200 });
    expect(await refusalOf(reply({ text: "Lost." }))).toContain(
      'body.text is "Delivered,\\nsee the receipt.", not "Lost."',
    );
  });

  test("D10 tells a call for a token that is sent as a form by its fields, but for its secret", async () => {
    const world = await file.world();
    const { clientId: client_id, clientSecret: client_secret } = world.credentials;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    await fetch(`${world.baseUrl}/v2/oauth/token`, { method: "POST", body });
    const token = (fields: object) => world.waitForRequest("POST /v2/oauth/token", { body: fields }, AT_ONCE);
    expect(await token({ client_id, grant_type: "client_credentials" })).toMatchObject({ status: 200 });
    expect(await refusalOf(token({ client_id: "other" }))).toContain(`body.client_id is "${client_id}", not "other"`);
  });

  test("what was called instead is told where no credential has the id that was asked for", async () => {
    const world = await file.world();
    await (await Merchant.of(world)).balance("BRL");
    const asked = world.waitForRequest("GET /v2/account/balance", { client_id: "no" }, AT_ONCE);
    expect(await refusalOf(asked)).toMatch(
      /\n- GET \/v2\/account\/balance req_\w+ \(200\): client_id is "\S+", not "no"/,
    );
  });

  test("what was called instead is told nearest first", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: "10.001", external_id: "order-1" });
    const where = { body: { external_id: "order-1" }, status: 200 };
    const lines = (await refusalOf(world.waitForRequest("POST /v2/transactions/cashin", where, AT_ONCE))).split("\n");
    expect(lines[1]).toMatch(
      /^- POST \/v2\/transactions\/cashin req_\w+ \(400 INVALID_REQUEST\): status is 400, not 200$/,
    );
    expect(lines[2]).toMatch(/^- POST \/v2\/oauth\/token .*it is no POST .*it has no body\.external_id$/);
  });
});

describe("a wait asks for no more than what it may be", () => {
  /** What a world is asked for, and the lists among that. */
  async function listening(world: WorldClient) {
    const urls: string[] = [];
    const asked: string[] = [];
    const fetch: Connection["fetch"] = (url, init) => {
      urls.push(String(url));
      if (String(url).includes("?")) asked.push(decodeURIComponent(String(url).split("/_sandbox/")[1] ?? ""));
      return patientFetch(url, init);
    };
    const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {});
    return { urls, asked, client: await client.world(world.id) };
  }

  test("by event, transaction and status; by call and credential; by kind and subject", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const [other, charge] = [await makeCharge(world), await makeCharge(world)];
    for (const id of [other, charge]) await world.transactions.pay(id);
    const { asked, client } = await listening(world);
    const status = "delivered";
    const hook = await client.waitForWebhook("cashin.confirmed", { transaction_id: charge }, { ...AT_ONCE, status });
    expect(hook.transaction_id).toBe(charge);
    const [{ client_id } = { client_id: null }] = await world.requests({ call: "POST /v2/transactions/cashin" });
    await refusalOf(client.waitForWebhook("cashin.expired", { external_id: "order-7" }, AT_ONCE));
    asked.splice(2);
    await client.waitForRequest("POST /v2/transactions/cashin", { client_id }, AT_ONCE);
    const entry = await client.waitForEntry("transition", { subject: charge, to: "confirmed" }, AT_ONCE);
    expect(entry.subject).toBe(charge);
    expect(asked).toEqual([
      `webhooks?event=cashin.confirmed&status=delivered&transaction_id=${charge}&limit=1000`,
      "webhooks?event=cashin.expired&external_id=order-7&limit=1000",
      `requests?call=POST+/v2/transactions/cashin&client_id=${client_id}&limit=1000`,
      `journal?kind=transition&subject=${charge}&limit=1000`,
    ]);
  });

  test("a webhook that has the id of another one from before a reset is the one that is meant", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const { urls, client } = await listening(world);
    const waiting = client.waitForWebhook("cashin.confirmed", { external_id: "order-1" }, { timeoutMs: 600_000 });
    const streams = () => urls.filter((url) => url.includes("/journal/stream")).length;
    const lists = () => urls.filter((url) => url.includes("/webhooks?")).length;
    await expect.poll(lists).toBe(1);
    await world.transactions.pay(await makeCharge(world, { external_id: "order-0" }));
    await world.reset();
    await expect.poll(() => [streams(), lists()]).toEqual([2, 2]);
    await world.transactions.pay(await makeCharge(world, { external_id: "order-1" }));
    expect((await waiting).body.data.external_id).toBe("order-1");
  });

  test("many waits share one stream, and look at the one webhook that each waits for", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const { urls, client } = await listening(world);
    const ids = Array.from({ length: 20 }, (_, index) => `order-${index}`);
    const wait = (external_id: string) =>
      client.waitForWebhook("cashin.confirmed", { external_id }, { timeoutMs: 600_000 });
    const waits = ids.map(wait);
    await expect.poll(() => urls.filter((url) => url.includes("/webhooks?")).length).toBe(ids.length);
    for (const external_id of ids) await world.transactions.pay(await makeCharge(world, { external_id }));
    const came = await Promise.all(waits);
    expect(came.map(({ body }) => body.data.external_id)).toEqual(ids);
    expect(urls.filter((url) => url.includes("/journal/stream"))).toHaveLength(1);
    // Each when its wait is told of it, and once more as it is given.
    expect(urls.filter((url) => url.includes("/webhooks/"))).toHaveLength(2 * ids.length);
  });

  test.each(eventKinds)("a webhook of %s is among those of the id that its data names", async (event) => {
    const world = await file.world({ postback_url: "sandbox://inbox", settings: SETTINGS[event] ?? {} });
    const hook = await world.trigger(event);
    const named = { ...hook, ...((hook.body as { data?: object }).data ?? hook.body) } as {
      readonly transaction_id: string;
    };
    const found = await world.waitForWebhook(event, { transaction_id: named.transaction_id } as object, AT_ONCE);
    expect(found.webhook_id).toBe(hook.webhook_id);
  });
});

describe("waitForEntry", () => {
  test("gives an entry that is there, or that comes, told by its subject and data", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const charge = await makeCharge(world);
    const made = await world.waitForEntry("transition", { subject: charge, to: "pending" });
    expect(made.kind).toBe("transition");
    const { sequence, at, cause } = made;
    expect(await world.waitForEntry("transition", { sequence, at, cause }, AT_ONCE)).toEqual(made);
    const waiting = world.waitForEntry("step", { action: "pay" });
    await world.advance("5s");
    expect(await waiting).toMatchObject({ subject: charge, rule: expect.stringContaining("happy-path.yaml:") });
  });

  test("what happened instead is told nearest first", async () => {
    const world = await file.world();
    const charge = await makeCharge(world);
    const refusal = await refusalOf(world.waitForEntry("transition", { subject: charge, to: "confirmed" }, AT_ONCE));
    expect(refusal.split("\n")[1]).toMatch(/^- transition \d+ \([0-9a-f]{32}\): to is "pending", not "confirmed"$/);
  });

  test("a field that no entry has is told as missing, whatever every object inherits", async () => {
    const world = await file.world();
    const where = { subject: "acme", constructor: "x", toString: "y" };
    const waiting = world.waitForEntry("account.opened", where, { timeoutMs: 0 });
    await expect(waiting).rejects.toThrow(/\(acme\): it has no constructor; it has no toString$/m);
  });

  test("one that came at the last moment is found, though no stream told of it", async () => {
    const made = await file.world();
    let isFirst = true;
    const world = await clientOf(made, async (url, init) => {
      if (url.includes("/journal/stream")) return new Response(new ReadableStream(), STREAM);
      const answer = await patientFetch(url, init);
      if (!url.includes("/journal?") || !isFirst) return answer;
      isFirst = false;
      const text = await answer.text();
      await made.rates.set({ BRL: "0.19" });
      return new Response(text, answer);
    });
    expect(await world.waitForEntry("rates.changed", {}, AT_ONCE)).toMatchObject({ data: { rates: { BRL: "0.19" } } });
  });

  test("a stream that is refused is told as that, and not as nothing that came", async () => {
    const refusal = { error: { code: "STORE_FULL", message: "The disk is full." } };
    const world = await clientOf(await file.world(), async (url, init) =>
      url.includes("/journal/stream") ? Response.json(refusal, { status: 503 }) : patientFetch(url, init),
    );
    await expect(world.waitForEntry("rates.changed")).rejects.toMatchObject({ status: 503, code: "STORE_FULL" });
  });

  test("of thousands that came no more are held against it than a message needs", async () => {
    const beats = scenario("beats", clockRule({ every: "* * * * * *" }, [{ note: "beat" }]));
    const world = await file.world({ scenarios: [beats] });
    await world.advance("2100s");
    const refusal = await refusalOf(world.waitForEntry("step", { note: "beta" }, AT_ONCE));
    expect(refusal).toContain("What came instead, of the first 2000, nearest first:");
    expect(refusal).toContain('note is "beat", not "beta"');
    expect(refusal).toMatch(/^- and \d+ more at least$/m);
    expect(await world.waitForEntry("step", { note: "beat" }, AT_ONCE)).toMatchObject({ kind: "step" });
  });
});
