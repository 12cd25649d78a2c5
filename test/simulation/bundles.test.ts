/** Bundles: what stands in them and what does not, those that were changed, and files that are none. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bundleAsJson, exportBundle, LargeBundle } from "../../src/history/bundle.ts";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import type { BundleInfo, WorldClient } from "../../src/index.ts";
import { startBareServer } from "../support/bare-server.ts";
import { bareWorld } from "../support/bare-world.ts";
import { chargeOf, makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { tokenCalls } from "./load/tables.ts";

const file = useSandbox();

type Bundle = BundleInfo;

const shipped = { scenarios: ["happy-path", "magic-values"] };

/** A short history: a charge, its payment, a webhook that is refused once, and something done by hand. */
async function bundleOf(world: WorldClient): Promise<Bundle> {
  await using receiver = await startReceiver(500, 200);
  await world.setPostbackUrl("acme", receiver.url);
  await chargeOf(await Merchant.of(world), { external_id: "order-1" });
  await world.advance("idle");
  await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "7.00" });
  return world.export();
}

/** The bundle with something else in it. */
function changed(bundle: Bundle, change: (bundle: Bundle) => unknown): Bundle {
  const copy = structuredClone(bundle);
  change(copy);
  return copy;
}

async function replayOf(bundle: unknown) {
  const { world, ...outcome } = await file.sandbox.replay(bundle as BundleInfo);
  await world.delete();
  return outcome;
}

test("a bundle tells of itself, of the world's beginning, and of its end", async () => {
  const world = await file.world({ ...shipped, seed: 7, settings: { webhook_rate: 50 } });
  const bundle = await bundleOf(world);
  expect(bundle).toMatchObject({ format: "payments-sandbox-bundle", version: 1, made_by: expect.any(String) });
  expect(bundle.world).toMatchObject({ id: world.id, seed: 7, settings: { webhook_rate: 50 }, accounts: null });
  expect(bundle.world.scenarios.map(({ file: name }) => name)).toEqual([
    "scenarios/happy-path.yaml",
    "scenarios/magic-values.yaml",
  ]);
  expect(new Date(bundle.now).toISOString()).toBe((await world.clock()).now);
  expect(JSON.stringify(bundle.journal)).toBe(JSON.stringify(await world.journal()));
});

