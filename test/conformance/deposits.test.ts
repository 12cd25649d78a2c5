/** Deposits into fixed wallets: how long they take, what is credited, which events tell of them. */
import { describe, expect, test } from "vitest";
import { INSTANT } from "../support/answers.ts";
import { confirmedFields } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { cryptoRails, fairAmount } from "../support/rails.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant, type Stage, setStage } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();
const TRON = { currency: "USDT", chain: "tron" };
const TX_HASH = "ab".repeat(32);

/** The events of deposits, in the order of their coming. */
async function namesOf(stage: Stage): Promise<string[]> {
  await stage.world.settle();
  const names = stage.receiver.received.map((webhook) => webhook.headers["x-webhook-event"] ?? "");
  return names.filter((name) => name !== "wallet.created");
}

describe("both events of a deposit", () => {
  test("EVT-01 EVT-17 EVT-37 WAL-01 WAL-16 D29 D44 D66 D67 of BRL: cashin.confirmed, then the flat wallet_deposit", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const wallet = await walletOf(merchant, { currency: "BRL" });
    const payer = { name: "Maria Silva", document: "52998224725" };
    const sent = await deposit(world, wallet.wallet_id, { amount: "150.00", payer });
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);

    const [confirmed] = await stage.events("cashin.confirmed");
    expect(Object.keys(confirmed?.body.data)).toEqual(confirmedFields.fiat);
    expect(confirmed?.body.data).toMatchObject({
      transaction_id: sent.transaction_id,
      external_id: null,
      amount: "150.00",
      fee: "1.50",
      amount_net: "148.50",
      status: "confirmed",
      source: "static",
      network: "PIX",
      e2e_id: expect.stringMatching(/^E\d{8}20260101\d{4}[0-9A-Za-z]{11}$/),
      payer: null,
      old_balance: "10000.00",
      new_balance: "10148.50",
    });

    const [flat] = await stage.events("wallet_deposit");
    expect(Object.keys(flat?.body)).toEqual([
      "event",
      "transaction_id",
      "wallet_id",
      "address",
      "chain",
      "currency",
      "amount_gross",
      "amount_net",
      "fee",
      "tx_hash",
      "confirmed_at",
    ]);
    expect(flat?.body).toEqual({
      event: "wallet_deposit",
      transaction_id: sent.transaction_id,
      wallet_id: wallet.wallet_id,
      address: wallet.address,
      chain: null,
      currency: "BRL",
      amount_gross: "150.00",
      amount_net: "148.50",
      fee: "1.50",
      tx_hash: null,
      confirmed_at: "2026-01-01T12:00:00.000Z",
    });
    expect(flat?.headers).toMatchObject({
      "content-type": "application/json",
      "x-webhook-event": "wallet_deposit",
      "x-webhook-id": expect.stringMatching(/^evt_[0-9a-z]+$/),
      "x-webhook-timestamp": "1767268800",
      "x-sandbox": "1",
      "user-agent": confirmed?.headers["user-agent"],
    });
    for (const { text } of stage.receiver.received) expect(text).not.toContain("Maria");
    expect(await world.transaction(sent.transaction_id)).toMatchObject({ payer: null, depositor: payer });
    expect(await merchant.money("BRL")).toEqual(["10148.50", "0.00"]);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("EVT-37 D67 of crypto: chain, tx_hash and confirmations in the one, chain and tx_hash in the other", async () => {
    await using stage = await setStage(file);
    const wallet = await walletOf(stage.merchant, TRON);
    await deposit(stage.world, wallet.wallet_id, { amount: "100", tx_hash: TX_HASH });
    await stage.world.advance("60s");
    const [confirmed] = await stage.events("cashin.confirmed");
    expect(Object.keys(confirmed?.body.data)).toEqual(confirmedFields.crypto);
    const chain = { chain: "tron", tx_hash: TX_HASH, confirmed_at: "2026-01-01T12:01:00.000Z" };
    expect(confirmed?.body.data).toMatchObject({ ...chain, source: "static", network: "TRC20", confirmations: 20 });
    const [flat] = await stage.events("wallet_deposit");
    expect(flat?.body).toMatchObject({
      ...chain,
      wallet_id: wallet.wallet_id,
      address: wallet.address,
      amount_gross: "100.000000",
      amount_net: "99.000000",
      fee: "1.000000",
    });
  });

  test.each([
    ["cashin", ["cashin.confirmed"]],
    ["wallet_deposit", ["wallet_deposit"]],
    ["both", ["cashin.confirmed", "wallet_deposit"]],
  ])("D44 EVT-17 deposit_events: %s", async (deposit_events, names) => {
    await using stage = await setStage(file, { settings: { deposit_events } });
    const brl = await walletOf(stage.merchant, { currency: "BRL" });
    const tron = await walletOf(stage.merchant, TRON);
    await deposit(stage.world, brl.wallet_id, { amount: "100" });
    await deposit(stage.world, tron.wallet_id, { amount: "100" });
    await stage.world.advance("60s");
    expect(await namesOf(stage)).toEqual([...names, ...names]);
    expect(await stage.merchant.money("BRL")).toEqual(["10099.00", "0.00"]);
    expect(await stage.merchant.money("USDT")).toEqual(["10099.000000", "0.000000"]);
  });

  test("D44 a charge that is paid is no deposit, whatever the setting", async () => {
    await using stage = await setStage(file, { settings: { deposit_events: "wallet_deposit" } });
    const charge = await stage.merchant.cashin({ currency: "BRL", amount: 10 });
    await stage.world.act(charge.body.data.transaction_id, "pay");
    expect(await namesOf(stage)).toEqual(["cashin.confirmed"]);
  });

  test("WAL-03 WAL-15 every deposit has its own id and its own pair of events, a year later too", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, { currency: "BRL" });
    for (const amount of ["10.00", "20.00", "30.00"]) await deposit(world, wallet_id, { amount });
    await world.advance("365d");
    await deposit(world, wallet_id, { amount: "40.00" });
    expect(await namesOf(stage)).toEqual(
      Array.from({ length: 4 }, () => ["cashin.confirmed", "wallet_deposit"]).flat(),
    );
    const confirmed = await stage.events("cashin.confirmed");
    const flat = await stage.events("wallet_deposit");
    expect(confirmed.map((webhook) => webhook.body.data.amount)).toEqual(["10.00", "20.00", "30.00", "40.00"]);
    expect(flat.map((webhook) => webhook.body.amount_gross)).toEqual(["10.00", "20.00", "30.00", "40.00"]);
    const ids = confirmed.map((webhook) => webhook.body.data.transaction_id);
    expect(flat.map((webhook) => webhook.body.transaction_id)).toEqual(ids);
    expect(new Set(ids).size).toBe(4);
    await merchant.authenticate();
    expect(await merchant.money("BRL")).toEqual(["10098.70", "0.00"]);
  });

  test("EVT-39 D46 they go to the destination of the credential that made the wallet", async () => {
    await using stage = await setStage(file);
    await using second = await startReceiver();
    const { world } = stage;
    const credential = await world.call<Parameters<typeof SigningMerchant.ofCredential>[1]>(
      "POST",
      "/accounts/acme/credentials",
      {},
    );
    await world.call("PATCH", `/credentials/${credential.client_id}`, { postback_url: second.url });
    const { wallet_id } = await walletOf(await SigningMerchant.ofCredential(world, credential), { currency: "BRL" });
    await deposit(world, wallet_id, { amount: "10" });
    await world.settle();
    expect(second.received.map((webhook) => webhook.headers["x-webhook-event"])).toEqual([
      "wallet.created",
      "cashin.confirmed",
      "wallet_deposit",
    ]);
    expect(stage.receiver.received).toEqual([]);
    expect(second.received.at(-1)?.body.confirmed_at).toMatch(INSTANT);
  });
});

