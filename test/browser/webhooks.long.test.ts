/** Webhooks in the dashboard: what can be done with each of them, and where those of one payment are. */
import type { ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import { makeCharge, paidWebhook } from "../support/charges.ts";
import { decide, openedDispute } from "../support/disputes.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("webhooks of the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();
  const detail = (page: Page) => page.getByRole("complementary", { name: "Details" });

  test.each(["account", "credential"])(
    "one without a destination can be delivered once its %s has one, and is said to be so for the first time",
    async (whose) => {
      await using receiver = await startReceiver();
      const world = await file.world();
      const { webhook_id, client_id } = await paidWebhook(world);
      const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
      const deliver = detail(page).locator(".actions button");
      await detail(page).getByText("none: give the account a postback URL").waitFor();
      expect(await deliver.count()).toBe(0);
      const path = whose === "account" ? "/accounts/acme" : `/credentials/${client_id}`;
      await world.call("PATCH", path, { postback_url: receiver.url });
      await detail(page).getByText(`none when it was made; by hand it goes to ${receiver.url}`).waitFor();
      expect(await deliver.innerText()).toBe("deliver");
      await deliver.click();
      await page.locator(".notice.good", { hasText: "Delivered: the receiver answered 200." }).waitFor();
      await detail(page).getByText(receiver.url, { exact: true }).first().waitFor();
      await deliver.getByText("re-deliver").click();
      await page.locator(".notice.good", { hasText: "Delivered again: the receiver answered 200." }).waitFor();
    },
  );

  test("one that is in the air has its next attempt once that is known", async () => {
    await using receiver = await startHeld(500);
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    const paid = world.act(id, "pay");
    await receiver.arrived(1);
    const [webhook] = await world.webhooks();
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook?.webhook_id}`);
    await detail(page).getByText("in the air").waitFor();
    expect(await detail(page).getByText("Next attempt").count()).toBe(0);
    receiver.release();
    await paid;
    await detail(page).getByText("Next attempt").waitFor();
  });

  test("a re-delivery is told by its own attempt, also when the next one of the schedule is in the air", async () => {
    const byHand = Promise.withResolvers<void>();
    const held = (released: Promise<void>) => async (_request: unknown, response: ServerResponse) => {
      await released;
      response.writeHead(200).end();
    };
    const never = new Promise<void>(() => {});
    await using receiver = await startReceiver(500, held(byHand.promise), held(never));
    const world = await file.world({ scenarios: [], postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
    await detail(page).getByRole("button", { name: "re-deliver" }).click();
    await receiver.arrived(2);
    await world.setClock({ mode: "running", speed: 1000 });
    await receiver.arrived(3);
    byHand.resolve();
    await page.locator(".notice.good", { hasText: "Delivered: the receiver answered 200." }).waitFor();
  });

  test("an attempt that is being read stays open when the next one comes", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
    const isOpen = (number: number) =>
      detail(page)
        .locator("details.attempt", { hasText: `Attempt ${number}` })
        .evaluate((attempt) => (attempt as HTMLDetailsElement).open);
    expect(await isOpen(1)).toBe(true);
    await world.call("POST", "/clock/advance", { until: "next" });
    expect(await isOpen(2)).toBe(true);
    expect(await isOpen(1)).toBe(true);
  });

  test("a retry that is in the air is shown, though no entry tells of its start, and is no next attempt", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
    await detail(page).getByText("Next attempt").waitFor();
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    receiver.answerWith(async (_request, response) => {
      await isLetGo;
      response.writeHead(200).end();
    });
    const advanced = world.call("POST", "/clock/advance", { until: "next" });
    await receiver.arrived(2);
    await detail(page).getByText("in the air").waitFor();
    expect(await detail(page).getByText("Next attempt").count()).toBe(0);
    letGo();
    await advanced;
    await detail(page).locator(".state", { hasText: "delivered" }).first().waitFor();
  });

  test("an attempt that was unfolded stays so, with the focus, when the next one comes", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.call("POST", "/clock/advance", { until: "next" });
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
    const first = detail(page).locator("details.attempt", { hasText: "Attempt 1" });
    await first.locator("summary").press("Enter");
    await first.getByText("Request headers").waitFor();
    await world.call("POST", "/clock/advance", { until: "next" });
    await detail(page).locator("details.attempt", { hasText: "Attempt 3" }).waitFor();
    await first.getByText("Request headers").waitFor();
    expect(await first.locator("summary").evaluate((part) => part === document.activeElement)).toBe(true);
  });

  test("those of a charge's dispute are among the charge's as they come", async () => {
    const world = await file.world({ postback_url: INBOX });
    const { transactionId, infractionId } = await openedDispute(world, await SigningMerchant.ofAccount(world));
    const page = await open(`${world.baseUrl}/#/transactions/${transactionId}`);
    await detail(page).getByRole("heading", { name: "Webhooks 2", exact: true }).waitFor();
    await decide(world, infractionId, "win");
    await detail(page).getByRole("heading", { name: "Webhooks 3", exact: true }).waitFor();
  });

  test("of many of one payment the first ones are shown, and said to be that, with the way to all of them", async () => {
    const world = await file.world({ postback_url: INBOX });
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    await detail(page).getByRole("heading", { name: "Webhooks 1", exact: true }).waitFor();
    for (let made = 1; made < 101; made++) await world.act(id, "refund", { amount: "0.10" });
    await detail(page).getByRole("heading", { name: "Webhooks, the first 100", exact: true }).waitFor();
    await detail(page).getByRole("link", { name: "all of them, in their list" }).click();
    await page.getByText("101 matches in 101 webhooks").waitFor();
  });

  test("probes about a payment that there is not are no payment in the time line", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const page = await open(`${world.baseUrl}/#/`);
    await world.call("POST", "/report/probe");
    await page.getByRole("row").filter({ hasText: "Probe about an unknown payment" }).waitFor();
    // Nothing of it is asked for, which the console would tell as an error.
    await world.trigger("cashin.confirmed");
    await page.getByRole("row").filter({ hasText: "Charge" }).getByText("confirmed", { exact: true }).first().waitFor();
  });
});