test("others have their turn while a bundle is written, and what they do is not in it", async () => {
  const server = await startBareServer({ onFault: () => {} });
  onTestFinished(() => server.stop());
  const world = server.sandbox.get(DEFAULT_WORLD)?.world;
  if (!world) throw new Error("There is no default world.");
  await control(server, "POST", "/clock/advance", { by: "5s" });
  const whole = JSON.stringify(exportBundle(world));
  let isWritten = false;
  const written = bundleAsJson(world).finally(() => {
    isWritten = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isWritten).toBe(false);
  world.operate((operation) => operation.record("note", null, { text: "meanwhile" }));
  world.commit();
  expect((await written).toString()).toBe(whole);
  expect(exportBundle(world).journal.at(-1)).toMatchObject({ kind: "note" });
});

test("a bundle is written piece by piece, and no further than it can be read again", async () => {
  const server = await startBareServer({ onFault: () => {} });
  onTestFinished(() => server.stop());
  const world = server.sandbox.get(DEFAULT_WORLD)?.world;
  if (!world) throw new Error("There is no default world.");
  for (let count = 0; count < 2; count++) {
    const whole = JSON.stringify(exportBundle(world));
    expect((await bundleAsJson(world, whole.length)).toString()).toBe(whole);
    await expect(bundleAsJson(world, whole.length - 1)).rejects.toThrow(LargeBundle);
    await fetch(`${server.baseUrl}/v2/oauth/token`, { method: "POST" });
    await control(server, "POST", "/clock/advance", { by: "5s" });
    await fetch(`${server.baseUrl}/v2/account/fees`);
  }
  expect(exportBundle(world).inputs.map(({ kind }) => kind)).toEqual([
    "request",
    "control",
    "request",
    "request",
    "control",
    "request",
  ]);
  vi.spyOn(world.journal, "after").mockImplementationOnce(() => {
    throw new LargeBundle();
  });
  const { status, body } = await control(server, "GET", "/export");
  expect([status, body.error.code]).toEqual([409, "BUNDLE_TOO_LARGE"]);
  expect(body.error.message).toContain("400 MiB");
});

test("a world that has lost what it was made from gives no bundle: that would be one without a world", () => {
  const world = bareWorld("lost");
  onTestFinished(() => world.database.close());
  world.meta.set("spec", null);
  expect(() => exportBundle(world)).toThrow("What the world was made from is not there.");
});

test("what came of a webhook is written when the next one has left, in one order: to one address, and to several", async () => {
  await using receiver = await startReceiver();
  const world = await file.world({ ...shipped, postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  for (const count of [1, 2, 3]) await chargeOf(merchant, { external_id: `one-${count}` });
  for (const count of [1, 2, 3]) await chargeOf(merchant, { postback_url: `${receiver.url}/${count}` });
  await world.advance("5s");
  const kinds = (await world.export()).inputs.map(({ kind }) => kind);
  const written = kinds.filter((kind) => kind === "dispatch" || kind === "landing");
  expect(written).toEqual(["dispatch", ...Array(5).fill(["dispatch", "landing"]).flat(), "landing"]);
});

test.each([
  ["setting its clock ahead", (world: WorldClient) => world.call("POST", "/clock", { now: "2026-01-01T12:00:15Z" })],
  ["settling", (world: WorldClient) => world.settle()],
])("a replay that ends with a webhook in the air delivers it first of all upon %s", async (_call, touch) => {
  await using receiver = await startHeld();
  const world = await file.world({ ...shipped, postback_url: receiver.url });
  await makeCharge(world);
  const advance = world.advance("5s");
  await receiver.arrived(1);
  const bundle = await world.export();
  receiver.release();
  await advance;
  const { world: again } = await file.sandbox.replay(bundle);
  await touch(again);
  const [webhook] = await again.webhooks();
  expect(webhook?.status).toBe("delivered");
  const [delivered] = (await again.journal()).filter(({ kind }) => kind === "webhook.delivered");
  expect(delivered?.at).toBe("2026-01-01T12:00:05.000Z");
  expect(await replayOf(await again.export())).toMatchObject({ identical: true });
});

test("bundles of copies name the copy: of a fork, of one from a snapshot, and of a world made like another", async () => {
  const origin = await file.world();
  await origin.takeSnapshot("early");
  const copies = [
    await file.sandbox.createWorld({ from: origin.id }),
    await file.sandbox.createWorld({ from: { world: origin.id, snapshot: "early" } }),
    await file.world(),
  ];
  for (const copy of copies) expect((await copy.export()).world.id).toBe(copy.id);
});

test("a call with more values than those of the service may have is made again like any other", async () => {
  const world = await file.world();
  await world.scenarios.load({ scenario: "long", description: ",".repeat(100_001) });
  expect(await replayOf(await world.export())).toMatchObject({ identical: true, difference: null });
});

test("no secret stands in a bundle: no client secret, signing key, access token or signature", async () => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  for (const ask of tokenCalls) expect((await ask(merchant)).status).toBe(200);
  const { clientSecret, clientId } = merchant;
  await merchant.call("POST", "/v2/oauth/tokens", { client_id: clientId, client_secret: clientSecret });
  await merchant.call("PUT", "/v2/oauth/token", { client_secret: clientSecret });
  await merchant.call("GET", `/v2/account/fees?client_secret=${clientSecret}&access_token=${merchant.token}`);
  await merchant.call("GET", "/v2/account/fees", undefined, {
    "X-Api-Key": clientSecret,
    Cookie: `token=${merchant.token}`,
  });
  const signatures: string[] = [];
  await merchant.convert(
    { base_currency: "BRL", destination_currency: "USDT", amount: 10 },
    { sign: () => signatures[signatures.push("5".repeat(64)) - 1] ?? "" },
  );
  const issued = await world.call<{ client_secret: string }>("POST", "/accounts/acme/credentials", {});
  const text = JSON.stringify(await world.export());
  const { accounts } = await world.info();
  const credentials = accounts.flatMap((account) => account.credentials);
  const secrets = credentials.flatMap(({ client_secret, signing_key }) => [client_secret, signing_key]);
  expect(secrets).toContain(issued.client_secret);
  const hidden = [...secrets, ...secrets.map((secret) => encodeURIComponent(secret)), merchant.token, ...signatures];
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  expect([...hidden, basic].filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain(clientId);
});

describe("a bundle that was changed replays to where it differs", () => {
  test("one entry of the journal", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    const sequence = bundle.journal.findIndex(({ kind }) => kind === "transition") + 1;
    const forged = changed(bundle, ({ journal }) => {
      (journal[sequence - 1] as { data: object }).data = { resource: "cashin", from: null, to: "confirmed" };
    });
    expect(await replayOf(forged)).toStrictEqual({
      identical: false,
      entries: sequence - 1,
      difference: {
        sequence,
        expected: forged.journal[sequence - 1],
        actual: bundle.journal[sequence - 1],
        reason: null,
      },
      made_by: bundle.made_by,
    });
  });

  test.each([
    ["an entry more at the end", 1],
    ["an entry less at the end", -1],
  ])("%s", async (_what, more) => {
    const bundle = await bundleOf(await file.world(shipped));
    const last = bundle.journal.at(-1);
    if (!last) throw new Error("The journal is empty.");
    const further = { ...last, sequence: last.sequence + 1 };
    const forged = changed(bundle, ({ journal }) => void (more > 0 ? journal.push(further) : journal.pop()));
    const [expected, actual] = more > 0 ? [further, null] : [null, last];
    const sequence = more > 0 ? further.sequence : last.sequence;
    expect(await replayOf(forged)).toMatchObject({ identical: false, difference: { sequence, expected, actual } });
  });

  test("one input is missing", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    for (const [index, input] of bundle.inputs.entries()) {
      const forged = changed(bundle, ({ inputs }) => void inputs.splice(index, 1));
      const { identical, difference } = await replayOf(forged);
      expect([input.kind, identical]).toEqual([input.kind, false]);
      // The first entry that is not as it was, or is not there at all, at the instant of the input or after it.
      const at = Date.parse(difference?.expected?.at ?? difference?.actual?.at ?? "");
      expect(at).toBeGreaterThanOrEqual(input.at);
      expect(difference?.actual ?? difference?.reason).toBeTruthy();
    }
  });

  test("an answer of a receiver", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    const forged = changed(bundle, ({ inputs }) => {
      const landing = inputs.find(({ kind }) => kind === "landing") as { outcome: string; status: number } | undefined;
      Object.assign(landing ?? {}, { outcome: "delivered", status: 200 });
    });
    const entry = bundle.journal.find(({ kind }) => kind === "webhook.failed");
    expect(await replayOf(forged)).toMatchObject({
      identical: false,
      difference: { sequence: entry?.sequence, expected: entry, actual: { kind: "webhook.delivered" } },
    });
  });

  test("the body of a call, the seed, a setting, a rule, an instant", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    const changes: ((bundle: Bundle) => unknown)[] = [
      ({ inputs }) => {
        const call = inputs.find((input) => input.kind === "request" && input.path.endsWith("cashin"));
        (call as unknown as { body: object }).body = { text: '{"currency":"BRL","amount":"9.00"}' };
      },
      ({ world }) => Object.assign(world, { seed: world.seed + 1 }),
      ({ world }) => Object.assign(world.settings, { cashout_fee: "added" }),
      ({ world }) => void world.scenarios.splice(0, 1),
      ({ inputs }) => {
        for (const input of inputs) input.at += 1;
      },
      (whole) => Object.assign(whole, { operations: whole.operations + 1 }),
    ];
    const outcomes = await Promise.all(changes.map((change) => replayOf(changed(bundle, change))));
    // The setting is of nothing that happened here.
    expect(outcomes.map(({ identical }) => identical)).toEqual([false, false, true, false, false, false]);
  });

  test("inputs in another order, twice, and of what never was", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    const [first] = bundle.inputs;
    const dispatch = bundle.inputs.find(({ kind }) => kind === "dispatch");
    for (const change of [
      ({ inputs }: Bundle) => void inputs.reverse(),
      ({ inputs }: Bundle) => void inputs.splice(1, 0, structuredClone(first as Bundle["inputs"][number])),
      ({ inputs }: Bundle) => {
        Object.assign(inputs.find(({ kind }) => kind === "dispatch") ?? {}, { sequence: 999_999 });
      },
      ({ inputs }: Bundle) => {
        Object.assign(inputs.find(({ kind }) => kind === "landing") ?? {}, { attempt: 999 });
      },
    ]) {
      const { identical, difference } = await replayOf(changed(bundle, change));
      expect([identical, difference?.reason]).toEqual([false, expect.any(String)]);
    }
    expect(dispatch).toBeDefined();
  });

  test("its control calls reach nothing but its own world", async () => {
    const other = await file.world({ id: "victim" });
    await other.takeSnapshot("early");
    const worlds = async () => (await file.sandbox.defaultWorld()).all<{ world: string }>("/worlds");
    const [before, bundle] = [await worlds(), await bundleOf(await file.world({ ...shipped, id: "forger" }))];
    for (const [method, path] of [
      ["DELETE", "/worlds/victim"],
      ["POST", "/worlds"],
      ["POST", "/reset"],
      ["POST", "/snapshots"],
      ["POST", "/snapshots/early/restore"],
      ["GET", "/export"],
      ["POST", "/nowhere"],
    ] as const) {
      const forged = changed(bundle, ({ inputs, world }) => {
        world.id = "victim";
        const call = inputs.find(({ kind }) => kind === "control");
        Object.assign(call ?? {}, { method, path, body: "{}" });
      });
      const { difference } = await replayOf(forged);
      expect([path, difference]).toEqual([path, expect.objectContaining({ reason: expect.stringContaining(path) })]);
    }
    expect((await worlds()).map(({ world }) => world)).toEqual([...before.map(({ world }) => world), "forger"]);
    expect((await other.snapshots()).map(({ name }) => name)).toEqual(["early"]);
  });
});

