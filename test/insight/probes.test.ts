/** Probes: what a receiver is sent to see how it takes it, and that they leave the world as it was. */
import { describe, expect, test } from "vitest";
import type { ReportInfo, WebhookInfo, WorldClient } from "../../src/index.ts";
import { paidWebhook } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { startAt } from "../support/odd-receivers.ts";
import { checkIn, judgedOf } from "../support/readiness.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule } from "../support/scenarios.ts";

const file = useSandbox();
const slow = useSandbox({ webhookTimeoutMs: 50 });
const sourced = useSandbox({ webhookSourceIpv4: "127.0.0.2" });

const PROBED = ["duplicates", "wrong-source", "unknown-transaction"];

/** The verdicts of the checks that probes are for. */
function verdictsOf(report: ReportInfo): string[] {
  return PROBED.map((id) => checkIn(report, id).verdict);
}

/** The webhooks of a world that are about nothing that there is. */
async function madeUpIn(world: WorldClient): Promise<WebhookInfo[]> {
  const all = await world.all<WebhookInfo>("/webhooks");
  const transactions = await world.all<{ transaction_id: string }>("/transactions");
  const known = new Set(transactions.map(({ transaction_id }) => transaction_id));
  return all.filter(({ transaction_id }) => !known.has(transaction_id));
}

