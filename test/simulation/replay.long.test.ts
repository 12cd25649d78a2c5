/** A bundle replays to the same journal, byte for byte, whatever happened and however it interleaved. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  connectSandbox,
  type SandboxClient,
  startSandbox,
  type WorldClient,
  type WorldOptions,
} from "../../src/index.ts";
import { chargeOf, paidWebhook } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startProcess } from "../support/process.ts";
import { type Receiver, startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";
import { MixedLoad, type StepName, stepNames } from "./load/mixed-load.ts";
import { generator } from "./load/random.ts";

const file = useSandbox({ webhookConcurrency: 3 });

/** Plays the history of a world again. @returns the world that it makes, which shows the same journal. */
async function expectReplay(world: WorldClient, sandbox: SandboxClient = file.sandbox): Promise<WorldClient> {
  const bundle = await world.export();
  const { world: again, ...outcome } = await sandbox.replay(JSON.parse(JSON.stringify(bundle)));
  expect(outcome).toMatchObject({ identical: true, difference: null, entries: bundle.journal.length });
  expect(JSON.stringify(await again.journal())).toBe(JSON.stringify(bundle.journal));
  return again;
}

const shipped = { scenarios: ["happy-path", "magic-values"] };

/** A receiver that takes its time, and fails every so often; the same for the same seed. */
function moody(seed: number, callBack?: () => Promise<unknown>): Parameters<typeof startReceiver>[0] {
  return async (_request, response, index) => {
    const mood = generator(seed + index)();
    if (mood < 0.3) await callBack?.();
    await new Promise((resolve) => setTimeout(resolve, mood * 5));
    response.writeHead(mood > 0.75 ? 500 : 200).end("ok");
  };
}

describe("a mixed load", () => {
  const clocks: readonly [string, WorldOptions][] = [
    ["a frozen clock", { clock: { mode: "frozen" } }],
    ["a frozen clock without protections", { clock: { mode: "frozen" }, settings: { protections: "off" } }],
    ["a clock that runs a thousandfold", { clock: { mode: "running", speed: 1_000 } }],
    ["a clock that runs as fast as it can", { clock: { mode: "running", speed: 1_000_000 } }],
  ];

  test.each(clocks)("%s: merchants, payers, QA and two moody receivers at once", async (_clock, options) => {
    const world = await file.world({ ...shipped, ...options, seed: 3 });
    const merchant = await Merchant.of(world);
    // A fault rule may lose the answer to a receiver that calls back.
    const callBack = () => merchant.cashin({ currency: "BRL", amount: "3.00" }).catch(() => {});
    await using first = await startReceiver(moody(1, callBack));
    await using second = await startReceiver(moody(2));
    await world.setPostbackUrl("acme", first.url);
    await world.setPostbackUrl("globex", second.url);
    const load = await MixedLoad.on(world, generator(5));
    await Promise.all([load.run(40), load.run(40), load.run(40), world.advance("10m")]);
    await expectReplay(world);
  });

  test("small programs of every kind", async () => {
    const program = fc.record({
      seed: fc.nat(1_000_000),
      steps: fc.array(fc.constantFrom<StepName>(...stepNames), { minLength: 5, maxLength: 25 }),
    });
    const replays = async ({ seed, steps }: { seed: number; steps: StepName[] }) => {
      await using receiver = await startReceiver(moody(seed));
      await using world = await file.world({ ...shipped, seed, postback_url: receiver.url });
      const load = await MixedLoad.on(world, generator(seed));
      for (const step of steps) await load.perform(step);
      await using again = await expectReplay(world);
      expect(again.id).not.toBe(world.id);
    };
    await fc.assert(fc.asyncProperty(program, replays), { numRuns: 12, seed: 20_260_101 });
  });
});

