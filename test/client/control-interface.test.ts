/** Every call of the control interface has a typed method: they are all made here, and held against its table. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Connection } from "../../src/client/control-client.ts";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { type LifecycleName, lifecycles } from "../../src/domain/lifecycles.ts";
import { SandboxClient, type WorldClient } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** Calls beside the table: the stream, the health check, and a world at its own address. */
const others = ["GET /journal/stream", "GET /health", "PUT /"];

const paths = {
  cashin: "/transactions",
  cashout: "/transactions",
  conversion: "/conversions",
  transfer: "/transfers",
  wallet: "/wallets",
  dispute: "/disputes",
} as const satisfies Record<LifecycleName, string>;

/** Every action of every kind of resource, as the tables of the lifecycles have them. */
const allActions = Object.entries(lifecycles).flatMap(([name, { actions }]) =>
  actions.map((action) => `${paths[name as LifecycleName]} ${action}`),
);

/** A client that keeps method and path of every call of the control interface. */
function recordingClient(): { client: SandboxClient; made: string[] } {
  const made: string[] = [];
  const fetch: Connection["fetch"] = (url, init) => {
    const { pathname } = new URL(url);
    const below = /^(?:\/worlds\/[^/]+)?\/_sandbox(.*)$/.exec(pathname)?.[1];
    if (below !== undefined) made.push(`${init?.method} ${below || "/"}`);
    return patientFetch(url, init);
  };
  return { client: new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {}), made };
}

/** The row of the table that a call is of; the first one that fits, as the interface itself looks. */
function rowOf(call: string): string {
  const patterns = [...others, ...controlRoutes.map(({ method, path }) => `${method} ${path}`)].map((row) => {
    return { row, pattern: new RegExp(`^${row.replace(/:[a-z]+/g, "[^/]+")}$`) };
  });
  return patterns.find(({ pattern }) => pattern.test(call))?.row ?? call;
}

/** What a merchant has, and what the outside world then does to it. */
async function playMoney(world: WorldClient): Promise<void> {
  const merchant = world.merchant();
  const charge = async () =>
    (await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: 100 })).transaction_id;
  const cashout = async () => {
    const body = { currency: "BRL", amount: "10.00", key: "52998224725" };
    return (await merchant.call("POST /v2/transactions/cashout", body)).transaction_id;
  };
  const paid = await charge();
  expect(await world.transactions.pay(paid, { payer: { name: "Ana Souza" } })).toMatchObject({
    status: "confirmed",
    payer: { name: "Ana Souza" },
  });
  expect(await world.transactions.expire(await charge())).toMatchObject({ status: "expired" });
  expect(await world.transactions.cancel(await charge())).toMatchObject({ status: "canceled" });
  expect(await world.transactions.fail(await charge(), { reason: "bank" })).toMatchObject({ reason: "bank" });
  const sent = await cashout();
  expect(await world.transactions.confirm(sent, { receiver: { bank: "Nu" } })).toMatchObject({ status: "confirmed" });
  expect(await world.transactions.refund(sent, { amount: "4.00" })).toMatchObject({ amount_refunded: "4.00" });
  expect(await world.transactions.fail(await cashout(), { error_code: "BLACKLISTED" })).toMatchObject({
    status: "failed",
  });
  expect(await world.transactions.get(paid)).toEqual(await world.transaction(paid));
  expect(await world.transactions.list()).toHaveLength(6);
  expect(await world.transactions.list({ limit: 2 })).toHaveLength(2);
  expect(await world.transactions.list({ type: "cashout", status: "failed" })).toHaveLength(1);
  await playDisputes(world, charge);
  await playTheRest(world);
}

async function playDisputes(world: WorldClient, charge: () => Promise<string>): Promise<void> {
  const merchant = world.merchant();
  const decided = { win: "won", lose: "lost", cancel: "canceled" } as const;
  for (const [action, status] of Object.entries(decided)) {
    const id = await charge();
    await world.transactions.pay(id);
    await world.transactions.dispute(id, { reason: "Never came" });
    const dispute = (await world.disputes.list()).at(-1);
    expect(dispute).toMatchObject({ transaction_id: id, status: "open", reason: "Never came" });
    const infraction = dispute?.infraction_id ?? "";
    if (action === "win") {
      const files = [new File(["%PDF-1.7 receipt"], "Beleg für 7.pdf", { type: "application/pdf" })];
      await merchant.call("POST /v2/account/infractions/reply", { infraction_id: infraction, text: "It did.", files });
      const { content, ...sent } = await world.disputes.file(infraction, 1);
      expect(sent).toEqual({ name: "Beleg für 7.pdf", type: "application/pdf" });
      expect(Buffer.from(content).toString()).toBe("%PDF-1.7 receipt");
    }
    expect(await world.disputes[action as keyof typeof decided](infraction)).toMatchObject({ status });
    expect(await world.disputes.get(infraction)).toMatchObject({ status });
  }
}

