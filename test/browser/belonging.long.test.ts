/** What belongs to what is open, and the way to it: the deposits of a wallet, the dispute and the shares of a charge. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("what belongs together in the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();
  const part = (page: Page, title: string) =>
    page.locator(".part", { has: page.getByRole("heading", { name: new RegExp(`^${title} \\d+$`) }) });

  test("a wallet shows its deposits, those on their way and those credited, with the way to each and back", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
    await world.call("POST", "/wallets/1001/deposit", { amount: "42.50" });
    await world.advance("10m");
    await chargeOf(merchant);
    const page = await open(`${world.baseUrl}/#/wallets/1001`);
    await part(page, "Deposits").getByText("confirmed").waitFor();
    await page.getByRole("button", { name: "deposit…" }).click();
    await page.getByRole("dialog").getByLabel("Amount").fill("7.00");
    await page.keyboard.press("Enter");
    await page.getByText("deposit: sent; it is credited after its confirmations.").waitFor();
    const lines = part(page, "Deposits").locator("li");
    await lines.filter({ hasText: "7.000000 USDT" }).getByText("pending").waitFor();
    expect(await lines.count()).toBe(2);
    await lines.getByRole("link", { name: "7.000000 USDT" }).click();
    await page.getByRole("heading", { name: "Charge of 7.000000 USDT" }).waitFor();
    await page.getByRole("complementary", { name: "Details" }).getByRole("link", { name: "1001", exact: true }).click();
    await part(page, "Deposits").waitFor();
  });

  test("a disputed charge leads to its dispute, and one with a split to what others got of it", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const id = await chargeOf(merchant, { split: [{ username: "globex", percentage: 10 }] });
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    await page.getByText("How it came about").waitFor();
    expect(await part(page, "Dispute").count()).toBe(0);
    await world.act(id, "pay");
    await world.act(id, "dispute", { reason: "The parcel never came" });
    await part(page, "Transfers of its split").getByRole("link", { name: "to globex" }).click();
    await page.getByRole("heading", { name: /^Transfer of/ }).waitFor();
    await page.goBack();
    await part(page, "Dispute").getByRole("link", { name: "The parcel never came" }).click();
    await page.getByRole("heading", { name: "Dispute over 150.00 BRL" }).waitFor();
  });
});
