/** What the dashboard shows of long names and figures where there is little room. */
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("the dashboard, where there is little room", () => {
  const file = useSandbox();
  const open = useBrowser();

  test.each([360, 400])(
    "%i px wide, the page says which world it is, and its clock is one line as before",
    async (width) => {
      const own = await file.world({ id: `${width}-${"checkout-".repeat(6)}end` });
      const page = await open(`${own.baseUrl}/`, { viewport: { width, height: 800 } });
      const name = page.locator(".brand").getByText(`${width}-checkout`);
      expect((await name.boundingBox())?.width).toBeGreaterThan(40);
      const tool = page.getByRole("button", { name: "Keys" });
      const [left, clock, right] = await Promise.all(
        [name, page.locator(".now .time"), tool].map((part) => part.boundingBox()),
      );
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(Math.abs((right?.y ?? 0) - (clock?.y ?? 0))).toBeLessThan(20);
    },
  );

  test("360 px wide, an id that an advance is on its way to leaves the button that stops it on the page", async () => {
    const own = await file.world();
    const id = await makeCharge(own);
    const page = await open(`${own.baseUrl}/`, { viewport: { width: 360, height: 800 } });
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/clock/advance", async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.getByText("1 timer").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog").getByRole("combobox").selectOption("until something expires");
    await page.getByRole("dialog").locator("[name=target]").fill(id);
    await page.keyboard.press("Enter");
    const stop = await page.getByRole("button", { name: "stop" }).boundingBox();
    expect((stop?.x ?? 0) + (stop?.width ?? 0)).toBeLessThanOrEqual(360);
    letGo();
    await page.getByRole("button", { name: "stop" }).waitFor({ state: "detached" });
  });

  test.each([464, 551])("%i px wide, it is said how many timers are pending", async (width) => {
    const own = await file.world();
    await makeCharge(own);
    const page = await open(`${own.baseUrl}/`, { viewport: { width, height: 800 } });
    const link = page.locator(".pending > span");
    await link.getByText("1 timer").waitFor();
    expect(await link.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  });

  test("400 px wide, a long name of a rule and a long word of a description wrap within their card", async () => {
    const own = await file.world();
    const word = "x".repeat(300);
    const name = "a_rule_with_a_name_that_has_no_place_to_break_at_".repeat(3);
    await own.scenarios.load(
      `scenario: long\ndescription: ${word}\nrules:\n  - { name: ${name}, on: cashin.created, then: [{ note: x }] }\n`,
    );
    const page = await open(`${own.baseUrl}/#/scenarios`, { viewport: { width: 400, height: 800 } });
    const card = page.getByRole("article", { name: "Scenario long" });
    await card.getByText(name).waitFor();
    expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  test.each([900, 1024, 1280, 1600])(
    "%i px wide, the buttons of a list are whole, beside what is open too",
    async (width) => {
      const own = await file.world();
      const id = await makeCharge(own);
      const merchant = await SigningMerchant.ofAccount(own);
      await merchant.cashout({ currency: "BRL", amount: "50.00", key: "maria@example.com" });
      const page = await open(`${own.baseUrl}/#/transactions`, { viewport: { width, height: 800 } });
      const buttons = page.locator(".transactions .act button");
      await buttons.nth(1).waitFor();
      const cut = () =>
        buttons.evaluateAll((all) =>
          all
            .filter((button) => {
              const [own, cell] = [button, button.parentElement].map((part) => part?.getBoundingClientRect());
              return own && cell && own.width > 0 && (own.left < cell.left - 1 || own.right > cell.right + 1);
            })
            .map((button) => button.textContent),
        );
      expect(await cut()).toEqual([]);
      await page.goto(`${own.baseUrl}/#/transactions/${id}`);
      await page.locator(".detail .part").first().waitFor();
      expect(await cut()).toEqual([]);
    },
  );

  test("a conversion has the places of its currencies in the lists, and in all of its details", async () => {
    const own = await file.world();
    await own.trigger("conversion.confirmed");
    const page = await open(`${own.baseUrl}/#/conversions`);
    const row = page.locator(".conversions .rows .row");
    await row.getByText("19.800000").waitFor();
    await row.getByText("100.00").click();
    await page.getByRole("heading", { name: "100.00 BRL to 19.800000 USDT" }).waitFor();
    await page.locator(".fields").getByText("0.100000 USDT").first().waitFor();
    await page.getByRole("link", { name: "Time line", exact: true }).click();
    await page.getByText("100.00 BRL → USDT", { exact: true }).waitFor();
  });

  test("1280 px wide, beside what is open, a call that has no room shows its end", async () => {
    const own = await file.world();
    await own.trigger("cashin.confirmed");
    const page = await open(`${own.baseUrl}/#/requests`);
    await page.locator(".requests .rows .row").first().click();
    await page.locator(".detail").waitFor();
    expect(await page.locator(".requests .path bdi").count()).toBe(1);
    const hidden = await page.locator(".requests .path bdi").evaluateAll((paths) =>
      paths.filter((path) => {
        const box = path.parentElement?.getBoundingClientRect();
        return !box || box.width < 40 || path.getBoundingClientRect().right > box.right + 1;
      }),
    );
    expect(hidden).toEqual([]);
  });
});
