/** Every event kind can be made to happen, by the same calls and actions that bring it about in a story. */
import { describe, expect, test, vi } from "vitest";
import { eventKinds } from "../../src/domain/events.ts";
import { TriggerError } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const worldWithInbox = () => file.world({ postback_url: "sandbox://inbox" });

/** A world whose scenario does something at once on each of some triggers. */
function worldOf(actions: Readonly<Record<string, string>>) {
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  const rules = Object.entries(actions).map(([on, action]) => ({ on, then: [{ [action]: {} }] }));
  return file.world({ scenarios: [{ scenario: "quick", rules }] });
}

describe("trigger", () => {
  test.each(eventKinds)("%s happens, and its webhook is delivered", async (kind) => {
    const world = await worldWithInbox();
    const webhook = await world.trigger(kind);
    expect(webhook).toMatchObject({ event: kind, status: "delivered" });
    expect(await world.checkLedger()).toMatchObject({ ok: true });
  });

  test("a scenario that was faster on a fast clock is told of, with what helps", async () => {
    const clock = { start: "2026-01-01T12:00:00Z", mode: "running", speed: 100_000 } as const;
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox", clock });
    const failed = world.trigger("cashout.failed");
    const words =
      /does not allow "fail".*The clock runs 100000 times as fast as real time: freeze it, .* with \w{32}\.$/;
    await expect(failed).rejects.toThrow(words);
  });

  test.each(["conversion.confirmed", "conversion.refunded"] as const)(
    "D40 %s happens though the program's own quote of the same amount has ended",
    async (kind) => {
      const world = await worldWithInbox();
      const quote = { base_currency: "BRL", destination_currency: "USDT", amount: 100 } as const;
      await world.merchant().call("POST /v2/conversions/simulate", quote);
      await world.advance("61s");
      expect(await world.trigger(kind)).toMatchObject({ event: kind });
    },
  );

  test("a value within the event's data is set", async () => {
    const world = await worldWithInbox();
    const set = { amount: "12.34", external_id: "order-7", "payer.name": "Ana Souza" };
    const { body } = await world.trigger("cashin.confirmed", { set });
    expect(body.data).toMatchObject({ amount: "12.34", external_id: "order-7", payer: { name: "Ana Souza" } });
    const failed = await world.trigger("cashout.failed", { set: { error_code: "BLACKLISTED", amount: "3.00" } });
    expect(failed.body.data).toMatchObject({ error_code: "BLACKLISTED", amount: "3.00" });
    const crypto = await world.trigger("wallet_deposit", {
      set: { currency: "USDT", chain: "tron", amount_gross: "5" },
    });
    expect(crypto.body).toMatchObject({ currency: "USDT", chain: "tron", amount_gross: "5.000000" });
    const converted = await world.trigger("conversion.confirmed", { set: { amount_from: "10", currency_to: "BTC" } });
    expect(converted.body.data).toMatchObject({ amount_from: "10.00", currency_to: "BTC" });
  });

  test.each([
    [{ currency_from: "USDT" }, "USDT to BRL"],
    [{ currency_to: "BRL" }, "USDT to BRL"],
    [{ currency_to: "USDC" }, "BRL to USDC"],
    [{ currency_from: "USDT", currency_to: "BTC" }, "USDT to BTC"],
  ])("a conversion of which %o is set has another currency on its other side: %s", async (set, pair) => {
    const { body } = await (await worldWithInbox()).trigger("conversion.confirmed", { set });
    expect(`${body.data.currency_from} to ${body.data.currency_to}`).toBe(pair);
  });

  test.each([
    { currency: "BRL", network: "PIX" },
    { currency: "MXN" },
    { currency: "BTC", amount: "0.1" },
    { currency: "SOL" },
    { currency: "BNB", amount: "1" },
    { currency: "USDT", network: "TRC20" },
    { currency: "USDC", network: "base" },
  ])("D36: a cash-out goes to a destination of its own kind, which the gateway lets pass: %o", async (set) => {
    const world = await worldWithInbox();
    const { transaction_id } = await world.trigger("cashout.confirmed", { set });
    const { status, currency, amount, wallet } = await world.transaction(transaction_id);
    expect(status).toBe("confirmed");
    const body = { currency, amount, key: String(wallet), ...(set.network ? { network: set.network } : {}) };
    const again = await world.merchant().call("POST /v2/transactions/cashout", body);
    await world.advance("1s");
    expect((await world.transaction(again.transaction_id)).status).toBe("pending");
  });

  test.each(eventKinds)("two of %s at once: each tells of its own", async (kind) => {
    const world = await worldWithInbox();
    const [one, other] = await Promise.all([world.trigger(kind), world.trigger(kind)]);
    expect(one.subject).not.toBe(other.subject);
  });

  test("what was set is in what is told, whatever others make meanwhile", async () => {
    const world = await worldWithInbox();
    const amounts = ["5.00", "6.00", "7.00"];
    const refunds = amounts.map((amount) => world.trigger("cashin.refunded", { set: { amount_refunded: amount } }));
    expect((await Promise.all(refunds)).map(({ body }) => body.data.amount_refunded)).toEqual(amounts);
  });

  test("a resource that is there goes on from its state", async () => {
    const world = await worldWithInbox();
    const paid = await world.trigger("cashin.confirmed");
    const disputed = await world.trigger("chargeback.opened", { on: paid.transaction_id });
    expect(disputed.body.data).toMatchObject({ transaction_id: paid.transaction_id });
    const dispute = String(disputed.body.data?.infraction_id);
    const won = await world.trigger("chargeback.won", { on: dispute });
    expect(won.body.data).toMatchObject({ infraction_id: dispute });
  });

  test("of a disputed charge it is the dispute that goes on", async () => {
    const world = await worldWithInbox();
    const disputed = await world.trigger("chargeback.opened");
    const won = await world.trigger("chargeback.won", { on: disputed.transaction_id });
    expect(won.body.data).toMatchObject({ infraction_id: disputed.body.data?.infraction_id });
  });

  test.each([
    ["an unknown kind", "cashin.confirmd", {}, 'did you mean "cashin.confirmed"'],
    ["an unknown path", "cashin.confirmed", { set: { amont: "1" } }, 'did you mean "amount"'],
    [
      "a part of it as a whole",
      "cashin.confirmed",
      { set: { payer: "Ana" } },
      'has no "payer" that can be set; known are',
    ],
    [
      "a slip within a part",
      "cashin.confirmed",
      { set: { "payer.nam": "Ana" } },
      'can be set; did you mean "payer.name"?',
    ],
    ["a path that follows from the rest", "cashin.confirmed", { set: { fee: "1" } }, "follows from the rest"],
    ["an unknown resource", "cashin.confirmed", { on: "nobody" }, "nobody"],
  ])("%s is refused, and nothing changes", async (_what, event, options, words) => {
    const world = await worldWithInbox();
    const before = await world.journal();
    const refusal = world.trigger(event, options);
    await expect(refusal).rejects.toThrow(TriggerError);
    await expect(refusal).rejects.toThrow(words);
    expect(await world.journal()).toEqual(before);
  });

  test.each([
    ["a code that there is not", "cashout.failed", { error_code: "NOPE" }, "error_code must be one of"],
    [
      "a refund of more than was paid",
      "cashin.refunded",
      { amount_refunded: "999999" },
      "amount_refunded must be at most 100.00",
    ],
    ["a payer without a document", "cashin.confirmed", { "payer.document": "" }, "payer.document must not be empty"],
    ["a deposit that is no amount", "wallet_deposit", { amount_gross: "abc" }, "amount"],
    [
      "a hash of another chain",
      "cashin.confirmed",
      { currency: "USDT", chain: "ethereum", tx_hash: "x" },
      "tx_hash must be a transaction hash of ethereum",
    ],
    ["a hash where there is no chain", "cashin.confirmed", { tx_hash: "ab".repeat(32) }, "tx_hash is for payments on"],
    [
      "a chain of what has none",
      "cashin.confirmed",
      { chain: "tron" },
      'cashin.confirmed in BRL has no "chain"; set a',
    ],
    ["the same of a fixed wallet", "wallet.created", { chain: "tron" }, 'wallet.created in BRL has no "chain"'],
    ["the same where no event tells it", "cashin.refunded", { chain: "tron" }, 'cashin.refunded in BRL has no "chain"'],
    [
      "the same in another currency",
      "cashin.expired",
      { currency: "BRL", chain: "tron" },
      'in BRL has no "chain"; set',
    ],
    [
      "a network of what has a method of its own",
      "cashout.confirmed",
      { network: "SPEI" },
      "cashout.confirmed in BRL has the network PIX; set a currency that goes by another one, or leave it out.",
    ],
    ["a chain as the network of one", "cashout.failed", { currency: "MXN", network: "TRC20" }, "has the network SPEI;"],
    ["the payer of a payment on a chain", "cashin.confirmed", { currency: "BTC", "payer.name": "Ana" }, '"payer.name"'],
    ["the receiver of one", "cashout.confirmed", { currency: "BTC", "receiver.bank": "Ana" }, '"receiver.bank"'],
    ["a dispute of what is no PIX", "chargeback.won", { currency: "MXN" }, "Only a PIX can be disputed"],
    [
      "one of what needs a chain",
      "chargeback.opened",
      { currency: "USDT" },
      "Only a PIX can be disputed, not a charge in",
    ],
    [
      "one on a chain",
      "chargeback.won",
      { currency: "USDT", chain: "tron" },
      "Only a PIX can be disputed, not a charge on",
    ],
  ])("%s is refused before anything is made", async (_what, event, set, words) => {
    const world = await worldWithInbox();
    const before = await world.journal();
    const refusal = world.trigger(event, { set });
    await expect(refusal).rejects.toThrow(words);
    await expect(refusal).rejects.toMatchObject({ name: "TriggerError", isWrongInput: true });
    expect(await world.journal()).toEqual(before);
  });

  test("an account that owes is in nobody's way (D35)", async () => {
    const world = await worldWithInbox();
    await world.accounts.create({ username: "other" });
    const lent = await world.trigger("cashin.confirmed", { set: { amount: "900" } });
    const owing = world.merchant();
    const balances = async () => (await world.accounts.get("acme")).balances;
    const has = (await balances()).find(({ currency }) => currency === "BRL")?.balance ?? "";
    const whole = Number(has) - 1;
    await owing.call("POST /v2/internal_transfers/payment", { username: "other", currency: "BRL", amount: whole });
    await world.transactions.dispute(lent.transaction_id, { reason: "none" });
    const [dispute] = await world.disputes.list();
    await world.disputes.lose(dispute?.infraction_id ?? "");
    const owed = (await balances()).find(({ currency }) => currency === "BRL");
    expect(owed?.balance.startsWith("-")).toBe(true);
    expect(await world.trigger("cashin.confirmed", { set: { amount: "12.50" } })).toMatchObject({
      event: "cashin.confirmed",
    });
  });

  test("what a conversion comes to goes by the rates as they are now, not as the world was made with", async () => {
    const settings = { fixtures: { rates: { BRL: "0.000000000001", BTC: "60000" } } };
    const world = await file.world({ postback_url: "sandbox://inbox", settings });
    const trigger = () => world.trigger("conversion.confirmed", { set: { currency_to: "BTC" } });
    await expect(trigger()).rejects.toThrow("amount is too small: nothing of it would be left in BTC");
    await world.rates.set({ BRL: "0.2" });
    expect(await trigger()).toMatchObject({ body: { data: { currency_from: "BRL", currency_to: "BTC" } } });
  });

  test("more than the account has is refused before anything is made, too", async () => {
    const world = await worldWithInbox();
    const before = await world.journal();
    await expect(world.trigger("cashout.confirmed", { set: { amount: "999999" } })).rejects.toMatchObject({
      name: "ServiceCallError",
      code: "INSUFFICIENT_BALANCE",
    });
    expect(await world.journal()).toEqual(before);
  });

  test("what an action took that is done already is refused: it would make no difference", async () => {
    const world = await worldWithInbox();
    const { transaction_id: on = "" } = await world.trigger("cashin.confirmed");
    const before = await world.journal();
    await expect(world.trigger("cashin.refunded", { on, set: { "payer.name": "Ana" } })).rejects.toThrow(
      'cashin.refunded tells no "payer.name"; what can be set is amount_refunded, reason.',
    );
    const late = world.trigger("chargeback.won", { on, set: { tx_hash: "zz" } });
    await expect(late).rejects.toThrow('chargeback.won tells no "tx_hash"; there is nothing to set.');
    expect(await world.journal()).toEqual(before);
    const refunded = await world.trigger("cashin.refunded", { on, set: { amount_refunded: "1.00" } });
    expect(refunded.body).toMatchObject({ data: { amount_refunded: "1.00" } });
  });

  test("a resource that is there is not left half-way either", async () => {
    const world = await worldWithInbox();
    const { transaction_id: on } = await world
      .merchant()
      .call("POST /v2/transactions/cashin", { currency: "BRL", amount: "5.00" });
    const refusal = world.trigger("cashin.refunded", { on, set: { amount_refunded: "5.01" } });
    await expect(refusal).rejects.toThrow("must be at most 5.00");
    expect(await world.transaction(on)).toMatchObject({ status: "pending" });
  });

  test("nor where its kind is refused what comes second, with nothing set", async () => {
    const world = await worldWithInbox();
    const charge = { currency: "USDT", chain: "tron", amount: "5.00" } as const;
    const { transaction_id: on } = await world.merchant().call("POST /v2/transactions/cashin", charge);
    const refusal = world.trigger("chargeback.won", { on });
    await expect(refusal).rejects.toMatchObject({ name: "TriggerError", isWrongInput: true });
    await expect(refusal).rejects.toThrow("Only a PIX can be disputed");
    expect(await world.transaction(on)).toMatchObject({ status: "pending" });
  });

  test("one that its credential's own limits let be made goes on all the same", async () => {
    const world = await worldWithInbox();
    const per_operation_max = "5000000.00";
    const limits = [{ currency: "BRL", operation: "cashin", per_operation_max } as const];
    await world.accounts.updateCredential(world.credentials.clientId, { limits });
    const charge = { currency: "BRL", amount: "2000000.00" };
    const { transaction_id: on } = await world.merchant().call("POST /v2/transactions/cashin", charge);
    const set = { reason: "It was broken." };
    expect(await world.trigger("cashin.refunded", { on, set })).toMatchObject({ body: { data: set } });
  });

  test("an external id that is taken is told with who has it", async () => {
    const world = await worldWithInbox();
    const set = { external_id: "order-1" };
    const { transaction_id } = await world.trigger("cashin.confirmed", { set });
    for (const event of ["cashin.confirmed", "conversion.confirmed"] as const) {
      await expect(world.trigger(event, { set })).rejects.toThrow(
        `The external_id "order-1" is taken by ${transaction_id}: set another one, or make it happen on ${transaction_id}.`,
      );
    }
  });

  test("of an external id that is nobody's no list is read", async () => {
    const world = await worldWithInbox();
    const lists = vi.spyOn(world, "all");
    await world.trigger("cashin.confirmed", { set: { external_id: "order-1" } });
    expect(lists.mock.calls.map(([path]) => path).filter((path) => !path.startsWith("/webhooks?"))).toEqual([]);
  });

  test("an external id of another account, or of a call that was refused, is not taken", async () => {
    const world = await worldWithInbox();
    const [, other] = (await world.info()).accounts;
    const charge = { currency: "BRL", amount: "10.00" };
    await world.merchant(other?.username).call("POST /v2/transactions/cashin", { ...charge, external_id: "order-1" });
    const refused = world
      .merchant()
      .call("POST /v2/transactions/cashin", { ...charge, amount: "0", external_id: "order-2" });
    await expect(refused).rejects.toThrow("INVALID");
    for (const external_id of ["order-1", "order-2", ".."]) {
      const { body } = await world.trigger("cashin.confirmed", { set: { external_id } });
      expect(body).toMatchObject({ data: { external_id } });
    }
  });

  test("a fixed wallet is known by its id, and by what the envelope calls it", async () => {
    const world = await worldWithInbox();
    const made = await world.trigger("wallet.created");
    const { wallet_id } = made.body.data;
    for (const on of [String(wallet_id), `wallet_${wallet_id}`]) {
      const deposit = await world.trigger("wallet_deposit", { on });
      expect(deposit.body).toMatchObject({ event: "wallet_deposit", wallet_id });
      expect((await control(world, "GET", `/wallets/${on}`)).body.wallet_id).toBe(wallet_id);
      expect((await control(world, "POST", `/wallets/${on}/deposit`, { amount: "5" })).status).toBe(200);
    }
  });

  test("a state that does not lead there is told with what it allows", async () => {
    const world = await worldWithInbox();
    const expired = await world.trigger("cashin.expired");
    await expect(world.trigger("cashin.refunded", { on: expired.transaction_id })).rejects.toThrow("is expired");
  });

  test.each(["cashin.refunded", "chargeback.opened", "chargeback.lost"])(
    "%s happens to a deposit that is there",
    async (event) => {
      const world = await file.world({ postback_url: "sandbox://inbox" });
      const deposit = await world.trigger("wallet_deposit", { set: { currency: "BRL" } });
      const webhook = await world.trigger(event, { on: deposit.subject });
      expect(webhook).toMatchObject({ event });
    },
  );

  test("it happens to the resource with an external id", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const order = { currency: "BRL", amount: 5, external_id: "order-1" };
    const { transaction_id } = await world.merchant().call("POST /v2/transactions/cashin", order);
    expect(await world.trigger("cashin.confirmed", { on: "order-1" })).toMatchObject({ transaction_id });
    const others = { ...order, external_id: "order-2" };
    const charge = await world.merchant("globex").call("POST /v2/transactions/cashin", others);
    expect((await world.trigger("cashin.confirmed", { on: "order-2" })).transaction_id).toBe(charge.transaction_id);
  });

  test("an open dispute is told to stand in the way, with what to do", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const { subject, body } = await world.trigger("chargeback.opened");
    const id = body.data.transaction_id;
    await expect(world.trigger("cashin.refunded", { on: id })).rejects.toThrowError(
      `${id} is confirmed and disputed (${subject}), which does not lead there; decide the dispute first.`,
    );
  });

  test("transfer.confirmed comes for the account that is paid, too", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const data = { direction: "received", counterparty: "globex" };
    expect(await world.trigger("transfer.confirmed", { set: { direction: "received" } })).toMatchObject({
      username: "acme",
      status: "delivered",
      body: { data },
    });
    const { body } = await world.trigger("transfer.confirmed", { set: { direction: "sent", counterparty: "globex" } });
    expect(body.data).toMatchObject({ direction: "sent", counterparty: "globex" });
    for (const [set, words] of [
      [{ direction: "out" }, 'direction must be sent or received, not "out".'],
      [{ direction: "received", counterparty: "nobody" }, 'There is no account "nobody" that could pay.'],
    ] as const) {
      await expect(world.trigger("transfer.confirmed", { set })).rejects.toThrowError(words);
    }
  });

  test("D55 a legacy name is told by which event it comes", async () => {
    const world = await file.world({ settings: { legacy_refund_events: true } });
    await expect(world.trigger("refund_confirmed" as never)).rejects.toThrowError(
      "refund_confirmed is sent beside chargeback.confirmed where legacy_refund_events is set; make chargeback.confirmed happen.",
    );
  });

  test("chargeback.responded happens to a charge of another account: the one that it is of replies", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const other = world.merchant("globex");
    const charge = await other.call("POST /v2/transactions/cashin", { currency: "BRL", amount: 5 });
    await world.accounts.update("globex", { postback_url: "sandbox://inbox" });
    const webhook = await world.trigger("chargeback.responded", { on: charge.transaction_id });
    expect(webhook).toMatchObject({ event: "chargeback.responded", username: "globex" });
  });

  describe("where a scenario settles all at once, as it seems to on a fast clock", () => {
    const quick = () => worldOf({ "cashin.created": "pay", "cashout.created": "confirm" });

    test.each([
      "cashin.confirmed",
      "cashin.refunded",
      "chargeback.won",
      "chargeback.responded",
      "cashout.confirmed",
      "cashout.refunded",
    ] as const)("%s is told, whoever was first", async (kind) => {
      const world = await quick();
      expect(await world.trigger(kind)).toMatchObject({ event: kind });
    });

    test("what does not come is told with why", async () => {
      const world = await quick();
      await expect(world.trigger("cashin.expired")).rejects.toThrow('confirmed does not allow "expire"');
    });

    test("a payment that is another than asked for is none", async () => {
      const world = await quick();
      const refusal = world.trigger("cashin.confirmed", { set: { "payer.name": "Ana" } });
      await expect(refusal).rejects.toThrow('does not allow "pay"');
    });
  });

  test("a refund in full that a scenario makes at once is told, one that is another than asked for is not", async () => {
    for (const kind of ["cashin.refunded", "cashout.refunded"] as const) {
      const confirmed = kind === "cashin.refunded" ? "cashin.confirmed" : "cashout.confirmed";
      const world = await worldOf({ [confirmed]: "refund" });
      expect(await world.trigger(kind)).toMatchObject({ event: kind });
      await expect(world.trigger(kind, { set: { reason: "CHANGED_MIND" } })).rejects.toThrow("Nothing is left");
    }
    const quick = await worldOf({ "cashin.created": "pay", "cashin.confirmed": "refund" });
    expect(await quick.trigger("cashin.refunded")).toMatchObject({ event: "cashin.refunded" });
  });

  test("a dispute that a scenario opens and decides is told of, too", async () => {
    for (const kind of ["chargeback.opened", "chargeback.won"] as const) {
      const world = await worldOf({ "cashin.confirmed": "dispute", "chargeback.opened": "win" });
      expect((await world.trigger(kind)).subject).toMatch(/^inf_/);
      await expect(world.trigger("chargeback.lost")).rejects.toThrow("does not allow");
    }
  });

  test("D34: a charge on a chain that is there is paid with the amount that is set, a PIX with its own alone", async () => {
    const world = await worldWithInbox();
    const charge = async (currency: "USDT" | "BRL") => {
      const body = { currency, amount: "100", ...(currency === "USDT" ? { chain: "tron" } : {}) };
      return (await world.merchant().call("POST /v2/transactions/cashin", body)).transaction_id;
    };
    const paid = await world.trigger("cashin.confirmed", { on: await charge("USDT"), set: { amount: "60" } });
    expect(paid.body.data).toMatchObject({ amount: "60.000000", amount_net: "59.400000" });
    const on = await charge("BRL");
    await expect(world.trigger("cashin.confirmed", { on, set: { amount: "60" } })).rejects.toThrow("100.00");
    expect(await world.trigger("cashin.confirmed", { on, set: { amount: "100" } })).toMatchObject({ subject: on });
  });

  test.each([
    ["cashout.refunded", "cashin.confirmed", "a cash-out", "a cash-in"],
    ["cashout.failed", "cashin.refunded", "a cash-out", "a cash-in"],
    ["conversion.refunded", "cashin.confirmed", "a conversion", "a cash-in"],
    ["cashin.refunded", "cashout.confirmed", "a cash-in", "a cash-out"],
    ["chargeback.lost", "cashout.confirmed", "a cash-in or a dispute", "a cash-out"],
    ["cashin.refunded", "conversion.confirmed", "a cash-in", "a conversion"],
    ["cashin.expired", "chargeback.opened", "a cash-in", "a dispute"],
    ["cashin.confirmed", "wallet_deposit", "a cash-in", "a fixed wallet"],
    ["wallet_deposit", "transfer.confirmed", "a fixed wallet", "a transfer"],
  ] as const)("%s on what %s happened to is refused, and nothing is done to it", async (kind, other, right, found) => {
    const world = await worldWithInbox();
    const { body, subject } = await world.trigger(other);
    const on = "wallet_id" in body ? String(body.wallet_id) : subject;
    const before = await world.journal();
    await expect(world.trigger(kind, { on })).rejects.toThrow(`${kind} happens to ${right}, and ${on} is ${found}.`);
    expect(await world.journal()).toEqual(before);
  });

  test("D44 where the settings keep the event back, nothing is done", async () => {
    const world = await file.world({ settings: { deposit_events: "cashin" } });
    const { subject: on } = await world.trigger("wallet.created");
    const before = await world.journal();
    const why = "Under deposit_events: cashin no wallet_deposit comes of this, so nothing was done.";
    await expect(world.trigger("wallet_deposit")).rejects.toThrow(why);
    await expect(world.trigger("wallet_deposit", { on })).rejects.toThrow(why);
    expect(await world.journal()).toEqual(before);
  });

  test("D32 a charge that is not paid by PIX expires without an event, so that none is expired for one", async () => {
    const world = await file.world();
    const { transaction_id: on } = await world
      .merchant()
      .call("POST /v2/transactions/cashin", { currency: "MXN", amount: 100 });
    const before = await world.journal();
    const why = "Under expired_event: pix no cashin.expired comes of this, so nothing was done.";
    await expect(world.trigger("cashin.expired", { set: { currency: "MXN" } })).rejects.toThrow(why);
    await expect(world.trigger("cashin.expired", { on })).rejects.toThrow(why);
    expect(await world.journal()).toEqual(before);
    const all = await file.world({ settings: { expired_event: "all" } });
    expect(await all.trigger("cashin.expired", { set: { currency: "MXN" } })).toMatchObject({
      event: "cashin.expired",
    });
  });
});

