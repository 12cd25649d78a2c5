/** What happened: webhooks, requests, journal, ledger. */
import { describe, expect, test } from "vitest";
import type { WebhookInfo } from "../../src/index.ts";
import { chargeOf, makeCharge, paidWebhook } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

describe("webhooks", () => {
  test("are found by event, transaction and status", async () => {
    await using failing = await startReceiver(500);
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const [kept, sent, failed] = [
      await chargeOf(merchant),
      await chargeOf(merchant, { postback_url: "sandbox://inbox" }),
      await chargeOf(merchant, { postback_url: failing.url }),
    ];
    for (const id of [kept, sent, failed]) await world.act(id, "pay");
    await world.act(sent, "refund");
    const found = async (query: string) => {
      const webhooks = await world.all<WebhookInfo>(`/webhooks${query}`);
      return webhooks.map(({ event, subject }) => [event, subject]);
    };
    expect(await found("")).toHaveLength(4);
    for (const webhook of await world.all<{ webhook_id: string }>("/webhooks")) {
      expect(webhook).toEqual(await world.call("GET", `/webhooks/${webhook.webhook_id}`));
    }
    expect(await found("?event=cashin.refunded")).toEqual([["cashin.refunded", sent]]);
    expect(await found(`?transaction_id=${sent}`)).toHaveLength(2);
    expect(await found("?status=undeliverable")).toEqual([["cashin.confirmed", kept]]);
    expect(await found("?status=pending")).toEqual([["cashin.confirmed", failed]]);
    expect(await found(`?status=delivered&event=cashin.confirmed&transaction_id=${sent}`)).toHaveLength(1);
    expect(await found(`?transaction_id=${kept}&status=delivered`)).toEqual([]);
    expect(await found("?transaction_id=nothing")).toEqual([]);
  });

  test("are found by the external_id of their data, to the letter, wherever else that may stand", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const ids = ["order-1", "order-10", 'Ação "1"', "cashin"];
    const charges = new Map<string, string>();
    for (const external_id of ids) charges.set(external_id, await chargeOf(merchant, { external_id }));
    for (const charge of charges.values()) await world.act(charge, "pay");
    for (const external_id of ids) {
      const found = await world.webhooks({ external_id });
      expect(found.map(({ event, subject }) => [event, subject])).toEqual([
        ["cashin.confirmed", charges.get(external_id)],
      ]);
    }
    expect(await world.webhooks({ external_id: "order-1", event: "cashin.expired" })).toEqual([]);
    expect(await world.webhooks({ external_id: "confirmed" })).toEqual([]);
    expect(await world.webhooks({ external_id: "" })).toEqual([]);
  });

  test.each([
    ["?status=lost", "status must be one of"],
    ["?event=cashin.payed", 'event cannot be "cashin.payed"; did you mean "cashin.'],
    ["?transaction=x", 'did you mean "transaction_id"?'],
  ])("%s is refused", async (query, message) => {
    const { status, body } = await control(await file.world(), "GET", `/webhooks${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test("are as the document says while an attempt is in the air: it has come to nothing yet", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    const paid = world.act(await makeCharge(world), "pay");
    await receiver.arrived(1);
    const { body } = await control(world, "GET", "/webhooks");
    expect(body.items[0].attempts).toMatchObject([{ outcome: null, response: null, error: null, duration_ms: null }]);
    expect(body.items[0].envelope).toMatchObject({ event: "cashin.confirmed", data: { amount: "150.00" } });
    expect(body.items[0].envelope).toEqual(body.items[0].body);
    receiver.release();
    await paid;
  });

  test("that are not there: 404", async () => {
    const world = await file.world();
    for (const [method, path] of [
      ["GET", "/webhooks/evt_x"],
      ["POST", "/webhooks/evt_x/redeliver"],
    ] as const) {
      const { status, body } = await control(world, method, path);
      expect([status, body.error.message]).toEqual([404, "There is no webhook evt_x."]);
    }
  });
});

describe("requests", () => {
  test("show what came and what was answered, secrets masked", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const text = '{ "currency": "BRL",  "amount": 1.50 }';
    const answer = await merchant.call("POST", "/v2/transactions/cashin?trace=1", text, { "X-Trace": "7" });
    const id = answer.headers.get("x-request-id");
    const { status, body } = await control(world, "GET", `/requests/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      request_id: id,
      at: "2026-01-01T12:00:00.000Z",
      client_id: world.credentials.clientId,
      method: "POST",
      path: "/v2/transactions/cashin",
      query: "trace=1",
      body: text,
      status: 200,
      error_code: null,
      response: { body: answer.text },
      duration_ms: 0,
    });
    expect(body.headers).toMatchObject({ "x-trace": "7", authorization: "Bearer ***" });
    expect(JSON.stringify(body)).not.toContain(merchant.token);
  });

  test("are kept when they are refused, too", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.call("GET", "/v2/nowhere");
    await merchant.cashin({ currency: "EUR", amount: 1 });
    const { body } = await control(world, "GET", "/requests");
    expect(body.items.map(({ status, error_code }: Record<string, unknown>) => [status, error_code])).toEqual([
      [200, null],
      [404, "NOT_FOUND"],
      [422, "INVALID_CURRENCY"],
    ]);
  });

  test("are found by endpoint and by credential, as they stand among all", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 2; count++) await merchant.cashin({ currency: "BRL", amount: 1 });
    await world.merchant("globex").call("POST /v2/transactions/cashin", { currency: "BRL", amount: 1 });
    await merchant.call("GET", "/v2/account/fees");
    const all = await world.requests();
    expect(all.some(({ findings }) => findings.length > 0)).toBe(true);
    const cashin = "POST /v2/transactions/cashin";
    const of = (path: string) => all.filter((call) => call.path === path);
    expect(await world.requests({ call: cashin })).toEqual(of("/v2/transactions/cashin"));
    const own = of("/v2/transactions/cashin").filter(({ client_id }) => client_id === merchant.clientId);
    expect(own).toHaveLength(2);
    expect(await world.requests({ call: cashin, client_id: merchant.clientId })).toEqual(own);
    expect(await world.requests({ client_id: merchant.clientId, limit: 1 })).toEqual(own.slice(0, 1));
    expect(await world.requests({ call: "POST /v2/conversions/new" })).toEqual([]);
    const first = await control(world, "GET", `/requests?call=${encodeURIComponent(cashin)}&limit=2`);
    const next = await control(
      world,
      "GET",
      `/requests?call=${encodeURIComponent(cashin)}&cursor=${first.body.next_cursor}`,
    );
    expect([...first.body.items, ...next.body.items]).toEqual(of("/v2/transactions/cashin"));
    const wrong = await control(world, "GET", "/requests?call=POST%20/v2/transactions/cashins");
    expect([wrong.status, wrong.body.error.message]).toEqual([
      400,
      expect.stringContaining(`did you mean "${cashin}"?`),
    ]);
    const other = await control(world, "GET", "/requests?client_id=nope");
    expect([other.status, other.body.error.message]).toEqual([404, "There is no credential nope."]);
  });

  test("that are not there: 404", async () => {
    const { status, body } = await control(await file.world(), "GET", "/requests/req_x");
    expect([status, body.error.message]).toEqual([404, "There is no request req_x."]);
  });
});

