/** Accounts in the dashboard: more than one page of them, and names that are long. */
import { expect, test } from "vitest";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("accounts in the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("those beyond the first two hundred are a page further", async () => {
    const world = await file.world();
    for (let number = 0; number < 205; number++) await world.call("POST", "/accounts", { username: `shop-${number}` });
    const page = await open(`${world.baseUrl}/#/accounts`);
    await page.getByText("the first 200 accounts").waitFor();
    await page.getByRole("button", { name: "further ones" }).click();
    await page.getByRole("article", { name: "Account shop-204" }).waitFor();
    expect(await page.getByRole("article").count()).toBeLessThan(20);
    await page.getByRole("button", { name: "the first ones" }).click();
    await page.getByText("the first 200 accounts").waitFor();
  });

  test("the longest names push nothing out of sight, and show what would turn the order of writing", async () => {
    const world = await file.world();
    const name = `\u202e${"n".repeat(99)}`;
    await world.call("POST", "/accounts", { username: "u".repeat(63), name });
    const page = await open(`${world.baseUrl}/#/accounts`, { viewport: { width: 768, height: 800 } });
    const card = page.getByRole("article", { name: "Account uuu" });
    await card.waitFor();
    const isInside = await card.evaluate((box) => {
      const edge = box.getBoundingClientRect().right;
      return [...box.querySelectorAll("*")].every((part) => part.getBoundingClientRect().right <= edge);
    });
    expect(isInside).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const parts = await card.locator("header .grow bdi").evaluateAll((all) => all.map((one) => one.textContent));
    expect(parts[0]).toBe(`⟨U+202E⟩${"n".repeat(99)}`);
    expect(parts).toHaveLength(3);
  });

  test("a postback URL or a rate that another changes leaves the field that is typed into alone; the others follow", async () => {
    const world = await file.world({ postback_url: "http://localhost:1/one" });
    const page = await open(`${world.baseUrl}/#/accounts`);
    const field = (username: string) =>
      page.getByRole("article", { name: `Account ${username}` }).getByLabel("Webhooks go to");
    await field("acme").fill("http://localhost:1/wh");
    const urlOf = (username: string, postback_url: string) =>
      world.call("PATCH", `/accounts/${username}`, { postback_url });
    await urlOf("acme", "http://localhost:1/other");
    await urlOf("globex", "http://localhost:1/globex");
    await expect.poll(() => field("globex").inputValue()).toBe("http://localhost:1/globex");
    await page.keyboard.type("ooks-new");
    expect(await field("acme").inputValue()).toBe("http://localhost:1/whooks-new");
    await page.keyboard.press("Enter");
    await page.getByText("Webhooks of acme go to http://localhost:1/whooks-new.").waitFor();
    await page.keyboard.type("er");
    expect(await field("acme").inputValue()).toBe("http://localhost:1/whooks-newer");
    await field("acme").fill("http://localhost:1/whooks-new");
    await field("globex").focus();
    await urlOf("acme", "http://localhost:1/last");
    await expect.poll(() => field("acme").inputValue()).toBe("http://localhost:1/last");

    await page.goto(`${world.baseUrl}/#/rates`);
    const put = (rates: object) => world.call("PUT", "/rates", { rates });
    await page.getByLabel("MXN").focus();
    await put({ MXN: "0.07" });
    await put({ BTC: "90000" });
    await expect.poll(() => page.getByLabel("BTC").inputValue()).toBe("90000");
    await page.keyboard.press("Enter");
    await page.getByText("No rate has been changed.").waitFor();
    await page.getByLabel("BTC").focus();
    expect(await page.getByLabel("MXN").inputValue()).toBe("0.07");
  });

  test("a URL that was saved follows what another makes of it before the page has read either", async () => {
    const world = await file.world({ postback_url: "http://localhost:1/one" });
    const page = await open("about:blank");
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route(/_sandbox\/accounts(\?|$)/, async (route) => {
      if (isHeld) await isLetGo;
      await route.continue();
    });
    await page.goto(`${world.baseUrl}/#/accounts`);
    const field = page.getByRole("article", { name: "Account acme" }).getByLabel("Webhooks go to");
    await field.fill("http://localhost:1/mine");
    isHeld = true;
    await page.keyboard.press("Enter");
    await page.getByText("Webhooks of acme go to http://localhost:1/mine.").waitFor();
    await world.call("PATCH", "/accounts/acme", { postback_url: "http://localhost:1/last" });
    letGo();
    await field.blur();
    await expect.poll(() => field.inputValue()).toBe("http://localhost:1/last");
  });

  test("a rate whose field was emptied is there again once others are changed", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/rates`);
    const before = await page.getByLabel("MXN").inputValue();
    await page.getByLabel("MXN").fill(" ");
    await page.getByLabel("BTC").fill("91000");
    await page.getByRole("button", { name: "change", exact: true }).click();
    await page.getByText("Changed: BTC.").waitFor();
    expect(await page.getByLabel("MXN").inputValue()).toBe(before);
    expect(before).not.toBe("");
  });
});