describe("when a deposit is credited", () => {
  test("WAL-24 BRL at once", async () => {
    await using stage = await setStage(file);
    const { wallet_id } = await walletOf(stage.merchant, { currency: "BRL" });
    expect(await deposit(stage.world, wallet_id, { amount: "10" })).toMatchObject({
      status: "confirmed",
      source: "static",
      confirmed_at: "2026-01-01T12:00:00.000Z",
    });
  });

  test("WAL-25 D06 D67 MXN 30 s later, with a clave de rastreo and payer null", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, { currency: "MXN" });
    const payer = { name: "Lupita", document: "GODE561231GR8" };
    await deposit(world, wallet_id, { amount: "1000.00", payer });
    await world.advance("29999ms");
    expect(await namesOf(stage)).toEqual([]);
    expect(await merchant.money("MXN")).toEqual(["100000.00", "0.00"]);
    await world.advance("1ms");
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);
    expect(await merchant.money("MXN")).toEqual(["100990.00", "0.00"]);
    const [confirmed] = await stage.events("cashin.confirmed");
    expect(confirmed?.body.data).toMatchObject({
      network: "SPEI",
      payer: null,
      e2e_id: expect.stringMatching(/^[0-9A-Z]{1,30}$/),
      confirmed_at: "2026-01-01T12:00:30.000Z",
    });
    const [flat] = await stage.events("wallet_deposit");
    expect(flat?.body).toMatchObject({ chain: null, tx_hash: null });
  });

  test.each(cryptoRails)(
    "WAL-04 D06 $currency on $chain after $confirmations confirmations, $creditMs ms",
    async ({ currency, chain, creditMs, network, confirmations }) => {
      await using stage = await setStage(file);
      const { world, merchant } = stage;
      const { wallet_id } = await walletOf(merchant, { currency, chain });
      await deposit(world, wallet_id, { amount: String(fairAmount[currency]) });
      const before = await merchant.money(currency);
      await world.advance(`${creditMs - 1}ms`);
      expect(await namesOf(stage)).toEqual([]);
      await world.advance("1ms");
      const [confirmed] = await stage.events("cashin.confirmed");
      const { old_balance, new_balance, ...data } = confirmed?.body.data ?? {};
      expect(data).toMatchObject({ currency, chain, network, confirmations, tx_hash: expect.any(String) });
      await merchant.authenticate();
      expect([old_balance, new_balance]).toEqual([before[0], (await merchant.money(currency))[0]]);
    },
  );

  test("D06 a world with replaced data follows that", async () => {
    const chains = [
      { chain: "tron", network: "TRC20", address_format: "tron", confirmations: 2, ms_per_confirmation: 1_000 },
    ];
    const currencies = [
      {
        currency: "USDT",
        currency_type: "crypto",
        scale: 6,
        method: null,
        settlement_ms: 0,
        chains: ["tron"],
        operations: ["wallet"],
      },
    ];
    const settings = { fixtures: { chains, currencies } };
    await using stage = await setStage(file, { settings, accounts: [{ username: "acme", balances: { USDT: "1" } }] });
    const wallet = await walletOf(stage.merchant, TRON);
    expect(wallet.min_confirmations).toBe(2);
    await deposit(stage.world, wallet.wallet_id, { amount: "100" });
    await stage.world.advance("1999ms");
    expect(await namesOf(stage)).toEqual([]);
    await stage.world.advance("1ms");
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);
  });

  test("instant: true credits at once, whatever the chain", async () => {
    await using stage = await setStage(file);
    const { wallet_id } = await walletOf(stage.merchant, { currency: "BTC", chain: "bitcoin" });
    const sent = await deposit(stage.world, wallet_id, { amount: "0.5", instant: true });
    expect(sent).toMatchObject({ status: "confirmed", amount_net: "0.49500000" });
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);
    await stage.world.advance("1d");
    expect(await namesOf(stage)).toHaveLength(2);
  });

  test("EVT-37 D67 the tx_hash of one that is credited at once is the one that was sent", async () => {
    await using stage = await setStage(file);
    const { wallet_id } = await walletOf(stage.merchant, TRON);
    await deposit(stage.world, wallet_id, { amount: "100", tx_hash: TX_HASH, instant: true });
    for (const event of ["cashin.confirmed", "wallet_deposit"]) {
      const [told] = await stage.events(event);
      expect(told?.body.data ?? told?.body).toMatchObject({ tx_hash: TX_HASH });
    }
  });

  test("STATE-04 TX-13 TX-16 the list shows it pending without tx_hash, then confirmed with it", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, TRON);
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100", tx_hash: TX_HASH });
    const pending = { source: "static", type: "cashin", chain: "tron", network: "TRC20", external_id: null };
    expect(await merchant.item(transaction_id)).toMatchObject({
      ...pending,
      status: "pending",
      tx_hash: null,
      confirmed_at: null,
    });
    await world.advance("60s");
    expect(await merchant.item(transaction_id)).toMatchObject({
      ...pending,
      status: "confirmed",
      tx_hash: TX_HASH,
      confirmed_at: "2026-01-01T12:01:00.000Z",
    });
  });

  test("D44 one that is paid by hand on its way is announced like any other, and once", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, TRON);
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100" });
    await world.act(transaction_id, "pay");
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);
    await world.advance("1h");
    expect(await namesOf(stage)).toHaveLength(2);
    await merchant.authenticate();
    expect(await merchant.money("USDT")).toEqual(["10099.000000", "0.000000"]);
  });

  test("EVT-37 D67 one that is paid by hand keeps what it was sent with: its tx_hash and its payer", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const payer = { name: "Maria Silva", document: "52998224725" };
    const { wallet_id } = await walletOf(merchant, TRON);
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100", tx_hash: TX_HASH, payer });
    await world.act(transaction_id, "pay");
    expect(await world.transaction(transaction_id)).toMatchObject({ tx_hash: TX_HASH, depositor: payer });
    for (const event of ["cashin.confirmed", "wallet_deposit"]) {
      const [told] = await stage.events(event);
      expect(told?.body.data ?? told?.body).toMatchObject({ tx_hash: TX_HASH });
    }
  });

  test("EVT-37 D67 a tx_hash that is named when it is paid by hand counts, not the one that it was sent with", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, TRON);
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100", tx_hash: TX_HASH });
    const tx_hash = TX_HASH.split("").reverse().join("");
    await world.act(transaction_id, "pay", { tx_hash });
    const [confirmed, flat] = [await stage.events("cashin.confirmed"), await stage.events("wallet_deposit")];
    expect([confirmed[0]?.body.data.tx_hash, flat[0]?.body.tx_hash]).toEqual([tx_hash, tx_hash]);
  });

  test("D67 a payer who is named when it is paid by hand is kept for QA, too, and never sent", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, { currency: "MXN" });
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100" });
    const payer = { name: "Lupita", document: "GODE561231GR8" };
    await world.act(transaction_id, "pay", { payer });
    expect(await world.transaction(transaction_id)).toMatchObject({ payer: null, depositor: payer });
    expect(await namesOf(stage)).toEqual(["cashin.confirmed", "wallet_deposit"]);
    for (const { text } of stage.receiver.received) expect(text).not.toContain("Lupita");
  });

  test("D67 a payer who is named when it is paid by hand counts, not the one that it was sent with", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, { currency: "MXN" });
    const sender = { name: "Maria Silva", document: "52998224725" };
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100", payer: sender });
    const payer = { name: "Lupita", document: "GODE561231GR8" };
    await world.act(transaction_id, "pay", { payer });
    expect(await world.transaction(transaction_id)).toMatchObject({ depositor: payer });
  });

  test("STATE-15 one that fails on its way is not credited at its time", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const { wallet_id } = await walletOf(merchant, TRON);
    const { transaction_id } = await deposit(world, wallet_id, { amount: "100" });
    await world.act(transaction_id, "cancel");
    await world.advance("1h");
    expect(await namesOf(stage)).toEqual([]);
    await merchant.authenticate();
    expect(await merchant.item(transaction_id)).toMatchObject({ status: "canceled" });
    expect(await merchant.money("USDT")).toEqual(["10000.000000", "0.000000"]);
  });

  test("D54a a deposit can be refunded like any cash-in, and a PIX deposit disputed", async () => {
    await using stage = await setStage(file);
    const { world } = stage;
    const { wallet_id } = await walletOf(stage.merchant, { currency: "BRL" });
    const first = await deposit(world, wallet_id, { amount: "100" });
    const second = await deposit(world, wallet_id, { amount: "100" });
    await world.act(first.transaction_id, "refund");
    await world.act(second.transaction_id, "dispute");
    expect((await namesOf(stage)).slice(4)).toEqual(["cashin.refunded", "chargeback.opened"]);
  });
});

