/** Lists whose items are so large that a page holds few of them. */
import { expect, test } from "vitest";
import type { WebhookInfo } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("webhooks are shown on further pages where the answers to their attempts come to more than 32 MiB", async () => {
  await using receiver = await startReceiver((_request, response) => void response.end("x".repeat(60_000)));
  const world = await file.world({ settings: { webhook_rate: 1_000 } });
  await world.faults.set([{ delivery: "cashin.confirmed", inject: { duplicate: 100 } }]);
  const merchant = await Merchant.of(world);
  for (let count = 0; count < 6; count++) {
    await world.act(await chargeOf(merchant, { postback_url: receiver.url }), "pay");
  }
  await world.act(await chargeOf(merchant), "pay");
  const query = "/webhooks?event=cashin.confirmed&status=delivered";
  type Page = { items: WebhookInfo[]; next_cursor: string | null };
  const first: Page = await world.call("GET", query);
  const second: Page = await world.call("GET", `${query}&cursor=${first.next_cursor}`);
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([5, 1, null]);
  expect(first.items.map(({ attempts }) => attempts.length)).toEqual([101, 101, 101, 101, 101]);
  expect(await world.webhooks()).toHaveLength(7);
});

test("requests are shown on further pages where their bodies come to more than 32 MiB", async () => {
  const world = await file.world();
  const large = Buffer.alloc(12 * 1024 * 1024, "x");
  for (const body of ["x", large, large, large, "x"]) {
    const path = "/v2/account/infractions/reply";
    await (await fetch(`${world.baseUrl}${path}`, { method: "POST", body })).arrayBuffer();
  }
  const lengths: number[][] = [];
  for (let cursor: string | null = "0"; cursor !== null; ) {
    type Page = { items: { body: string }[]; next_cursor: string | null };
    const page: Page = await world.call("GET", `/requests?cursor=${cursor}`);
    lengths.push(page.items.map(({ body }) => body.length));
    cursor = page.next_cursor;
  }
  expect(lengths).toEqual([
    [1, large.length, large.length],
    [large.length, 1],
  ]);
});

test("the journal is shown on further pages where its data comes to more than 32 MiB", async () => {
  const world = await file.world();
  const delivery = { delivery: "*", where: { external_id: "x".repeat(12 * 1024 * 1024) }, inject: { drop: true } };
  const { length: last } = await world.journal();
  for (let count = 0; count < 3; count++) await world.call("PUT", "/faults", { rules: [delivery] });
  type Page = { items: { sequence: number }[]; next_cursor: string | null };
  const first: Page = await world.call("GET", `/journal?cursor=${last}`);
  expect(first.items.map((entry) => entry.sequence)).toEqual([last + 1, last + 2]);
  const second: Page = await world.call("GET", `/journal?cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ items: [{ sequence: last + 3 }], next_cursor: null });
});
