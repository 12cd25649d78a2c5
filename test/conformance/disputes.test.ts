/** Disputes: opened by the payer, answered by the merchant, decided by the authority. */
import { describe, expect, test } from "vitest";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { chargeOf, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import {
  decide,
  infractionsOf,
  jpeg,
  openedDispute,
  paidCharge,
  pdf,
  pdfOf,
  png,
  REPLY_PATH,
  reply,
} from "../support/disputes.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, type Stage, setStage } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";
import { dataOf } from "./webhooks-of-tests.ts";

const file = useSandbox();

const NOW = "2026-01-01T12:00:00.000Z";
const DEADLINE = "2026-01-08T12:00:00.000Z";
const MIB = 1024 * 1024;
const FIELDS = [
  "infraction_id",
  "transaction_id",
  "type",
  "status",
  "amount",
  "currency",
  "e2e_id",
  "deadline_at",
  "reason",
  "created_at",
];
const LISTED = [...FIELDS.slice(0, -1), "reply_id", "created_at"];

/** The events that have come since a number of them, by name. */
async function namesFrom(stage: Stage, start: number): Promise<string[]> {
  await stage.world.settle();
  return stage.receiver.received.slice(start).map((webhook) => webhook.body.event);
}

/** A stage with a dispute on a charge of BRL 150.00, of which 148.50 had been credited. */
async function disputed(settings: Record<string, unknown> = {}, input: object = {}) {
  const stage = await setStage(file, { settings });
  const ids = await openedDispute(stage.world, stage.merchant, input);
  await stage.world.settle();
  return { stage, ...ids };
}

describe("a dispute is opened", () => {
  test("EVT-11 EVT-31 INF-01 INF-02 INF-03 INF-04 INF-05 INF-06 INF-07 INF-08 INF-10 CONST-07 STATE-20 the event and the list tell the same", async () => {
    const reason = "Product not received";
    const { stage, infractionId, transactionId } = await disputed({}, { reason });
    await using _ = stage;
    const data = await dataOf(stage, "chargeback.opened");
    const paid = await dataOf(stage, "cashin.confirmed");
    expect(Object.keys(data)).toEqual(FIELDS);
    expect(data).toEqual({
      infraction_id: infractionId,
      transaction_id: transactionId,
      type: "REFUND_REQUEST",
      status: "open",
      amount: "150.00",
      currency: "BRL",
      e2e_id: paid.e2e_id,
      deadline_at: DEADLINE,
      reason,
      created_at: NOW,
    });
    const [opened] = await stage.events("chargeback.opened");
    expect(opened?.body.transaction_id).toBe(transactionId);
    const answer = await stage.merchant.call("GET", "/v2/account/infractions");
    const list = expectSuccess(answer);
    expect(Object.keys(list)).toEqual(["items", "page", "page_size", "has_next", "has_prev"]);
    expect(Object.keys(list.items[0])).toEqual(LISTED);
    expect(list.items).toEqual([{ ...data, reply_id: null }]);
    expect(infractionId).toEqual(expect.any(String));
  });

  test("BAL-03 D52 EVT-11 the gross amount moves from balance to balance_locked", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const id = await paidCharge(world, merchant);
    expect(await merchant.money("BRL")).toEqual(["10148.50", "0.00"]);
    await world.act(id, "dispute");
    expect(await merchant.money("BRL")).toEqual(["9998.50", "150.00"]);
    expect(await merchant.item(id)).toMatchObject({ status: "confirmed" });
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("INF-08 without a reason given there is one all the same", async () => {
    const { stage } = await disputed();
    await using _ = stage;
    expect((await dataOf(stage, "chargeback.opened")).reason).toMatch(/\w/);
  });

  test("D54a an answer decides nothing: the cash-in takes no refund and no second dispute until the decision", async () => {
    const { stage, infractionId, transactionId } = await disputed();
    await using _ = stage;
    expectSuccess(await reply(stage.merchant, { infraction_id: infractionId, text: "Delivered." }));
    for (const action of ["refund", "dispute"]) {
      const answer = await control(stage.world, "POST", `/transactions/${transactionId}/${action}`, {});
      expect(refusal(answer)).toEqual([409, "INVALID_TRANSITION"]);
    }
    await decide(stage.world, infractionId, "win");
    await stage.world.act(transactionId, "refund");
  });

  test("D54a a disputed cash-in takes no refund and no second dispute until decided, a refunded one no dispute", async () => {
    const { stage, infractionId, transactionId } = await disputed();
    await using _ = stage;
    const { world, merchant } = stage;
    for (const action of ["refund", "dispute"]) {
      const answer = await control(world, "POST", `/transactions/${transactionId}/${action}`, {});
      expect(refusal(answer)).toEqual([409, "INVALID_TRANSITION"]);
      expect(answer.body.error.message).toBe(
        `A cashin that is confirmed and disputed does not allow "${action}"; it allows no action.`,
      );
    }
    expect((await transactionOf(world, transactionId)).actions).toEqual([]);
    await decide(world, infractionId, "win");
    expect((await transactionOf(world, transactionId)).actions).toEqual(["refund", "dispute"]);
    await world.act(transactionId, "dispute");
    const [again] = await infractionsOf(merchant, "?status=open");
    expect(again.infraction_id).not.toBe(infractionId);
    await decide(world, again.infraction_id, "cancel");
    await world.act(transactionId, "refund", { amount: "1.00" });
    const late = await control(world, "POST", `/transactions/${transactionId}/dispute`, {});
    expect(refusal(late)).toEqual([409, "INVALID_TRANSITION"]);
  });

  test.each([
    [{ currency: "MXN", amount: 500 }, "SPEI"],
    [{ currency: "USDT", amount: 50, chain: "tron" }, "TRC20"],
  ])("STATE-20 MED is of PIX alone: %j takes no dispute", async (body, network) => {
    await using stage = await setStage(file);
    const id = await paidCharge(stage.world, stage.merchant, body);
    const before = await stateOf(stage.world);
    const answer = await control(stage.world, "POST", `/transactions/${id}/dispute`, {});
    expect(refusal(answer)).toEqual([422, "INVALID_REQUEST"]);
    expect(answer.body.error.message).toBe(`Only a PIX can be disputed, not a charge by ${network}.`);
    expect(await stateOf(stage.world)).toEqual(before);
  });

  test("STATE-20 a charge that nobody has paid is none to be disputed, whatever it is by: its state is told", async () => {
    await using stage = await setStage(file);
    const id = await chargeOf(stage.merchant, { currency: "MXN", amount: 500 });
    const answer = await control(stage.world, "POST", `/transactions/${id}/dispute`, {});
    expect(refusal(answer)).toEqual([409, "INVALID_TRANSITION"]);
  });

  test("STATE-20 nor does a deposit into a wallet that is none of PIX", async () => {
    await using stage = await setStage(file);
    const { wallet_id: wallet } = await walletOf(stage.merchant, { currency: "BTC", chain: "bitcoin" });
    const { transaction_id: id } = await deposit(stage.world, wallet, { amount: "0.5", instant: true });
    const answer = await control(stage.world, "POST", `/transactions/${id}/dispute`, {});
    expect(refusal(answer)).toEqual([422, "INVALID_REQUEST"]);
    expect(answer.body.error.message).toBe("Only a PIX can be disputed, not a deposit by BITCOIN.");
  });

  test("TX-23 its events go where those of the charge go", async () => {
    await using stage = await setStage(file);
    await using own = await startReceiver();
    const { infractionId } = await openedDispute(stage.world, stage.merchant, {}, { postback_url: own.url });
    await decide(stage.world, infractionId, "lose");
    await stage.world.settle();
    expect(own.received.map((webhook) => webhook.body.event)).toEqual([
      "cashin.confirmed",
      "chargeback.opened",
      "chargeback.lost",
      "cashin.refunded",
      "chargeback.confirmed",
    ]);
    expect(stage.receiver.received).toEqual([]);
  });

  test("D46 those of a further credential's charge go where the webhooks of that credential go", async () => {
    await using stage = await setStage(file);
    await using own = await startReceiver();
    const second = await SigningMerchant.second(stage.world);
    await stage.world.call("PATCH", `/credentials/${second.clientId}`, { postback_url: own.url });
    const { infractionId } = await openedDispute(stage.world, second);
    await decide(stage.world, infractionId, "win");
    await stage.world.settle();
    expect(own.received.map((webhook) => webhook.body.event)).toEqual([
      "cashin.confirmed",
      "chargeback.opened",
      "chargeback.won",
    ]);
    expect(stage.receiver.received).toEqual([]);
  });

  test("INF-11 the list needs a token and shows the account's own disputes alone", async () => {
    const { stage } = await disputed();
    await using _ = stage;
    const path = "/v2/account/infractions";
    expectRefusal(await stage.merchant.call("GET", path, undefined, { Authorization: undefined }), 401, "UNAUTHORIZED");
    expect(await infractionsOf(await SigningMerchant.ofAccount(stage.world, "globex"))).toEqual([]);
    expect(await infractionsOf(stage.merchant)).toHaveLength(1);
  });
});

describe("a balance below zero", () => {
  test("D52 BAL-02 a dispute takes it there; every other debit is refused until it is back", async () => {
    const accounts = [
      { username: "acme", balances: { BRL: "0.00", USDT: "100.000000" } },
      { username: "globex", balances: {} },
    ];
    await using stage = await setStage(file, { accounts });
    const { world, merchant } = stage;
    const id = await paidCharge(world, merchant);
    expect((await merchant.transfer({ username: "globex", currency: "BRL", amount: "148.50" })).status).toBe(200);
    await world.act(id, "dispute");
    expect(await merchant.money("BRL")).toEqual(["-150.00", "150.00"]);
    const debits = () => [
      merchant.cashout({ currency: "BRL", amount: 1, key: "52998224725" }),
      merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }),
      merchant.convert({ amount: 1, base_currency: "BRL", destination_currency: "USDT" }),
    ];
    for (const answer of await Promise.all(debits())) expectRefusal(answer, 422, "INSUFFICIENT_BALANCE");
    expect(await merchant.money("BRL")).toEqual(["-150.00", "150.00"]);
    const [{ infraction_id }] = await infractionsOf(merchant);
    await decide(world, infraction_id, "lose");
    expect(await merchant.money("BRL")).toEqual(["-150.00", "0.00"]);
    expect((await world.checkLedger()).ok).toBe(true);
    const again = await paidCharge(world, merchant, { amount: "300.00" });
    expect(await merchant.money("BRL")).toEqual(["147.00", "0.00"]);
    expect((await merchant.item(again)).status).toBe("confirmed");
    for (const answer of await Promise.all(debits())) expect(answer.status).toBeLessThan(300);
  });
});

