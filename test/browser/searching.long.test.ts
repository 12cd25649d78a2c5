/** What the time line finds by what only the heads of its threads show, such as external ids and states. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { chargeOf, makeCharge } from "../support/charges.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { writeLongJournal } from "./long-journal.ts";

describeInBrowser("the search of the time line", () => {
  const file = useSandbox();
  const open = useBrowser();
  const foot = (page: Page) => page.locator(".search-foot");

  test("finds as many charges as there are, in threads and entry by entry", async () => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await Merchant.of(world);
    for (let number = 0; number < 120; number++) await chargeOf(merchant, { external_id: `shop-${number}` });
    const page = await open(`${world.baseUrl}/#/?search=shop-`);
    // The call and the transition of each.
    await foot(page).getByText("240 matches").waitFor();
    await page.getByRole("button", { name: "journal" }).click();
    // There, a call is about itself.
    await foot(page).getByText("120 matches").waitFor();
    expect(await foot(page).getByRole("button").count()).toBe(0);
  });

  test("finds a conversion by its amounts as they are shown, in its list too", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.convert({ base_currency: "BRL", destination_currency: "BTC", amount: 1250 });
    for (const place of ["", "conversions"]) {
      const page = await open(`${world.baseUrl}/#/${place}?search=1250.00%20BRL`);
      await page.locator(".rows .row").filter({ hasText: "1\u202f250.00 BRL" }).first().waitFor();
      await foot(page)
        .getByText(place === "" ? /^[1-9]\d* match/ : "1 match in 1 conversion")
        .waitFor();
    }
  });

  test("goes further at a button that keeps the focus", async () => {
    const folder = testFolder();
    const length = await writeLongJournal(folder, 1_200);
    await using sandbox = await startSandbox({ data: folder });
    await using page = await open(`${sandbox.baseUrl}/#/?search=entry`);
    await page.getByRole("button", { name: "journal" }).click();
    await foot(page).getByText("500 matches in 500 entries").waitFor();
    const further = page.getByRole("button", { name: "look further" });
    await further.press("Enter");
    await foot(page).getByText("1000 matches in 1000 entries").waitFor();
    expect(await further.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await foot(page).getByText(`1200 matches in ${length} entries`).waitFor();
  });

  test("finds a charge by the state that it comes to be in, and no longer by the one that it was in", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const [pending, expired] = [
      await open(`${world.baseUrl}/#/?search=pending`),
      await open(`${world.baseUrl}/#/?search=expired`),
    ];
    const call = (page: Page) => page.getByRole("row").filter({ hasText: "POST /v2/transactions/cashin" });
    await call(pending).waitFor();
    await foot(expired)
      .getByText(`0 matches in ${(await world.journal()).length} entries`)
      .waitFor();
    expect(await call(expired).count()).toBe(0);
    await world.act(id, "expire");
    await call(expired).waitFor();
    await call(pending).waitFor({ state: "detached" });
  });
});
