/** The keys of the page, and what has the focus after them. */
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("keys of the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("a key that is held down does its work once, and goes on through a list", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const external_id of ["order-1", "order-2", "order-3"]) await chargeOf(merchant, { external_id });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await page.getByText("order-3").waitFor();
    const posted: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posted.push(request.url().split("/_sandbox")[1] ?? "");
    });
    // Without a release in between, all but the first are repeats.
    const hold = async (key: string) => {
      for (let times = 0; times < 3; times++) await page.keyboard.down(key);
      await page.keyboard.up(key);
    };
    await hold("f");
    await page.getByRole("button", { name: "freeze time" }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "run: let time flow" }).waitFor();
    await hold("n");
    await page.getByText("on, to").waitFor();
    expect(posted).toEqual(["/clock", "/clock", "/clock/advance"]);
    await hold("j");
    expect(await page.locator("[aria-selected=true]").innerText()).toContain("order-1");
  });

  test("what a button does not do while nothing is pending, its key does not do either", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    await page.getByText("nothing pending").waitFor();
    await page.keyboard.press("n");
    await page.getByText("Nothing is pending, so that").waitFor();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "freeze time" }).waitFor();
    const calls = (await world.journal()).filter(({ kind }) => kind === "control").map(({ data }) => data.call);
    expect(calls).toEqual(["POST /clock"]);
  });

  test("what happens is read aloud each time, though it be the same again, and so is what the clock does", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    await page.getByText("nothing pending").waitFor();
    await page.getByRole("log").evaluate((log) => {
      const told: string[] = [];
      Object.assign(window, { told });
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) told.push(node.textContent ?? "");
      }).observe(log, { childList: true, subtree: true });
    });
    const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
    const merchant = await Merchant.of(world);
    const expected: string[] = [];
    const happens = async (work: () => Promise<unknown>, words: string) => {
      expected.push(words);
      await work();
      await expect.poll(told).toEqual(expected);
    };
    await happens(() => chargeOf(merchant), "charge is made pending");
    await happens(() => chargeOf(merchant), "charge is made pending");
    await happens(() => page.keyboard.press("f"), "Time flows, speed 1.");
    await happens(() => page.keyboard.press("f"), "Time stands still, speed 1.");
    await happens(() => page.getByLabel("Speed of time").selectOption("60×"), "Time stands still, speed 60.");
  });

  test("a speed that is refused is not shown as that of the clock", async () => {
    const page = await open(`${(await file.world()).baseUrl}/`, { mayComplain: /status of 409/ });
    const answer = { status: 409, json: { error: { code: "CONFLICT", message: "The clock cannot be changed now." } } };
    await page.route("**/clock", (route) =>
      route.request().method() === "POST" ? route.fulfill(answer) : route.continue(),
    );
    await page.getByLabel("Speed of time").selectOption("60×");
    await page.getByText("The clock cannot be changed now.").waitFor();
    await expect.poll(() => page.getByLabel("Speed of time").inputValue()).toBe("1");
  });

  test("a button that copies keeps the focus where the page has no clipboard but by selection, too", async () => {
    const world = await file.world();
    const id = await chargeOf(await Merchant.of(world));
    const page = await open("about:blank");
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.goto(`${world.baseUrl}/#/transactions/${id}`);
    const copy = page.getByRole("button", { name: "Copy id" });
    await copy.press("Enter");
    await page.getByText("id copied").waitFor();
    expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});