async function playTheRest(world: WorldClient): Promise<void> {
  const merchant = world.merchant();
  const wallet = await merchant.call("POST /v2/transactions/wallet", { currency: "USDT", chain: "tron" });
  const deposit = await world.wallets.deposit(wallet.wallet_id, { amount: "5", instant: true });
  expect(deposit).toMatchObject({ source: "static", status: "confirmed", amount: "5.000000" });
  expect(await world.wallets.get(wallet.wallet_id)).toMatchObject({ chain: "tron", actions: ["deposit"] });
  expect(await world.wallets.list()).toHaveLength(1);
  const pair = { base_currency: "BRL", destination_currency: "USDT", amount: 100 };
  const conversion = await merchant.call("POST /v2/conversions/new", pair);
  const reversed = await world.conversions.refund(conversion.conversion_id, { reason: "By hand" });
  expect(reversed).toMatchObject({ status: "refunded", amount_from: 100 });
  expect(await world.conversions.get(conversion.conversion_id)).toEqual(reversed);
  expect(await world.conversions.list()).toHaveLength(1);
  const transfer = { username: "globex", currency: "BRL", amount: "1.00" };
  const { transaction_id } = await merchant.call("POST /v2/internal_transfers/payment", transfer);
  expect(await world.transfers.get(transaction_id)).toMatchObject({ sender: "acme", recipient: "globex" });
  expect(await world.transfers.list()).toHaveLength(1);
}

async function playAccounts(world: WorldClient): Promise<void> {
  expect(await world.accounts.create({ username: "initech" })).toMatchObject({ username: "initech", status: "active" });
  expect(await world.accounts.fund("initech", { currency: "BRL", amount: 5 })).toMatchObject({
    balances: expect.arrayContaining([{ currency: "BRL", balance: "5.00", balance_locked: "0.00" }]),
  });
  expect(await world.accounts.update("initech", { status: "under_review" })).toMatchObject({ status: "under_review" });
  expect(await world.accounts.get("initech")).toMatchObject({ status: "under_review" });
  expect((await world.accounts.list()).map(({ username }) => username)).toEqual(["acme", "globex", "initech"]);
  const { client_id } = await world.accounts.addCredential("initech");
  const limits = [{ currency: "BRL", operation: "cashin" as const, daily_limit: "10.00" }];
  expect(await world.accounts.updateCredential(client_id, { limits })).toMatchObject({ client_id, limits });
  expect(await world.setPostbackUrl("acme", "sandbox://inbox")).toMatchObject({ postback_url: "sandbox://inbox" });
  expect(await world.blockedIps.set(["203.0.113.9"])).toEqual(await world.blockedIps.get());
  expect(await world.rates.set({ BRL: "0.2", BTC: 90000 })).toEqual(await world.rates.get());
  expect(await world.rates.get()).toMatchObject({ BRL: "0.2", BTC: "90000" });
}

async function playScripts(world: WorldClient): Promise<void> {
  const yaml = await readFile(new URL("../../scenarios/charge-pix.yaml", import.meta.url), "utf8");
  expect(await world.scenarios.load("charge-expired")).toMatchObject({ name: "charge-expired" });
  expect(await world.scenarios.load(yaml)).toMatchObject({ name: "charge-pix", file: "posted.yaml" });
  const then = [{ after: "9m", pay: {} }];
  await world.scenarios.load({ scenario: "slow", rules: [{ on: "cashin.created", then }] });
  expect(await world.scenarios.get("slow")).toMatchObject({ rules: [{ matched: 0, fired: 0 }] });
  expect((await world.scenarios.list()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["charge-expired", "charge-pix", "slow"]),
  );
  for (const { name } of await world.scenarios.list()) await world.scenarios.delete(name);
  expect(await world.scenarios.list()).toEqual([]);
  await expect(world.scenarios.load("scenarios/charge-pix.yaml")).rejects.toThrow("give its text");
  const rule = { request: "POST /v2/transactions/wallet", inject: { status: 503 }, times: 2 };
  expect(await world.faults.set([rule])).toMatchObject([{ ...rule, matched: 0, fired: 0 }]);
  const added = await world.faults.add({ delivery: "*", inject: { duplicate: 1 } });
  await world.faults.remove((await world.faults.list())[0]?.id ?? "");
  expect(await world.faults.list()).toEqual([added]);
  await expect(world.faults.remove("fault_9")).rejects.toThrow("There is no fault rule fault_9.");
  await expect(world.faults.remove(undefined as unknown as string)).rejects.toThrow("The id of faults.remove");
  await world.faults.clear();
  expect(await world.faults.list()).toEqual([]);
}

