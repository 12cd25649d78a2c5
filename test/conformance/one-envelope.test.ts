/** Every event kind, brought about in one world, in the one envelope. */
import { expect, test } from "vitest";
import { eventKinds } from "../../src/index.ts";
import { connectTimeoutMs } from "../../src/network/network.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

test("VER-02 WH-09 EVT-38 all sixteen kinds arrive in the one envelope, and wallet_deposit without", async () => {
  const world = await file.world({ settings: { protections: "off" }, postback_url: "sandbox://inbox" });
  const merchant = await SigningMerchant.ofAccount(world);
  const charge = async () =>
    (await merchant.cashin({ currency: "BRL", amount: 50 })).body.data.transaction_id as string;
  const paid = async () => {
    const id = await charge();
    await world.act(id, "pay");
    return id;
  };
  const cashout = async () =>
    (await merchant.cashout({ currency: "BRL", amount: 20, key: "12345678909" })).body.data.transaction_id as string;
  const disputed = async (decision: string) => {
    await world.act(await paid(), "dispute");
    const disputes = await world.all<{ infraction_id: string; status: string }>("/disputes");
    const open = disputes.find(({ status }) => status === "open")?.infraction_id ?? "";
    if (decision === "reply") {
      const form = new FormData();
      form.set("infraction_id", open);
      form.set("text", "It was delivered.");
      const headers = { Authorization: `Bearer ${merchant.token}` };
      await fetch(`${world.baseUrl}/v2/account/infractions/reply`, { method: "POST", body: form, headers });
    } else await world.call("POST", `/disputes/${open}/${decision}`);
  };

  await world.act(await charge(), "expire");
  await world.act(await paid(), "refund");
  await world.act(await cashout(), "fail", { error_code: "PIX_KEY_NOT_FOUND" });
  const settled = await cashout();
  await world.act(settled, "confirm");
  await world.act(settled, "refund");
  await merchant.transfer({ username: "globex", currency: "BRL", amount: 5 });
  const pair = { amount: 10, base_currency: "BRL", destination_currency: "USDT" };
  const { conversion_id } = (await merchant.convert(pair)).body.data;
  await world.call("POST", `/conversions/${conversion_id}/refund`);
  const wallet = (await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" })).body.data;
  await world.call("POST", `/wallets/${wallet.wallet_id}/deposit`, { amount: 30 });
  for (const decision of ["win", "lose", "cancel", "reply"]) await disputed(decision);
  await world.settle();

  const inbox = await world.all<{ body: Record<string, unknown> }>("/inbox");
  expect([...new Set(inbox.map(({ body }) => body.event))].sort()).toEqual([...eventKinds].sort());
  for (const { body } of inbox) {
    if (body.event === "wallet_deposit") expect(body).not.toHaveProperty("data");
    else expect(Object.keys(body)).toEqual(["event", "timestamp", "transaction_id", "data"]);
  }
  expect((await world.checkLedger()).ok).toBe(true);
});

test("CONST-09 a connection to a receiver may take 5 s of the 10 s in all", () => {
  expect(connectTimeoutMs(10_000)).toBe(5_000);
  expect(connectTimeoutMs(200)).toBe(200);
});

test("WH-23 without any webhook the list alone shows every final status and amount", async () => {
  const world = await file.world({ scenarios: ["happy-path"] });
  const merchant = await SigningMerchant.ofAccount(world);
  const charge = (await merchant.cashin({ currency: "BRL", amount: 50 })).body.data;
  const payout = (await merchant.cashout({ currency: "BRL", amount: 20, key: "12345678909" })).body.data;
  await world.advance("idle");
  expect((await world.webhooks()).map(({ status }) => status)).toEqual(["undeliverable", "undeliverable"]);
  const { items } = (await merchant.call("POST", "/v2/account/transactions/list", {})).body.data;
  expect(items).toMatchObject([
    { transaction_id: payout.transaction_id, status: "confirmed", amount: "20.00", fee: payout.fee },
    { transaction_id: charge.transaction_id, status: "confirmed", amount: "50.00", amount_net: charge.amount_net },
  ]);
});