describe("what a deposit needs", () => {
  test.each([
    [{}, "amount"],
    [{ amount: "0" }, "amount"],
    [{ amount: "-5" }, "amount"],
    [{ amount: "10.001" }, "amount"],
    [{ amount: "ten" }, "amount"],
    [{ amount: "1e3" }, "amount"],
    [{ amount: "99999999999999999999.00" }, "amount"],
    [{ amount: "10", tx_hash: TX_HASH }, "tx_hash"],
    [{ amount: "10", payer: "Maria" }, "payer"],
    [{ amount: "10", instant: "yes" }, "instant"],
    [{ amount: "10", amuont: "10" }, "amuont"],
  ])("%j is refused by the name of its field and nothing moves", async (input, field) => {
    await using stage = await setStage(file);
    const { wallet_id } = await walletOf(stage.merchant, { currency: "BRL" });
    const answer = await control(stage.world, "POST", `/wallets/${wallet_id}/deposit`, input);
    expect([400, 422]).toContain(answer.status);
    expect(answer.body.error.code).toBe("INVALID_REQUEST");
    expect(answer.body.error.message).toContain(field);
    expect(await namesOf(stage)).toEqual([]);
    expect(await stage.world.all("/transactions")).toEqual([]);
  });

  test("a tx_hash must be one of the wallet's chain; a number is as good as a text for amount", async () => {
    await using stage = await setStage(file);
    const { wallet_id } = await walletOf(stage.merchant, TRON);
    const wrong = await control(stage.world, "POST", `/wallets/${wallet_id}/deposit`, { amount: 1, tx_hash: "zz" });
    expect([wrong.status, wrong.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
    expect(await deposit(stage.world, wallet_id, { amount: 1.5 })).toMatchObject({ amount: "1.500000" });
  });

  test.each([
    ["/wallets/9999/deposit", "9999"],
    ["/wallets/01001/deposit", "01001"],
    ["/wallets/x/deposit", "x"],
    ["/wallets/1001/deposti", "deposit"],
  ])("%s is not there", async (path, hint) => {
    await using stage = await setStage(file);
    await walletOf(stage.merchant, { currency: "BRL" });
    const answer = await control(stage.world, "POST", path, { amount: "10" });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.body.error.message).toContain(hint);
  });
});

test("D32 a deposit that comes to nothing is no charge that expired: no event tells of it", async () => {
  await using stage = await setStage(file, { settings: { expired_event: "all" } });
  const { world, merchant } = stage;
  const wallet = await walletOf(merchant, TRON);
  const { transaction_id: id } = await deposit(world, wallet.wallet_id, { amount: "5" });
  await world.act(id, "expire");
  expect((await world.transaction(id)).status).toBe("expired");
  expect(await namesOf(stage)).toEqual([]);
});

test("a deposit that the balance cannot take any more fails, says why, and leaves nothing else", async () => {
  await using stage = await setStage(file);
  const { world, merchant } = stage;
  const wallet = await walletOf(merchant, TRON);
  const most = "99999999999.999999";
  const { transaction_id: id } = await deposit(world, wallet.wallet_id, { amount: most });
  for (let count = 0; count < 95; count++)
    await world.accounts.fund("acme", { currency: "USDT", amount: most }).catch(() => {});
  await world.advance("1h");
  expect(await world.transaction(id)).toMatchObject({ status: "failed", reason: expect.stringContaining("USDT") });
  const journal = await world.journal();
  const transitions = journal.filter(({ kind, subject }) => kind === "transition" && subject === id);
  expect(transitions.map(({ data }) => data.trigger)).toEqual(["deposit", "fail"]);
  expect(journal.filter(({ kind }) => kind === "fault")).toEqual([]);
  expect((await world.checkLedger()).ok).toBe(true);
});

test("D67 who pays a charge on a chain is kept for QA, and never sent", async () => {
  await using stage = await setStage(file);
  const { world, merchant } = stage;
  const { body } = await merchant.cashin({ currency: "BTC", amount: "0.01" });
  const payer = { name: "Maria Silva", document: "52998224725" };
  const paid = await world.transactions.pay(body.data.transaction_id, { payer });
  expect(paid).toMatchObject({ depositor: payer });
  await world.settle();
  const [confirmed] = await stage.events("cashin.confirmed");
  expect(JSON.stringify(confirmed?.body)).not.toContain("Maria");
});
