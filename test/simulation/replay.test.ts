import { expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { signed } from "../support/signing.ts";

const file = useSandbox();

// biome-ignore lint/suspicious/noExplicitAny: tests look into bundles freely.
type Bundle = any;

const journalOf = (world: WorldClient) => world.journal().then((entries) => JSON.stringify(entries));

async function replayed(bundle: Bundle, id?: string) {
  const world = await file.sandbox.defaultWorld();
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const answer = await world.call<any>("POST", "/worlds", { ...(id ? { id } : {}), replay: bundle });
  return { answer, world: await file.sandbox.openWorld(answer.world) };
}

test("a bundle replays to the same journal, byte for byte", async () => {
  await using receiver = await startReceiver(500, 200, 404, 200);
  const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  await merchant.cashin({ currency: "BRL", amount: 150, external_id: "order-1" });
  await merchant.cashin({ currency: "BRL", amount: 0.5, external_id: "order-1" });
  await signed(merchant, world.credentials.signingKey, "/v2/transactions/cashout", {
    currency: "BRL",
    amount: "10.00",
    key: "ana@example.com",
  });
  await merchant.call("POST", "/v2/transactions/cashin", "{", { "Content-Type": "application/json" });
  await world.advance("1m");
  await world.call("POST", "/accounts/globex/fund", { currency: "BRL", amount: 0.1 });
  const [webhook] = await world.webhooks();
  await world.redeliver(webhook?.webhook_id ?? "");
  await world.advance("idle");

  const bundle = await world.call<Bundle>("GET", "/export");
  const { answer, world: again } = await replayed(bundle);
  expect(answer.replay).toMatchObject({ identical: true, difference: null });
  expect(await journalOf(again)).toBe(await journalOf(world));
});
