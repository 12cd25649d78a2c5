/** Places of the dashboard: what an address keeps of how a list was looked at, and what a link shows of it. */
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("places of the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("a list stays narrowed on the way back, in what is opened beside it, and when it is read anew", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const external_id of ["order & 1", "order & 2", "other"]) await chargeOf(merchant, { external_id });
    const page = await open(`${world.baseUrl}/#/transactions`);
    const search = page.getByLabel("Search transactions");
    const pending = page.getByRole("button", { name: "pending", exact: true });
    const isNarrowed = async () => {
      await page.getByText("2 matches in 3 transactions").waitFor();
      expect(await search.inputValue()).toBe("order & ");
      expect(await pending.getAttribute("aria-pressed")).toBe("true");
    };
    await search.pressSequentially("order & ");
    await pending.click();
    await isNarrowed();
    await page.getByRole("row").filter({ hasText: "order & 2" }).click();
    await page.locator(".detail .part").first().waitFor();
    await isNarrowed();
    await page.reload();
    await page.locator(".detail .part").first().waitFor();
    await isNarrowed();
    await page.keyboard.press("Escape");
    await page.locator(".detail").waitFor({ state: "detached" });
    await isNarrowed();
    await page.getByRole("link", { name: "Disputes", exact: true }).click();
    await page.getByRole("heading", { name: "Disputes", level: 1 }).waitFor();
    expect(await page.getByLabel("Search disputes").inputValue()).toBe("");
    await page.goBack();
    await isNarrowed();
    await page.getByRole("link", { name: "Time line", exact: true }).click();
    await page.getByRole("button", { name: "calls" }).click();
    await page.reload();
    await page.getByRole("grid", { name: "Time line" }).waitFor();
    expect(await page.getByRole("button", { name: "calls" }).getAttribute("aria-pressed")).toBe("true");
  });

  test("what a link has open is in sight in its list", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const ids: string[] = [];
    for (let number = 0; number < 60; number++) ids.push(await chargeOf(merchant, { external_id: `order-${number}` }));
    const page = await open(`${world.baseUrl}/#/transactions/${ids[5]}`);
    const row = page.locator(".row[data-open]");
    await row.getByText("order-5", { exact: true }).waitFor();
    const isInSight = () =>
      row.evaluate((part) => {
        const { left, top, bottom } = part.getBoundingClientRect();
        return part.contains(document.elementFromPoint(left + 20, (top + bottom) / 2));
      });
    await expect.poll(isInSight).toBe(true);
    await page.locator(".grid").evaluate((grid) => grid.scrollTo(0, 0));
    await expect.poll(() => row.count()).toBe(0);
    await world.advance("1s");
    await chargeOf(merchant, { external_id: "newest" });
    await page.getByText("newest").waitFor();
    expect(await page.locator(".grid").evaluate((grid) => grid.scrollTop)).toBe(0);
  });

  test("the first row that a key chooses in a list that was scrolled is the first in sight", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let number = 0; number < 59; number++) await chargeOf(merchant, { external_id: `order-${number}` });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await page.getByText("order-58").waitFor();
    const grid = page.locator(".grid");
    await grid.evaluate((box) => box.scrollTo(0, 600));
    await page.locator(".row").getByText("order-30", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.locator(".row[aria-selected=true]").getByText("order-38", { exact: true }).waitFor();
    expect(await grid.evaluate((box) => box.scrollTop)).toBe(600);
  });

  test("keys go on beside the chosen row where it leaves a narrowed list", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const ids: string[] = [];
    for (let number = 0; number < 9; number++) ids.push(await chargeOf(merchant, { external_id: `order-${number}` }));
    const page = await open(`${world.baseUrl}/#/transactions?only=pending`);
    const chosen = page.locator(".row[aria-selected=true]");
    const leaves = async (number: number) => {
      await chosen.getByText(`order-${number}`, { exact: true }).waitFor();
      await world.act(ids[number] ?? "", "expire");
      await chosen.waitFor({ state: "detached" });
    };
    await page.getByText("order-8").waitFor();
    for (let times = 0; times < 4; times++) await page.keyboard.press("j");
    await leaves(5);
    await page.keyboard.press("j");
    await leaves(4);
    await page.keyboard.press("k");
    await chosen.getByText("order-6", { exact: true }).waitFor();
  });

  test("what waits for a step of a scenario is gone to where it is shown, whatever kind of payment it is", async () => {
    const steps = [{ after: "1h", note: "an hour later" }];
    const kinds = ["cashout.confirmed", "conversion.confirmed", "transfer.confirmed"] as const;
    const world = await file.world({ scenarios: [scenario("later", ...kinds.map((kind) => rule(kind, steps)))] });
    for (const kind of kinds) await world.trigger(kind);
    const page = await open(`${world.baseUrl}/#/pending`);
    const titles: string[] = [];
    for (const place of ["transactions", "conversions", "transfers"]) {
      await page.goto(`${world.baseUrl}/#/pending`);
      const row = page.getByRole("row", { name: "step of a scenario" }).nth(titles.length);
      const id = await row.getByRole("link").innerText();
      await row.getByRole("link").click();
      await page.locator(".detail .part").first().waitFor();
      expect(new URL(page.url()).hash).toBe(`#/${place}/${id}`);
      titles.push(await page.locator(".detail h2").innerText());
    }
    expect(titles.map((title) => title.split(" ")[0])).toEqual(["Cash-out", "100.00", "Transfer"]);
  });
});
