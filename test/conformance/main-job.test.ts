import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("SVC-01 WH-17 a charge is made, a scenario pays it on the clock, the webhook arrives after its retries", async () => {
  await using receiver = await startReceiver(500, 503, 200);
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  const charge = await merchant.cashin({ currency: "BRL", amount: 150, external_id: "order-1" });
  expect(charge.status).toBe(200);
  expect(charge.body.data.status).toBe("pending");

  const advance = await world.advance("1m");

  expect(receiver.received.map((webhook) => webhook.headers["x-webhook-timestamp"])).toEqual([
    "1767268805",
    "1767268806",
    "1767268811",
  ]);
  expect(advance.webhooks).toEqual({ delivered: 1, failed: 0, pending: 0 });
  expect(receiver.received[2]?.body.data).toMatchObject({ external_id: "order-1", amount_net: "148.50" });
  expect(await merchant.balance("BRL")).toEqual({ currency: "BRL", balance: "10148.50", balance_locked: "0.00" });
  expect((await world.checkLedger()).ok).toBe(true);
});