describe("a reply", () => {
  test("INF-09 INF-12 EVT-12 EVT-32 STATE-21 D51 with pdf, png and jpeg is registered and told", async () => {
    const { stage, infractionId, transactionId } = await disputed();
    await using _ = stage;
    const { world, merchant } = stage;
    await world.advance("10m");
    const files = [
      { name: "invoice.pdf", content: pdf },
      { name: "parcel.png", content: png },
      { name: "receipt.jpg", content: jpeg },
    ];
    const answer = await reply(merchant, { infraction_id: infractionId, text: "It was delivered.", files });
    const data = expectSuccess(answer);
    expect(Object.keys(data)).toEqual(["infraction_id", "reply_id", "status", "responded_at"]);
    expect(data).toEqual({
      infraction_id: infractionId,
      reply_id: expect.any(Number),
      status: "responded",
      responded_at: "2026-01-01T12:10:00.000Z",
    });
    expect(Number.isInteger(data.reply_id)).toBe(true);
    const event = await dataOf(stage, "chargeback.responded");
    expect(Object.keys(event)).toEqual(["infraction_id", "transaction_id", "reply_id", "status", "responded_at"]);
    expect(event).toEqual({ ...data, transaction_id: transactionId });
    expect((await infractionsOf(merchant))[0]).toMatchObject({ status: "responded", reply_id: data.reply_id });
    expect(await merchant.money("BRL")).toEqual(["9998.50", "150.00"]);
    expect(await world.call("GET", `/disputes/${infractionId}`)).toMatchObject({
      reply: {
        reply_id: data.reply_id,
        text: "It was delivered.",
        files: [
          { name: "invoice.pdf", type: "application/pdf", size: pdf.length },
          { name: "parcel.png", type: "image/png", size: png.length },
          { name: "receipt.jpg", type: "image/jpeg", size: jpeg.length },
        ],
      },
    });
  });

  test("INF-12 needs a token and a multipart body", async () => {
    const { stage, infractionId } = await disputed();
    await using _ = stage;
    const { merchant, world } = stage;
    const body = { infraction_id: infractionId, text: "no" };
    const headers = { Authorization: undefined };
    expectRefusal(await merchant.call("POST", REPLY_PATH, body, headers), 401, "UNAUTHORIZED");
    expectRefusal(await merchant.call("POST", REPLY_PATH, body), 415, "UNSUPPORTED_MEDIA_TYPE");
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
      const answer = await merchant.call("POST", REPLY_PATH, "garbage", { "Content-Type": type });
      expectRefusal(answer, 400, "INVALID_REQUEST");
    }
    expect(await world.call("GET", `/disputes/${infractionId}`)).toMatchObject({ status: "open", reply: null });
  });

  test("D51 every bound is good at its value: 5 000 characters, five files, 5 MiB each, 10 MiB in all", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const long = (await openedDispute(world, merchant)).infractionId;
    const five = Array.from({ length: 5 }, (_, index) => ({ name: `${index}.pdf`, content: pdf }));
    expectSuccess(await reply(merchant, { infraction_id: long, text: "é".repeat(5_000), files: five }));
    const large = (await openedDispute(world, merchant)).infractionId;
    const two = [1, 2].map((index) => ({ name: `${index}.pdf`, content: pdfOf(5 * MIB) }));
    expectSuccess(await reply(merchant, { infraction_id: large, text: "x", files: two }));
    const none = (await openedDispute(world, merchant)).infractionId;
    expectSuccess(await reply(merchant, { infraction_id: none, text: "x" }));
  });

  test.each([
    [100, 200],
    [101, 400],
  ])("D51 a form of %i parts is answered %i", async (parts, status) => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const others: object = Object.fromEntries(Array.from({ length: parts - 2 }, (_, index) => [`note-${index}`, "x"]));
    expect((await reply(stage.merchant, { infraction_id, text: "x", ...others })).status).toBe(status);
  });

  test("D51 a character is one, whatever a program keeps it as", async () => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const { merchant } = stage;
    const text = "\u{1F600}".repeat(5_000);
    expectRefusal(await reply(merchant, { infraction_id, text: `${text}!` }), 400, "INVALID_REQUEST", "text");
    expectSuccess(await reply(merchant, { infraction_id, text }));
  });

  test("D51 a text of many lines is counted and kept as it was written: a form has each line break as two characters", async () => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const { merchant, world } = stage;
    const text = `${"It was\n".repeat(714)}so`;
    expect(text).toHaveLength(5_000);
    expectRefusal(await reply(merchant, { infraction_id, text: `${text}!` }), 400, "INVALID_REQUEST", "text");
    expectSuccess(await reply(merchant, { infraction_id, text }));
    expect(await world.call("GET", `/disputes/${infraction_id}`)).toMatchObject({ reply: { text } });
  });

  test("D51 D20 beyond its bounds it is refused by the name of what is at fault, and nothing is registered", async () => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const { merchant, world } = stage;
    const many = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.pdf`, content: pdf }));
    const text = "x";
    const before = await stateOf(world);
    expectRefusal(await reply(merchant, { text }), 400, "INVALID_REQUEST", "infraction_id");
    expectRefusal(await reply(merchant, { infraction_id }), 400, "INVALID_REQUEST", "text");
    const long = await reply(merchant, { infraction_id: "x".repeat(65), text });
    expectRefusal(long, 400, "INVALID_REQUEST", "infraction_id must be at most 64 characters");
    expectRefusal(await reply(merchant, { infraction_id: "x".repeat(64), text }), 404, "NOT_FOUND");
    expectRefusal(await reply(merchant, { infraction_id, text: "" }), 400, "INVALID_REQUEST", "text");
    expectRefusal(await reply(merchant, {}), 400, "INVALID_REQUEST", "infraction_id", "text");
    expectRefusal(await reply(merchant, { infraction_id, text: "x".repeat(5_001) }), 400, "INVALID_REQUEST", "text");
    const six = await reply(merchant, { infraction_id, text, files: many });
    expectRefusal(six, 400, "INVALID_REQUEST", "files must have at most 5 items");
    expect(await stateOf(world)).toEqual(before);
  });

  test.each([
    ["a text", "proof.pdf", Buffer.from("I am a text."), "application/pdf"],
    ["a gif", "proof.gif", Buffer.from("GIF89a"), "image/gif"],
    ["nothing", "proof.png", Buffer.alloc(0), "image/png"],
    ["a pdf that begins late", "proof.pdf", Buffer.from(" %PDF-1.4"), "application/pdf"],
  ])("D51 a file is told by its content, whatever it is called: %s is refused", async (_what, name, content, type) => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const files = [
      { name: "good.pdf", content: pdf },
      { name, content, type },
    ];
    const answer = await reply(stage.merchant, { infraction_id, text: "x", files });
    expectRefusal(answer, 400, "INVALID_REQUEST", "files[1]");
  });

  test("D21 D51 too large is 413: a file over 5 MiB, files over 10 MiB, a body over 12 MiB", async () => {
    const { stage, infractionId: infraction_id } = await disputed();
    await using _ = stage;
    const sizes = [[5 * MIB + 1], [5 * MIB, 5 * MIB, pdf.length], [13 * MIB]];
    for (const own of sizes) {
      const files = own.map((size, index) => ({ name: `${index}.pdf`, content: pdfOf(size) }));
      expectRefusal(await reply(stage.merchant, { infraction_id, text: "x", files }), 413, "PAYLOAD_TOO_LARGE");
    }
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "open" });
  });

  test("D51 a second one, and one to a decided dispute, come too late", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const answered = (await openedDispute(world, merchant)).infractionId;
    expectSuccess(await reply(merchant, { infraction_id: answered, text: "first" }));
    const second = await reply(merchant, { infraction_id: answered, text: "second" });
    expectRefusal(second, 409, "INFRACTION_NOT_OPEN", "it is responded");
    for (const [decision, status] of Object.entries({ win: "won", lose: "lost", cancel: "canceled" })) {
      const { infractionId } = await openedDispute(world, merchant);
      await decide(world, infractionId, decision);
      const late = await reply(merchant, { infraction_id: infractionId, text: "x" });
      expectRefusal(late, 409, "INFRACTION_NOT_OPEN", `it is ${status}`);
    }
    expect(await stage.events("chargeback.responded")).toHaveLength(1);
    expect(await world.call("GET", `/disputes/${answered}`)).toMatchObject({ reply: { text: "first" } });
  });

  test("D51 an unknown dispute and another account's are not found alike", async () => {
    const { stage, infractionId } = await disputed();
    await using _ = stage;
    const globex = await SigningMerchant.ofAccount(stage.world, "globex");
    expectRefusal(await reply(globex, { infraction_id: infractionId, text: "x" }), 404, "NOT_FOUND");
    expectRefusal(await reply(stage.merchant, { infraction_id: "inf_none", text: "x" }), 404, "NOT_FOUND");
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "open" });
  });

  test("D24 D51 two disputes have replies of their own", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const first = await openedDispute(world, merchant);
    const second = await openedDispute(world, merchant);
    const answers = [
      await reply(merchant, { infraction_id: first.infractionId, text: "x" }),
      await reply(merchant, { infraction_id: second.infractionId, text: "x" }),
    ];
    const [one, two] = answers.map((answer) => answer.body.data.reply_id);
    expect(one).not.toBe(two);
    const shown = (await infractionsOf(merchant)).map(({ infraction_id, reply_id }) => [infraction_id, reply_id]);
    expect(Object.fromEntries(shown)).toEqual({ [first.infractionId]: one, [second.infractionId]: two });
  });
});

describe("the deadline", () => {
  test("D26a D53 INF-07 a reply is good up to it, and not at it", async () => {
    await using stage = await setStage(file, { settings: { unanswered_dispute: "open" } });
    const { world, merchant } = stage;
    const early = (await openedDispute(world, merchant)).infractionId;
    const late = (await openedDispute(world, merchant)).infractionId;
    await world.advance({ to: "2026-01-08T11:59:59.999Z" });
    await merchant.authenticate();
    expectSuccess(await reply(merchant, { infraction_id: early, text: "x" }));
    await world.advance("1ms");
    expectRefusal(await reply(merchant, { infraction_id: late, text: "x" }), 409, "INFRACTION_NOT_OPEN");
  });

  test("D53 STATE-23 unanswered it is lost, at the deadline", async () => {
    const { stage, infractionId } = await disputed();
    await using _ = stage;
    const { world, merchant } = stage;
    await world.advance({ to: "2026-01-08T11:59:59.999Z" });
    expect(await stage.events("chargeback.lost")).toEqual([]);
    await world.advance("1ms");
    expect(await dataOf(stage, "chargeback.lost")).toMatchObject({
      infraction_id: infractionId,
      resolved_at: DEADLINE,
    });
    await merchant.authenticate();
    expect((await infractionsOf(merchant))[0]).toMatchObject({ status: "lost", deadline_at: DEADLINE });
    expect(await merchant.money("BRL")).toEqual(["9998.50", "0.00"]);
    expectRefusal(await reply(merchant, { infraction_id: infractionId, text: "x" }), 409, "INFRACTION_NOT_OPEN");
  });

  test("D53 with unanswered_dispute: open nothing comes; it can still be decided", async () => {
    const { stage, infractionId } = await disputed({ unanswered_dispute: "open" });
    await using _ = stage;
    const before = stage.receiver.received.length;
    await stage.world.advance("30d");
    expect(await namesFrom(stage, before)).toEqual([]);
    await stage.merchant.authenticate();
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "open" });
    const late = await reply(stage.merchant, { infraction_id: infractionId, text: "x" });
    expectRefusal(late, 409, "INFRACTION_NOT_OPEN", `its deadline was ${DEADLINE}`);
    await decide(stage.world, infractionId, "win");
    expect(await namesFrom(stage, before)).toEqual(["chargeback.won"]);
  });

  test.each([
    ["answered", (stage: Stage, id: string) => reply(stage.merchant, { infraction_id: id, text: "It was delivered." })],
    ["decided", (stage: Stage, id: string) => decide(stage.world, id, "win")],
  ] as const)("D53 %s it waits for nothing on the clock", async (_how, end) => {
    const { stage, infractionId } = await disputed();
    await using _ = stage;
    expect(await stage.world.timers()).toMatchObject([{ kind: "dispute.deadline", subject: infractionId }]);
    await end(stage, infractionId);
    await stage.world.settle();
    expect(await stage.world.timers()).toEqual([]);
  });

  test("D53 answered it waits for the decision, however long", async () => {
    const { stage, infractionId } = await disputed();
    await using _ = stage;
    await reply(stage.merchant, { infraction_id: infractionId, text: "x" });
    await stage.world.settle();
    const before = stage.receiver.received.length;
    await stage.world.advance("30d");
    expect(await namesFrom(stage, before)).toEqual([]);
    expect(await stage.world.disputes.get(infractionId)).toMatchObject({ status: "responded" });
  });
});

/** A dispute may be decided with and without a reply. */
const undecided = [["open"], ["responded"]] as const;

/** A dispute in one of the two states before a decision. */
async function waiting(state: string, settings: Record<string, unknown> = {}) {
  const opened = await disputed(settings);
  if (state === "responded") await reply(opened.stage.merchant, { infraction_id: opened.infractionId, text: "x" });
  await opened.stage.world.settle();
  return { ...opened, before: opened.stage.receiver.received.length };
}

describe.each(undecided)("a decision on an %s dispute", (state) => {
  test("EVT-14 EVT-34 STATE-22 BAL-03 won: the balance is unblocked and kept", async () => {
    const { stage, infractionId, transactionId, before } = await waiting(state);
    await using _ = stage;
    await stage.world.advance("1m");
    await decide(stage.world, infractionId, "win");
    expect(await namesFrom(stage, before)).toEqual(["chargeback.won"]);
    const data = await dataOf(stage, "chargeback.won");
    expect(Object.keys(data)).toEqual(["infraction_id", "transaction_id", "amount", "currency", "resolved_at"]);
    expect(data).toEqual({
      infraction_id: infractionId,
      transaction_id: transactionId,
      amount: "150.00",
      currency: "BRL",
      resolved_at: "2026-01-01T12:01:00.000Z",
    });
    expect(await stage.merchant.money("BRL")).toEqual(["10148.50", "0.00"]);
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "won" });
    expect(await stage.merchant.item(transactionId)).toMatchObject({ status: "confirmed" });
  });

  test("EVT-16 EVT-36 STATE-25 BAL-03 canceled by the payer: the balance is unblocked", async () => {
    const { stage, infractionId, transactionId, before } = await waiting(state);
    await using _ = stage;
    await decide(stage.world, infractionId, "cancel");
    expect(await namesFrom(stage, before)).toEqual(["chargeback.canceled"]);
    const data = await dataOf(stage, "chargeback.canceled");
    expect(Object.entries(data)).toEqual([
      ["infraction_id", infractionId],
      ["transaction_id", transactionId],
      ["amount", "150.00"],
      ["currency", "BRL"],
      ["canceled_by", "payer"],
      ["canceled_at", NOW],
    ]);
    expect(await stage.merchant.money("BRL")).toEqual(["10148.50", "0.00"]);
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "canceled" });
    expect(await stage.merchant.item(transactionId)).toMatchObject({ status: "confirmed" });
  });

  test("EVT-02 EVT-13 EVT-15 EVT-22 EVT-33 EVT-35 STATE-08 STATE-23 STATE-24 D54 D54a lost: three events in order at one instant", async () => {
    const { stage, infractionId, transactionId, before } = await waiting(state);
    await using _ = stage;
    await decide(stage.world, infractionId, "lose");
    expect(await namesFrom(stage, before)).toEqual(["chargeback.lost", "cashin.refunded", "chargeback.confirmed"]);
    const told = stage.receiver.received.slice(before);
    expect(new Set(told.map((webhook) => webhook.body.timestamp))).toEqual(new Set(["2026-01-01T12:00:00.000+00:00"]));
    const ids = [
      ["infraction_id", infractionId],
      ["transaction_id", transactionId],
    ];
    const money = [
      ["amount", "150.00"],
      ["currency", "BRL"],
    ];
    const lost = await dataOf(stage, "chargeback.lost");
    expect(Object.entries(lost)).toEqual([...ids, ...money, ["amount_refunded", "150.00"], ["resolved_at", NOW]]);
    const confirmed = await dataOf(stage, "chargeback.confirmed");
    expect(Object.entries(confirmed)).toEqual([...ids, ...money, ["confirmed_at", NOW]]);
    const refunded = await dataOf(stage, "cashin.refunded");
    expect(Object.entries(refunded)).toEqual([
      ["transaction_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["original_transaction_id", transactionId],
      ["external_id", null],
      ["currency", "BRL"],
      ["amount", "150.00"],
      ["amount_refunded", "150.00"],
      ["status", "refunded"],
      ["reason", "MED_CHARGEBACK"],
      ["old_balance", "10148.50"],
      ["new_balance", "9998.50"],
      ["refunded_at", NOW],
    ]);
    expect(refunded.transaction_id).not.toBe(transactionId);
    expect(told[1]?.body.transaction_id).toBe(refunded.transaction_id);
    expect(await stage.merchant.money("BRL")).toEqual(["9998.50", "0.00"]);
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "lost" });
    expect(await stage.merchant.item(transactionId)).toMatchObject({ status: "refunded" });
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });

  test("EVT-02 D54a lost, all of it has gone back: nothing is left to be refunded", async () => {
    const { stage, infractionId, transactionId } = await waiting(state);
    await using _ = stage;
    await decide(stage.world, infractionId, "lose");
    const before = await stateOf(stage.world);
    for (const body of [{}, { amount: "0.01" }]) {
      const answer = await control(stage.world, "POST", `/transactions/${transactionId}/refund`, body);
      expect(refusal(answer)).toEqual([422, "INVALID_REQUEST"]);
    }
    expect(await stateOf(stage.world)).toEqual(before);
  });

  test("D54 with lost_dispute_status: confirmed the list ends in confirmed, the events are the same", async () => {
    const { stage, infractionId, before } = await waiting(state, { lost_dispute_status: "confirmed" });
    await using _ = stage;
    await decide(stage.world, infractionId, "lose");
    expect(await namesFrom(stage, before)).toEqual(["chargeback.lost", "cashin.refunded", "chargeback.confirmed"]);
    expect((await infractionsOf(stage.merchant))[0]).toMatchObject({ status: "confirmed" });
    expect(await infractionsOf(stage.merchant, "?status=lost")).toEqual([]);
  });

  test("STATE-23 INF-04 whatever it was, a decided dispute takes no further decision", async () => {
    for (const decision of ["win", "lose", "cancel"]) {
      const { stage, infractionId } = await waiting(state);
      await using _ = stage;
      await decide(stage.world, infractionId, decision);
      const before = await stateOf(stage.world);
      for (const again of ["win", "lose", "cancel"]) {
        const answer = await control(stage.world, "POST", `/disputes/${infractionId}/${again}`, {});
        expect(refusal(answer)).toEqual([409, "INVALID_TRANSITION"]);
      }
      expect(await stateOf(stage.world)).toEqual(before);
    }
  });
});

describe("the events of the glossary", () => {
  test("D55 by default neither refund_confirmed nor refund_responded is sent", async () => {
    const { stage, infractionId } = await waiting("responded");
    await using _ = stage;
    await decide(stage.world, infractionId, "lose");
    expect(await namesFrom(stage, 0)).toEqual([
      "cashin.confirmed",
      "chargeback.opened",
      "chargeback.responded",
      "chargeback.lost",
      "cashin.refunded",
      "chargeback.confirmed",
    ]);
  });

  test("D55 with legacy_refund_events each comes beside its partner, with the same data", async () => {
    const { stage, infractionId } = await waiting("responded", { legacy_refund_events: true });
    await using _ = stage;
    await decide(stage.world, infractionId, "lose");
    expect(await namesFrom(stage, 2)).toEqual([
      "chargeback.responded",
      "refund_responded",
      "chargeback.lost",
      "cashin.refunded",
      "chargeback.confirmed",
      "refund_confirmed",
    ]);
    expect(await dataOf(stage, "refund_responded")).toEqual(await dataOf(stage, "chargeback.responded"));
    expect(await dataOf(stage, "refund_confirmed")).toEqual(await dataOf(stage, "chargeback.confirmed"));
    const ids = stage.receiver.received.map((webhook) => webhook.headers["x-webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