describe("what interleaves", () => {
  test("calls of the merchant, and what is done at once upon them, while a receiver takes its time", async () => {
    const instant = { scenario: "instant", rules: [rule("cashin.created", [{ pay: {} }, { note: "paid" }])] };
    const refunding = { scenario: "refunding", rules: [rule("cashin.confirmed", [{ refund: {} }])] };
    await using receiver = await startHeld();
    const world = await file.world({ scenarios: [instant, refunding], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    await receiver.arrived(1);
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    receiver.release();
    await world.settle();
    const { inputs } = await world.export();
    expect(inputs.some(({ kind }) => kind === "timer")).toBe(true);
    await expectReplay(await file.sandbox.createWorld({ from: world.id }));
    await expectReplay(await expectReplay(world));
  });

  test("calls of the merchant, further advances and a cancellation while time is advanced", async () => {
    const world = await file.world(shipped);
    const merchant = await Merchant.of(world);
    const held = holding();
    await using receiver = await startReceiver(held.answer);
    await world.setPostbackUrl("acme", receiver.url);
    for (let count = 0; count < 5; count++) await chargeOf(merchant);
    const advances = [world.advance("1h"), world.advance({ by: "1h", max_timers: 2 }), world.advance("next")];
    await receiver.arrived(1);
    await chargeOf(merchant);
    await world.act(await chargeOf(merchant), "pay");
    await world.cancelAdvance();
    await world.setPostbackUrl("acme", "sandbox://inbox");
    held.release();
    expect((await Promise.all(advances)).map(({ reached }) => reached)).toContain(false);
    await expectReplay(world);
  });

  test("a clock that is set going, hurried, set ahead and stopped", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ ...shipped, postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    for (const speed of [1, 5_000, 100]) {
      await world.call("POST", "/clock", { mode: "running", speed });
      await chargeOf(merchant);
      await world.advance("20s");
      await chargeOf(merchant, { currency: "MXN" });
    }
    const { now } = await world.clock();
    const ahead = new Date(Date.parse(now) + 86_400_000).toISOString();
    await world.call("POST", "/clock", { mode: "frozen", now: ahead });
    await chargeOf(await Merchant.of(world));
    await world.advance("idle");
    await expectReplay(world);
  });

  test("a re-delivery by hand that succeeds while the scheduled attempt waits behind another one", async () => {
    const held = holding();
    await using receiver = await startReceiver(held.answer, 200);
    const world = await file.world({ postback_url: receiver.url });
    const wallet = await walletOf(await Merchant.of(world), { currency: "BRL" });
    await receiver.arrived(1);
    const made = world.waitForWebhook("wallet.created");
    // Two events at one instant: the first is in the air behind that of the wallet.
    const deposited = deposit(world, wallet.wallet_id, { amount: "42.00", instant: true });
    const waiting = await world.waitForWebhook("cashin.confirmed");
    expect(await world.redeliver(waiting.webhook_id)).toMatchObject({ status: "delivered" });
    held.release();
    await Promise.all([made, deposited, world.settle()]);
    expect(receiver.received).toHaveLength(3);
    await expectReplay(world);
  });

  test("re-deliveries to the inbox, and of what had no destination", async () => {
    const world = await file.world();
    const webhook = await paidWebhook(world);
    await control(world, "POST", `/webhooks/${webhook.webhook_id}/redeliver`, {});
    await world.setPostbackUrl("acme", "sandbox://inbox");
    await world.redeliver(webhook.webhook_id);
    await world.redeliver(webhook.webhook_id);
    expect(await world.all("/inbox")).toHaveLength(2);
    await expectReplay(world);
  });

  test("deliveries in the air: they are in the air again, and go on to the inbox once the world is touched", async () => {
    const world = await file.world(shipped);
    const held = holding();
    await using receiver = await startReceiver(held.answer);
    await world.setPostbackUrl("acme", receiver.url);
    await chargeOf(await Merchant.of(world));
    const advance = world.advance("5s");
    await receiver.arrived(1);
    const again = await expectReplay(world);
    await again.advance("1s");
    expect(await again.all("/inbox")).toHaveLength(1);
    held.release();
    await advance;
    expect(receiver.received).toHaveLength(1);
    await expectReplay(world);
    await expectReplay(again);
  });
});

describe("a replay with a delivery in the air stands as it ended until it is touched", () => {
  /** @returns the bundle of a world whose only webhook has left, and not come down. */
  async function inTheAir() {
    const held = holding();
    await using receiver = await startReceiver(held.answer);
    const world = await file.world({ postback_url: receiver.url });
    const id = await chargeOf(await Merchant.of(world));
    void world.act(id, "pay").catch(() => {});
    await receiver.arrived(1);
    const bundle = await world.export();
    held.release();
    return bundle;
  }

  test("after a reset, in a fork and after a restart too", async () => {
    const data = testFolder();
    const bundle = await inTheAir();
    const first = await startSandbox({ data });
    const { world } = await first.replay(bundle, { id: "played" });
    const untouched = async (one: WorldClient) => {
      expect(JSON.stringify(await one.journal())).toBe(JSON.stringify(bundle.journal));
      expect(await one.webhooks()).toMatchObject([{ status: "pending", attempts: [{ outcome: null }] }]);
    };
    await world.reset();
    await untouched(world);
    await untouched(await first.createWorld({ from: "played" }));
    await first.stop();
    await using second = await startSandbox({ data });
    const back = await second.world("played");
    await untouched(back);
    await back.advance("0s");
    expect(await back.webhooks()).toMatchObject([{ status: "delivered" }]);
  });
});

describe("what is refused, or comes in an odd form", () => {
  test("D18: wrong tokens, secrets, signatures and nonces count as they counted", async () => {
    const world = await file.world({ settings: { protections: "enforce" } });
    const merchant = await SigningMerchant.ofAccount(world);
    const cashout = { currency: "BRL", amount: "10.00", key: "ana@example.com" };
    const nonce = "5f0c3b3e-6a51-4b0e-9d9a-2f4f0f5b7a11";
    for (let count = 0; count < 6; count++) {
      await merchant.call("GET", "/v2/account/fees", undefined, { Authorization: "Bearer of bad tokens" });
      await merchant.call("POST", "/v2/oauth/token", { client_id: merchant.clientId, client_secret: "" });
      await merchant.call("POST", "/v2/oauth/token", { client_id: "x", client_secret: "x".repeat(201) });
      await merchant.call("POST", "/v2/oauth/token", { client_id: "x", client_secret: 7 });
      await merchant.cashout(cashout, { nonce });
      await merchant.cashout(cashout, { headers: { "X-Signature": "" } });
      await world.advance("1m");
    }
    for (let count = 0; count < 6; count++) await merchant.cashout(cashout, { sign: () => "0".repeat(64) });
    expect((await merchant.cashout(cashout)).status).toBe(403);
    await expectReplay(world);
  });

  test("D10: calls for a token in every form that works, and in forms that do not", async () => {
    const world = await file.world({ settings: { protections: "off" } });
    const { clientId, clientSecret } = await Merchant.of(world);
    const basic = { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const fields = `client_id=${clientId}&client_secret=${clientSecret}`;
    const json = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;
    const calls: readonly [status: number, body: string, headers: Record<string, string>][] = [
      [200, `{ ${json}, "scope": "a, b", "grant_type": "client\\u005fcredentials" }`, {}],
      [200, `{${json},"grant_type":"x","more":[{"grant_type":5}],"grant_type":null}`, {}],
      [200, `${fields}&grant%5Ftype=client%5Fcredentials&scope=a b&&odd`, form],
      [200, `{"a":"&${fields}&"}`, form],
      [200, "<xml>&=%", { ...basic, ...form }],
      [200, '{"client_secret":null}', basic],
      [401, `${fields}"`, form],
      [400, `${fields}&grant_type=client_credentials%22`, form],
      [400, `{${json}`, basic],
      [400, `[{${json}}]`, basic],
      [400, fields, basic],
    ];
    for (const [status, body, headers] of calls) {
      const answer = await new Merchant(world, world.credentials).call("POST", "/v2/oauth/token", body, headers);
      expect([body, answer.status]).toEqual([body, status]);
    }
    expect(JSON.stringify(await world.export())).not.toContain(clientSecret);
    await expectReplay(world);
  });

  test("D17: a black list, an account under review, limits of a credential, in a world with accounts of its own", async () => {
    const accounts = [{ username: "solo", name: "Solo Ltda", balances: { BRL: "500.50" } }, { username: "other" }];
    const world = await file.world({ accounts, settings: { fixtures: { terms: terms() } } });
    const merchant = await SigningMerchant.ofAccount(world, "solo");
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    expect((await merchant.cashin({ currency: "BRL", amount: "1.00" })).status).toBe(403);
    await world.call("PUT", "/blocked-ips", { ips: [] });
    await world.call("PATCH", "/accounts/solo", { status: "under_review" });
    expect((await merchant.cashin({ currency: "BRL", amount: "1.00" })).status).toBe(423);
    await world.call("PATCH", "/accounts/solo", { status: "active" });
    const limits = [{ currency: "BRL", operation: "cashin", per_operation_max: "5.00" }];
    await world.call("PATCH", `/credentials/${merchant.clientId}`, { limits });
    expect((await merchant.cashin({ currency: "BRL", amount: "6.00" })).status).toBe(409);
    expect((await merchant.transfer({ username: "other", currency: "BRL", amount: "500.50" })).status).toBe(200);
    await expectReplay(world);
  });

  test("bodies too large, an injected 413, headers that come twice, and control calls that are refused", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const inject = { error: "PAYLOAD_TOO_LARGE" };
    await world.call("PUT", "/faults", { rules: [{ request: "* /v2/*", inject, times: 2 }] });
    await merchant.call("GET", "/v2/account/balance");
    await merchant.authenticate();
    await merchant.cashin({ currency: "BRL", amount: "1.00", description: "x".repeat(1_100_000) });
    await merchant.call("GET", "/v2/account/balance?currency=BRL", undefined, { "Set-Cookie": "a=1", "X-Odd": "ção" });
    await control(world, "DELETE", "/scenarios/none");
    await control(world, "DELETE", "/clock/advance");
    await control(world, "POST", "/clock/advance", { to: "2020-01-01T00:00:00Z" });
    await control(world, "POST", "/accounts/globex/fund", { currency: "BRL", amount: "0.001" });
    const length = (await world.journal()).length;
    await control(world, "POST", "/scenarios", "scenario: odd\nrules: [", { "Content-Type": "application/yaml" });
    expect(await world.journal()).toHaveLength(length);
    await control(world, "POST", "/scenarios", "scenario: odd\nrules: []\n", { "Content-Type": "application/yaml" });
    await expectReplay(world);
  });

  test("scenarios by name, and files that changed and name others beside them", async () => {
    const pays = "scenario: pays\nrules:\n  - on: cashin.created\n    then:\n      - { after: 1s, pay: {} }\n";
    const top = (note: string) =>
      `scenario: top\nwith: [pays.yaml]\nrules:\n  - on: cashin.confirmed\n    then: [{ note: ${note} }]\n`;
    const folder = testFolder({ "pays.yaml": pays, "top.yaml": top("first") });
    const clock = ["--clock", "frozen", "--start", "2026-01-01T00:00:00Z"];
    const running = await startProcess("--scenario", join(folder, "top.yaml"), ...clock);
    onTestFinished(async () => void (await running.end("SIGKILL")));
    const { world } = running;
    await chargeOf(await Merchant.of(world));
    await world.call("DELETE", "/scenarios/pays");
    const loaded = (await world.journal()).length;
    writeFileSync(join(folder, "top.yaml"), top("second"));
    for await (const { kind, data } of world.follow(loaded)) {
      if (kind === "scenario.loaded" && data.scenario === "top") break;
    }
    await world.call("POST", "/scenarios", { name: "chargeback-lost" });
    await chargeOf(await Merchant.of(world));
    await world.advance("idle");
    const { scenarios } = await world.info();
    expect(scenarios).toEqual(["pays", "top", "chargeback-lost"]);
    await expectReplay(world);
  });

  test("an address written with escapes", async () => {
    const world = await file.world({ id: "escaped-1" });
    const escaped = { baseUrl: world.baseUrl.replace("escaped", "%65scaped") };
    const answer = await control(escaped, "PATCH", "/accounts/%61cme", { name: "Acme & Sons" });
    expect(answer.body).toMatchObject({ username: "acme", name: "Acme & Sons" });
    await expectReplay(world);
  });
});

describe("worlds that were something else before", () => {
  test("a fork, a restored snapshot and a reset world", async () => {
    await using receiver = await startReceiver(moody(9));
    const world = await file.world({ ...shipped, postback_url: receiver.url });
    const load = await MixedLoad.on(world, generator(8));
    await load.run(25);
    await world.takeSnapshot("half");
    await load.run(15);
    const fork = await file.sandbox.createWorld({ from: world.id });
    await (await MixedLoad.on(fork, generator(9), { name: "fork" })).run(15);
    await expectReplay(fork);
    await world.restore("half");
    await (await MixedLoad.on(world, generator(10), { name: "again" })).run(15);
    await expectReplay(world);
    for (const own of [fork, world]) {
      await own.reset();
      await (await MixedLoad.on(own, generator(11), { name: "reset" })).run(15);
      await expectReplay(own);
    }
  });

  test("a replay goes on by itself and replays too, comes back to its end, and sends nothing to anybody", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ ...shipped, postback_url: receiver.url, clock: { mode: "running" } });
    await chargeOf(await Merchant.of(world));
    await world.advance("5s");
    const again = await expectReplay(world);
    const end = JSON.stringify(await again.journal());
    expect(await again.clock()).toMatchObject({ mode: "frozen" });
    await chargeOf(await Merchant.of(again));
    await again.advance("idle");
    await expectReplay(await expectReplay(again));
    await again.reset();
    expect(JSON.stringify(await again.journal())).toBe(end);
    await again.advance("idle");
    expect(receiver.received).toHaveLength(1);
  });

  test("a world whose process was killed in the middle of an advance, with deliveries in the air", async () => {
    const folder = testFolder();
    await using receiver = await startReceiver(500, () => {});
    const args = ["--data", folder, "--clock", "frozen", "--start", "2026-01-01T00:00:00Z"];
    const first = await startProcess(...args, "--postback-url", receiver.url);
    onTestFinished(async () => void (await first.end("SIGKILL")));
    const merchant = await Merchant.of(first.world);
    const body = { currency: "BRL", amount: "10.00" };
    await merchant.cashin(body);
    first.world.advance("1h").catch(() => {});
    // The second attempt is in the air, at an instant that no entry tells of yet.
    await receiver.arrived(2);
    await first.end("SIGKILL");
    receiver.answerWith(200);
    const second = await startProcess(...args);
    onTestFinished(async () => void (await second.end("SIGKILL")));
    await (await Merchant.of(second.world)).cashin(body);
    await second.world.advance("idle");
    expect(receiver.received).toHaveLength(4);
    const times = receiver.received.map(({ headers }) => Number(headers["x-webhook-timestamp"]));
    expect(times).toEqual([...times].sort());
    await expectReplay(second.world, await connectSandbox(second.baseUrl));
    // On another machine, so to say.
    await expectReplay(second.world);
  });
});

/** Data of `fixtures/` that a world replaces. */
function terms() {
  return { conversion_spread_percentage: "2.5", wallets_per_credential: 1 };
}

/** Answers of a receiver that come when they are let go. */
function holding(): { answer: NonNullable<Parameters<Receiver["answerWith"]>[0]>; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    answer: async (_request, response) => {
      await released;
      response.writeHead(200).end("ok");
    },
    release: () => release(),
  };
}