describe("POST /report/probe", () => {
  test("WH-20 AUTH-06 sends a duplicate, the same from a wrong address, and one about an unknown transaction", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    await using talking = await startReceiver();
    const world = await file.world({ postback_url: talking.url });
    const { webhook_id, body } = await paidWebhook(world);
    const report = await world.probe();
    expect(verdictsOf(report)).toEqual(["pass", "fail", "pass"]);
    expect(talking.received.map(({ headers }) => headers["x-webhook-id"]).slice(0, 3)).toEqual(
      Array(3).fill(webhook_id),
    );
    expect(talking.received.slice(0, 3).map((one) => one.body)).toEqual(Array(3).fill(body));
    const [unknown, ...others] = await madeUpIn(world);
    expect(others).toEqual([]);
    expect(talking.received[3]?.body).toEqual(unknown?.body);
    expect(unknown).toMatchObject({ event: "cashin.confirmed", status: "delivered", next_attempt_at: null });
    expect(unknown?.body.data.transaction_id).toMatch(/^[0-9a-f]{32}$/);
    const balances = { old_balance: "10148.50", new_balance: "10149.20" };
    expect(unknown?.body.data).toMatchObject({ amount: "1.00", fee: "0.30", amount_net: "0.70", ...balances });
    const { attempts } = await world.call<WebhookInfo>("GET", `/webhooks/${webhook_id}`);
    expect(attempts.map(({ manual, duplicate, source }) => [manual, duplicate, source])).toEqual([
      [false, false, null],
      [true, true, null],
      [true, false, "127.0.0.66"],
    ]);

    await world.setPostbackUrl("acme", receiver.url);
    await paidWebhook(world);
    await world.probe({ source: "127.0.0.77" });
    expect(receiver.sources).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.77", "127.0.0.1"]);
  });

  test("AUTH-06 without a webhook that was taken the unknown one comes from the wrong address too", async () => {
    await using receiver = await startAt("127.0.0.1", 403, 200);
    const world = await file.world({ postback_url: receiver.url });
    expect(verdictsOf(await world.probe())).toEqual(["not_observed", "pass", "pass"]);
    expect(receiver.sources).toEqual(["127.0.0.66", "127.0.0.1"]);
  });

  test("AUTH-06 an address that cannot be come from does not hide behind a probe that went well", async () => {
    await using receiver = await startAt("127.0.0.1", 403, 200);
    const world = await file.world({ postback_url: receiver.url });
    expect(checkIn(await world.probe(), "wrong-source").verdict).toBe("pass");
    const { verdict, detail } = checkIn(await world.probe({ source: "198.51.100.7" }), "wrong-source");
    expect([verdict, detail]).toEqual([
      "warn",
      expect.stringMatching(/^1 webhook from .* 403\. The last one could not/),
    ]);
  });

  test.each([
    [404, "pass"],
    [302, "fail"],
    [500, "fail"],
  ])("an unknown transaction that is answered %i: %s", async (status, verdict) => {
    await using receiver = await startReceiver(status);
    const world = await file.world({ postback_url: receiver.url });
    const report = await world.probe();
    const [unknown] = await madeUpIn(world);
    expect(checkIn(report, "unknown-transaction")).toMatchObject({ verdict, evidence: [unknown?.webhook_id] });
    expect(unknown?.status).toBe("exhausted");
    expect(checkIn(report, "receiver-accepts").verdict).toBe("not_observed");
  });

  test("the unknown transaction is explained by the webhook that made it up", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await world.probe();
    const [unknown] = await madeUpIn(world);
    const { type, summary, chain } = await world.explain(String(unknown?.transaction_id));
    expect([type, summary]).toEqual([
      "webhook",
      `Webhook cashin.confirmed about the probe ${unknown?.transaction_id}: delivered.`,
    ]);
    expect(chain[0]?.call).toBe("POST /report/probe");
    expect(chain[1]?.text).toContain("was made up to see how the receiver takes");
  });

  test("a receiver that is not there fails, and nothing says that no probe was sent", async () => {
    const world = await file.world({ postback_url: "http://127.0.0.1:9/hook" });
    const report = await world.probe();
    const [unknown] = await madeUpIn(world);
    expect(checkIn(report, "unknown-transaction")).toMatchObject({
      verdict: "fail",
      evidence: [unknown?.webhook_id],
      detail: "What came of it: nothing listens there.",
    });
    expect(report.verdict).toBe("fail");
  });

  test("a receiver that was not there for one probe is judged by the next", async () => {
    const world = await file.world({ postback_url: "http://127.0.0.1:9/hook" });
    await world.probe();
    await using receiver = await startReceiver();
    await world.setPostbackUrl("acme", receiver.url);
    expect(checkIn(await world.probe(), "unknown-transaction").verdict).toBe("pass");
  });

  test("an unknown transaction that is not answered in time fails", async () => {
    await using receiver = await startReceiver(() => {});
    const world = await slow.world({ postback_url: receiver.url });
    expect(checkIn(await world.probe(), "unknown-transaction").verdict).toBe("fail");
  });

  test("AUTH-06 an address that cannot be come from is said to be so, and nothing is observed", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    for (const [source, words] of [
      ["198.51.100.7", "is not of this machine"],
      ["2001:db8::7", "No way leads"],
      ["127.0.0.1", "Webhooks come from 127.0.0.1 anyway"],
      ["::ffff:127.0.0.1", "Webhooks come from ::ffff:127.0.0.1 anyway"],
      ["::1", "No way leads from the source address ::1 to 127.0.0.1."],
      ["0.0.0.0", "The source address 0.0.0.0 is not the address of one machine."],
    ] as const) {
      const { verdict, detail } = checkIn(await world.probe({ source }), "wrong-source");
      expect([verdict, detail]).toEqual(["not_observed", expect.stringContaining(words)]);
    }
    const own = await sourced.world({ postback_url: receiver.url });
    const { verdict, detail } = checkIn(await own.probe({ source: "127.0.0.2" }), "wrong-source");
    expect([verdict, detail]).toEqual(["not_observed", expect.stringContaining("127.0.0.2 anyway")]);
    expect(checkIn(await own.probe({ source: "127.0.0.1" }), "wrong-source").verdict).toBe("fail");
  });

  test("goes to the receiver that there is now, not to the one before it, whose webhooks it never got", async () => {
    await using before = await startReceiver();
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: before.url });
    await paidWebhook(world);
    await world.setPostbackUrl("acme", receiver.url);
    expect(checkIn(await world.probe(), "wrong-source").verdict).toBe("fail");
    expect([before.received.length, receiver.received.length]).toEqual([1, 2]);
    // Another address of the same receiver is no other one.
    const { webhook_id } = await paidWebhook(world, { postback_url: `${receiver.url}/orders` });
    await world.probe();
    const ids = receiver.received.map(({ headers }) => headers["x-webhook-id"]);
    expect(ids.slice(2, 5)).toEqual(Array(3).fill(webhook_id));
    expect(before.received).toHaveLength(1);
  });

  test("WH-20 sends once more what was taken at the very address, though another one took a later one", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await paidWebhook(world, { postback_url: `${receiver.url}/orders` });
    await world.probe();
    const probes = receiver.received.slice(2, 4);
    expect(probes.map(({ path, headers }) => [path, headers["x-webhook-id"]])).toEqual(
      Array(2).fill(["/hook", webhook_id]),
    );
  });

  test("goes to the account that is named, and to the receiver of its last webhook where it has no other", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await paidWebhook(world, { postback_url: receiver.url });
    expect(verdictsOf(await world.probe())).toEqual(["pass", "fail", "pass"]);
    expect(receiver.received).toHaveLength(4);
    await using partner = await startReceiver();
    await world.setPostbackUrl("globex", partner.url);
    await world.probe({ username: "globex" });
    expect([receiver.received.length, partner.received.length]).toEqual([4, 2]);
  });

  test.each([
    [{}, 409, "postback_url"],
    [{ username: "nobody" }, 404, "nobody"],
    [{ source: "merchant" }, 400, "source must be an IP address"],
    [{ sources: "127.0.0.66" }, 400, 'did you mean "source"'],
  ])("%j is refused with %i", async (body, status, words) => {
    const world = await file.world();
    const entries = (await world.journal()).length;
    const answer = await control(world, "POST", "/report/probe", body);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(words)]);
    expect(await world.journal()).toHaveLength(entries);
  });

  test("the inbox is no receiver", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const answer = await control(world, "POST", "/report/probe", {});
    expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining("the inbox is none")]);
  });
});

