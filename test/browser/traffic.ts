/** A merchant's morning: traffic of every kind, for tests and pictures of the dashboard. */
import type { WorldClient } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { openedDispute, pdf, png, reply } from "../support/disputes.ts";
import { SigningMerchant } from "../support/signing.ts";

/** Plays it in a world that has `happy-path` and `magic-values`. @returns the ids that stories begin with. */
export async function playMorning(world: WorldClient) {
  const merchant = await SigningMerchant.ofAccount(world);
  await merchant.cashin({ currency: "BRL", amount: "1280.00", external_id: "invoice-2041" });
  await merchant.cashin({ currency: "USDT", chain: "tron", amount: "90.00", external_id: "topup-318" });
  await merchant.cashin({ currency: "MXN", amount: "900.00", external_id: "pedido-77" });
  await world.advance("40s");
  await merchant.cashout({ currency: "BRL", amount: "250.00", key: "maria@example.com", external_id: "payout-90" });
  await merchant.cashout({ currency: "BRL", amount: "ten", key: "maria@example.com", external_id: "payout-91" });
  await merchant.transfer({ username: "globex", currency: "BRL", amount: "75.00" });
  await merchant.convert({ base_currency: "BRL", destination_currency: "USDT", amount: 500 });
  await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  const wallet = await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
  await world.call("POST", `/wallets/${wallet.body.data.wallet_id}/deposit`, { amount: "42.50" });
  await merchant.cashin({ currency: "BRL", amount: "60.00", external_id: "magic-fail-7" });
  await world.advance("3m");
  const { infractionId } = await openedDispute(
    world,
    merchant,
    { reason: "The parcel never came" },
    { external_id: "order-1007", amount: "349.90" },
  );
  await world.advance("2h");
  await merchant.authenticate();
  await reply(merchant, {
    infraction_id: infractionId,
    text: "Delivered on the third and signed for: the receipt is attached.",
    files: [
      { name: "receipt.pdf", content: pdf },
      { name: "parcel.png", content: png },
    ],
  });
  await world.advance("26m");
  const pending = await chargeOf(merchant, { external_id: "order-1008", amount: "150.00" });
  await merchant.cashin({ currency: "BTC", amount: "0.00150000", external_id: "vault-12" });
  return { infractionId, pending, merchant };
}
