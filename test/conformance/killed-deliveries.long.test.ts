/** Deliveries in the air when the process is killed, and what becomes of them after a restart. */
import { expect, test } from "vitest";
import { chargeOf, paidWebhook, webhookOf } from "../support/charges.ts";
import { inject, WRONG_ADDRESS } from "../support/faults.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";

const CONFIRMED = "cashin.confirmed";

test("what was in the air when the process was killed leaves again as it did: the wrong sender, the copies", async () => {
  await using receiver = await startReceiver(() => {});
  const data = testFolder();
  const started = ["--data", data, "--clock", "frozen", "--scenario", "none", "--postback-url", receiver.url];
  const killed = await startProcess(...started, "--webhook-timeout", "600000");
  const merchant = await Merchant.of(killed.world);
  const [first, second] = [
    await chargeOf(merchant, { external_id: "a" }),
    await chargeOf(merchant, { external_id: "b" }),
  ];
  await inject(
    killed.world,
    { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS }, times: 1 },
    { delivery: CONFIRMED, inject: { duplicate: 2 } },
  );
  const paying = killed.world.act(first, "pay").catch(() => null);
  await receiver.arrived(1);
  // It does not wait for what is in the air already.
  await killed.world.act(second, "pay");
  await killed.end("SIGKILL");
  await paying;

  receiver.answerWith(200);
  const restarted = await startProcess(...started);
  await restarted.world.advance("idle");
  const webhooks = await Promise.all([first, second].map((id) => webhookOf(restarted.world, id)));
  expect(webhooks.map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  expect(webhooks.map(({ attempts }) => attempts.map(({ source, duplicate }) => [source, duplicate]))).toEqual([
    [
      [WRONG_ADDRESS, false],
      [null, false],
    ],
    [
      [null, false],
      [null, true],
      [null, true],
    ],
  ]);
  expect((await restarted.world.checkLedger()).ok).toBe(true);
  expect(await restarted.end("SIGTERM")).toBe(0);
});

test("WH-19 a re-delivery by hand that was in the air when the process was killed is not made again by itself", async () => {
  await using receiver = await startReceiver();
  const data = testFolder();
  const started = ["--data", data, "--clock", "frozen", "--scenario", "none", "--postback-url", receiver.url];
  const killed = await startProcess(...started);
  const { webhook_id } = await paidWebhook(killed.world);
  receiver.answerWith(() => {});
  const redelivering = killed.world.redeliver(webhook_id).catch(() => null);
  await receiver.arrived(2);
  await killed.end("SIGKILL");
  await redelivering;

  receiver.answerWith(200);
  const restarted = await startProcess(...started);
  await restarted.world.advance("idle");
  expect(await restarted.world.timers()).toEqual([]);
  expect(receiver.received).toHaveLength(2);
  const { status, attempts } = await restarted.world.webhook(webhook_id);
  expect([status, attempts.map(({ manual, outcome }) => [manual, outcome])]).toEqual([
    "delivered",
    [
      [false, "delivered"],
      [true, "failed"],
    ],
  ]);
  expect(attempts[1]?.error?.kind).toBe("interrupted");
  expect((await restarted.world.redeliver(webhook_id)).status).toBe("delivered");
  expect(receiver.received).toHaveLength(3);
  expect(await restarted.end("SIGTERM")).toBe(0);
});