describe("a probe leaves the world as it was", () => {
  test("no money, no rate, no retries, no rule that follows, no event that counts", async () => {
    await using receiver = await startReceiver(200, 500);
    const rules = ["webhook.failed", "webhook.delivered"].map((on) => rule(on, [{ note: on }]));
    const scenario = { scenario: "follower", rules, expect: [{ event: "cashin.confirmed", count: 1 }] };
    const world = await file.world({
      postback_url: receiver.url,
      scenarios: [scenario],
      settings: { webhook_rate: 1 },
    });
    await paidWebhook(world);
    const [before, postings] = [await world.info(), await world.all("/ledger")];
    await world.probe();
    expect((await world.info()).accounts).toEqual(before.accounts);
    expect(await world.all("/ledger")).toEqual(postings);
    expect(await world.all("/timers")).toEqual([]);
    const [followed] = await world.all<{ rules: { matched: number }[]; expectations: { verdict: string }[] }>(
      "/scenarios",
    );
    expect(followed?.rules.map(({ matched }) => matched)).toEqual([0, 1]);
    expect(followed?.expectations.map(({ verdict }) => verdict)).toEqual(["pass"]);
    const { sections } = await world.coverage();
    const events = sections.find(({ id }) => id === "events")?.items ?? [];
    expect(events.find(({ name }) => name === "cashin.confirmed")?.count).toBe(1);
    receiver.answerWith(200);
    expect((await paidWebhook(world)).status).toBe("throttled");
  });

  test("what comes later has the same ids as without it", async () => {
    await using receiver = await startReceiver();
    const ids: string[] = [];
    for (const probed of [false, true]) {
      const world = await file.world({ postback_url: receiver.url });
      if (probed) await world.probe();
      ids.push((await paidWebhook(world)).webhook_id);
    }
    expect(ids[1]).toBe(ids[0]);
  });

  test("it is explained, and the journal has no hosts in it", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await world.probe();
    const [unknown] = await madeUpIn(world);
    const { chain } = await world.explain(unknown?.webhook_id ?? "");
    expect(chain.map(({ kind }) => kind)).toEqual(["control", "webhook.probe", "webhook.failed", "webhook.delivered"]);
    expect(chain[1]?.text).toContain("unknown transaction");
    expect(JSON.stringify(await world.journal())).not.toContain("127.0.0.1");
  });

  test("a replay of it gives the same journal and the same report, but for the time that answers took", async () => {
    await using receiver = await startReceiver(200, 409, 403, 500);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    const report = await world.probe();
    expect(verdictsOf(report)).toEqual(["fail", "pass", "fail"]);
    const root = await file.sandbox.defaultWorld();
    const bundle = await world.call("GET", "/export");
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
    const answer = await root.call<any>("POST", "/worlds", { replay: bundle });
    expect(answer.replay).toMatchObject({ identical: true, difference: null });
    const again = await file.sandbox.openWorld(answer.world);
    expect(await again.journal()).toEqual(await world.journal());
    for (const id of PROBED) expect(await judgedOf(again, id)).toEqual(await judgedOf(world, id));
    expect(checkIn(await again.report(), "receiver-quick").verdict).toBe("not_observed");
  });
});