describe("what is no bundle", () => {
  async function expectRefused(replay: unknown, status: number, code: string, message: RegExp): Promise<void> {
    const world = await file.sandbox.defaultWorld();
    const before = await world.all("/worlds");
    const answer = await control(world, "POST", "/worlds", { id: "none", replay });
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.message).toMatch(/^[^\n]*(?<!\?)[.?]$/);
    expect(await world.all("/worlds")).toEqual(before);
  }

  test("something else", async () => {
    await expectRefused({}, 422, "INVALID_BUNDLE", /no bundle/);
    await expectRefused({ format: "tar" }, 422, "INVALID_BUNDLE", /no bundle/);
    for (const given of [[], "bundle", 7, null])
      await expectRefused(given, 400, "INVALID_REQUEST", /^replay .*must be /);
  });

  test("a bundle of another version: which it is, and which would be right", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    for (const version of [0, 2, "1", null]) {
      const words = new RegExp(`version ${JSON.stringify(version)}.*version 1`);
      await expectRefused({ ...bundle, version }, 422, "INVALID_BUNDLE", words);
    }
  });

  test.each([
    [
      "without its journal",
      "journal is missing\\.",
      (bundle: Bundle) => void Reflect.deleteProperty(bundle, "journal"),
    ],
    ["with a field more", "unknown field extra\\.", (bundle: Bundle) => void Object.assign(bundle, { extra: 1 })],
    [
      "with an unknown kind of input",
      "inputs.0.kind must be one of request, ",
      ({ inputs }: Bundle) => void Object.assign(inputs[0] ?? {}, { kind: "x" }),
    ],
    ["with an instant that is none", "now must be ", (bundle: Bundle) => Object.assign(bundle, { now: 9e15 })],
    [
      "with a clock that runs backwards",
      "world.clock.speed must be more than 0",
      ({ world }: Bundle) => Object.assign(world.clock, { speed: -1 }),
    ],
    ["with an id that is none", "world.id must match ", ({ world }: Bundle) => Object.assign(world, { id: "../up" })],
    [
      "with an unknown setting",
      "unknown field world.settings.x\\.",
      ({ world }: Bundle) => void Object.assign(world.settings, { x: 1 }),
    ],
    [
      "with an account that is none",
      "world.accounts.0.username is missing\\.",
      ({ world }: Bundle) => void Object.assign(world, { accounts: [{}] }),
    ],
  ])("a damaged one: %s", async (_what, path, damage) => {
    const bundle = await bundleOf(await file.world(shipped));
    await expectRefused(changed(bundle, damage), 422, "INVALID_BUNDLE", new RegExp(`damaged: .*${path}`));
  });

  test.each([
    [
      "a scenario that is none",
      ({ world }: Bundle) => void Object.assign(world.scenarios[0] ?? {}, { text: "rules: 7" }),
    ],
    ["data that is none", ({ world }: Bundle) => void Object.assign(world.settings, { fixtures: { fees: 7 } })],
    [
      "a balance of no currency",
      ({ world }: Bundle) => void Object.assign(world, { accounts: [{ username: "a", balances: { XXX: "1" } }] }),
    ],
  ])("one whose world cannot be made: %s", async (_what, damage) => {
    const bundle = await bundleOf(await file.world(shipped));
    const words = /^The world of this bundle cannot be made: .*(happy-path\.yaml|fixtures\.fees|balances\.XXX)/;
    await expectRefused(changed(bundle, damage), 422, "INVALID_BUNDLE", words);
  });

  test("one whose world cannot be made is told with one stop, or with the question that ends it", async () => {
    const bundle = await bundleOf(await file.world(shipped));
    const refused = changed(
      bundle,
      ({ world }) => void Object.assign(world.settings, { fixtures: { rates: { BLR: "1" } } }),
    );
    await expectRefused(refused, 422, "INVALID_BUNDLE", /: settings\.fixtures\.rates .*did you mean "BRL"\?$/);
  });

  test("a replay takes no other settings, and no id that is taken", async () => {
    const world = await file.world({ ...shipped, id: "taken" });
    const bundle = await bundleOf(world);
    const root = await file.sandbox.defaultWorld();
    expect(await control(root, "POST", "/worlds", { replay: bundle, seed: 5 })).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining("seed") } },
    });
    expect(await control(root, "POST", "/worlds", { replay: bundle, id: "taken" })).toMatchObject({
      status: 409,
      body: { error: { code: "WORLD_EXISTS" } },
    });
    expect((await control(root, "POST", "/worlds", { replay: bundle, id: "kept", ttl: "1h" })).status).toBe(201);
    const answer = await control({ baseUrl: `${file.sandbox.baseUrl}/worlds/put` }, "PUT", "", { replay: bundle });
    expect(answer).toMatchObject({ status: 201, body: { world: "put", replay: { identical: true } } });
  });
});