describe("the journal", () => {
  test("is numbered without gaps, in the order of time, and every cause comes before its effect", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox" });
    await makeCharge(world);
    await world.advance("1h");
    const journal = await world.journal();
    expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
    expect(journal.map(({ at }) => at)).toEqual(journal.map(({ at }) => at).sort());
    for (const { sequence, cause } of journal) if (cause !== null) expect(cause).toBeLessThan(sequence);
    expect(Object.keys(journal[0] ?? {})).toEqual(["sequence", "at", "kind", "subject", "cause", "rule", "data"]);
  });

  test("is narrowed to a kind, to what entries are about, or both, as they stand among all", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.transactions.pay(id);
    await makeCharge(world);
    const all = await world.journal();
    const ofKind = all.filter(({ kind }) => kind === "transition");
    const ofCharge = all.filter(({ subject }) => subject === id);
    expect(ofKind.length).toBeGreaterThan(2);
    expect(await world.all("/journal?kind=transition")).toEqual(ofKind);
    expect(await world.all(`/journal?subject=${id}`)).toEqual(ofCharge);
    const both = ofCharge.filter(({ kind }) => kind === "transition");
    expect(both.length).toBeLessThan(ofKind.length);
    expect(await world.all(`/journal?subject=${id}&kind=transition`)).toEqual(both);
    expect(await world.all("/journal?subject=")).toEqual([]);
    const first = await control(world, "GET", "/journal?kind=transition&limit=1");
    const rest = await control(world, "GET", `/journal?kind=transition&cursor=${first.body.next_cursor}`);
    expect([...first.body.items, ...rest.body.items]).toEqual(ofKind);
    const wrong = await control(world, "GET", "/journal?kind=transitions");
    expect([wrong.status, wrong.body.error.message]).toEqual([
      400,
      expect.stringContaining('did you mean "transition"?'),
    ]);
  });

  test("has every control call that may change something, and no read", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const before = (await world.journal()).length;
    for (const path of ["/", "/clock", "/timers", "/accounts", `/transactions/${id}`, "/ledger", "/inbox"]) {
      await control(world, "GET", path);
    }
    expect((await world.journal()).length).toBe(before);
    await world.act(id, "pay", { payer: { name: "Maria" } });
    await world.setPostbackUrl("acme", "https://merchant.example:8443/hook?x=1");
    await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: 0.1 });
    await world.advance("1s");
    const calls = (await world.journal()).filter(({ kind }) => kind === "control").map(({ data }) => data);
    expect(calls).toEqual([
      { call: `POST /transactions/${id}/pay`, input: { payer: { name: "Maria" } } },
      { call: "PATCH /accounts/acme", input: { postback_url: "…/hook" } },
      { call: "POST /accounts/acme/fund", input: { currency: "BRL", amount: 0.1 } },
      { call: "POST /clock/advance", input: { by: "1s" } },
    ]);
  });

  test("has nothing of a call that was refused", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const before = await world.journal();
    await control(world, "POST", `/transactions/${id}/refund`);
    await control(world, "POST", `/transactions/${id}/pay`, { amount: "1.00" });
    await control(world, "POST", "/clock/advance", { by: "-1s" });
    await control(world, "POST", "/scenarios", "rules: 5", { "Content-Type": "application/yaml" });
    expect(await world.journal()).toEqual(before);
  });
});