/** What the program under test may do is left to it: a trigger is another caller. */
describe("the budget of the program under test", () => {
  test.each([
    ["cashin.confirmed", 31],
    ["transfer.confirmed", 11],
    ["chargeback.responded", 11],
    ["wallet.created", 31],
  ] as const)(
    "%s happens %i times at one instant, and nothing is counted against the merchant",
    async (kind, times) => {
      const world = await worldWithInbox();
      for (let count = 0; count < times; count++) await world.trigger(kind);
      expect(await world.webhooks({ event: kind, status: "delivered" })).toHaveLength(times);
      const callers = (await world.requests()).map(({ client_id }) => client_id);
      expect(callers).not.toContain(world.credentials.clientId);
      expect(callers).not.toContain(null);
    },
  );

  test("refused triggers do not block its credential", async () => {
    const world = await worldWithInbox();
    for (let count = 0; count < 16; count++) {
      await expect(world.trigger("cashin.confirmed", { set: { amount: "abc" } })).rejects.toThrow("amount");
    }
    await expect(world.merchant().call("GET /v2/account/balance")).resolves.toBeDefined();
  });

  test("the credential is found again by another client, renewed after ten calls, and gone with a reset", async () => {
    const world = await worldWithInbox();
    const other = await file.sandbox.world(world.id);
    const issued = async () => (await world.info()).accounts[0]?.credentials.length;
    for (let count = 0; count < 5; count++) {
      await world.trigger("cashin.expired");
      await other.trigger("cashin.expired");
    }
    expect(await issued()).toBe(2);
    await world.trigger("cashin.expired");
    expect(await issued()).toBe(3);
    await world.reset();
    await world.accounts.addCredential("acme");
    await world.trigger("cashin.expired");
    expect(await issued()).toBe(3);
  });

  test("webhooks go where those of its own credential go", async () => {
    const world = await file.world({ postback_url: "http://localhost:9/nobody" });
    await world.accounts.updateCredential(world.credentials.clientId, { postback_url: "sandbox://inbox" });
    expect(await world.trigger("wallet.created")).toMatchObject({
      status: "delivered",
      destination: "sandbox://inbox",
    });
  });
});