async function playClock(world: WorldClient): Promise<void> {
  expect(await world.setClock({ mode: "frozen", now: "2026-01-02T00:00:00Z" })).toMatchObject({ speed: 1 });
  const targets = [
    [{ by: "1h", max_timers: 5 }, "2026-01-02T01:00:00.000Z"],
    ["PT1H", "2026-01-02T02:00:00.000Z"],
    ["2026-01-02T03:00:00Z", "2026-01-02T03:00:00.000Z"],
    [{ to: "2026-01-02T04:00:00Z" }, "2026-01-02T04:00:00.000Z"],
  ] as const;
  for (const [target, to] of targets) expect(await world.advance(target)).toMatchObject({ to, reached: true });
  const { transaction_id: expiry } = await world
    .merchant()
    .call("POST /v2/transactions/cashin", { currency: "BRL", amount: "1.00" });
  const before = await world.advance({ until: { expiry, offset: "-1s" } });
  expect(before).toMatchObject({ to: "2026-01-02T04:29:59.000Z", reached: true });
  expect(await world.timers()).toMatchObject([{ kind: "charge.expiry", subject: expiry }]);
  expect(await world.advance("cashin.expired")).toMatchObject({ reached: true, webhooks: { delivered: 1 } });
  expect(await world.advance("next")).toMatchObject({ reached: false });
  expect(await world.advance("idle")).toMatchObject({ reached: true, timers: 0 });
  await expect(world.cancelAdvance()).rejects.toMatchObject({ status: 404 });
  expect(await world.settle()).toEqual(await world.clock());
}

async function lookAtAll(world: WorldClient): Promise<void> {
  const [hook] = await world.webhooks({ event: "cashin.expired", status: "delivered" });
  const id = hook?.webhook_id ?? "";
  expect((await world.redeliver(id)).attempts).toHaveLength(2);
  expect((await world.webhook(id)).attempts).toHaveLength(2);
  expect((await world.inbox()).at(-1)?.body).toEqual(hook?.body);
  const [request] = await world.requests({ limit: 1 });
  expect(await world.request(request?.request_id ?? "")).toEqual(request);
  const journal = await world.journal();
  expect(await world.journal(journal.at(-3)?.sequence)).toEqual(journal.slice(-2));
  expect(await world.explain(id)).toMatchObject({ type: "webhook" });
  const { postings, balances } = await world.ledger();
  expect([postings.length, balances.length]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(await world.checkLedger()).toMatchObject({ ok: true });
  expect(await world.coverage()).toMatchObject({ sections: expect.any(Array) });
  expect((await world.report()).checks.length).toBeGreaterThan(10);
  await expect(world.probe()).rejects.toMatchObject({ status: 409, code: "UNDELIVERABLE" });
}

async function playWorlds(client: SandboxClient, world: WorldClient): Promise<void> {
  expect(await client.health()).toMatchObject({ status: "ok" });
  const snapshot = await world.takeSnapshot("morning");
  expect(await world.snapshots()).toEqual([snapshot]);
  await world.advance("1h");
  expect((await world.restore("morning")).clock).toEqual(await world.clock());
  const fork = await client.createWorld({ from: { world: world.id, snapshot: "morning" } });
  expect(await fork.journal()).toEqual(await world.journal());
  await world.deleteSnapshot("morning");
  const { world: replayed, ...outcome } = await client.replay(await world.export());
  expect(outcome).toMatchObject({ identical: true });
  await replayed.delete();
  await client.deleteWorld(fork.id);
  const opened = await client.openWorld("mine", { seed: 7 });
  expect((await client.openWorld("mine")).credentials).toEqual(opened.credentials);
  expect((await client.world("mine")).credentials).toEqual(opened.credentials);
  expect((await client.worlds()).map(({ world: id }) => id)).toEqual(expect.arrayContaining(["default", "mine"]));
  expect(await opened.info()).toMatchObject({ world: "mine", seed: 7 });
  expect((await opened.reset()).clock).toEqual(await opened.clock());
  await opened.delete();
}

test("every call of the control interface is made by a method of its own", async () => {
  const { client, made } = recordingClient();
  const world = await client.createWorld({ postback_url: "sandbox://inbox", scenarios: [] });
  await playMoney(world);
  await playAccounts(world);
  await playScripts(world);
  await playClock(world);
  await lookAtAll(world);
  await playWorlds(client, world);
  const expired = world.waitForEntry("webhook.created", { event: "cashin.expired" });
  expect(await expired).toMatchObject({ kind: "webhook.created" });
  const entries = world.follow(0);
  expect((await entries.next()).value).toMatchObject({ sequence: 1, kind: "world.created" });
  await entries.return(undefined);
  // A transfer takes no action.
  const rows = controlRoutes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((row) => row !== "POST /transfers/:id/:action");
  expect([...new Set(made.map(rowOf))].sort()).toEqual([...others, ...rows].sort());
  const actions = made.map((call) => /^POST (\/[a-z]+)\/[^/]+\/([a-z]+)$/.exec(call)?.slice(1).join(" "));
  expect(allActions.filter((action) => !actions.includes(action))).toEqual([]);
});

test("a list that goes on from somewhere is read to its end, page after page", async () => {
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  const rules = [{ every: "* * * * * *", then: [{ note: "tick" }] }];
  const world = await file.world({ scenarios: [{ scenario: "ticking", rules }] });
  await world.advance("10m");
  const journal = await world.journal();
  expect(journal.length).toBeGreaterThan(1_100);
  expect(await world.journal(3)).toEqual(journal.slice(3));
  expect(await world.all("/journal?cursor=3&limit=500")).toEqual(journal.slice(3));
});