describe("the ledger", () => {
  test("shows postings, each with its cause, and the balances that follow from them", async () => {
    const world = await file.world({ accounts: [{ username: "acme", balances: { BRL: "1.00" } }] });
    await paidWebhook(world);
    const { body } = await control(world, "GET", "/ledger");
    expect(body.items.map(({ currency, amount }: Record<string, string>) => `${amount} ${currency}`)).toEqual([
      "1.00 BRL",
      "150.00 BRL",
      "1.50 BRL",
    ]);
    const entries = new Set((await world.journal()).map(({ sequence }) => sequence));
    for (const { cause } of body.items) expect(entries).toContain(cause);
    const sum = body.balances.reduce((total: number, { balance }: { balance: string }) => total + Number(balance), 0);
    expect(sum).toBeCloseTo(0, 10);
  });

  test("is checked invariant by invariant", async () => {
    const world = await file.world();
    const { transaction_id } = await paidWebhook(world);
    await world.act(transaction_id, "refund");
    const { status, body } = await control(world, "GET", "/ledger/check");
    expect([status, body.ok]).toEqual([200, true]);
    expect(body.checks.length).toBeGreaterThan(3);
    for (const check of body.checks) {
      expect(check).toEqual({ id: expect.stringMatching(/^[a-z_]+$/), ok: true, detail: expect.any(String) });
    }
  });
});
