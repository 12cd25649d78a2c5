/** What the dashboard makes of a world that goes away, a stream that breaks off, long histories and hostile texts. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { chargeOf, makeCharge } from "../support/charges.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";
import { describeInBrowser, routeNext, useBrowser } from "./browser.ts";
import { cuttableWayTo } from "./cuttable.ts";
import { writeLongJournal } from "./long-journal.ts";

const NOT_THERE = /status of 404/;
const NO_CONNECTION = /ERR_|status of 404/;

describeInBrowser("the dashboard, in adversity", () => {
  const file = useSandbox();
  const open = useBrowser();
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();

  test("texts of payers and merchants are texts, whatever they say", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const bad = '<img src=x onerror="window.struck=1">';
    const worse = `"><script>window.struck=2</script>`;
    const merchant = await Merchant.of(world);
    const id = await chargeOf(merchant, { external_id: bad });
    await world.act(id, "pay", { payer: { name: worse } });
    await world.act(id, "dispute", { reason: `${bad}${worse}` });
    await merchant.cashin({ currency: bad, amount: worse });
    const dispute = (await world.all<{ infraction_id: string }>("/disputes"))[0]?.infraction_id;
    const request = (await world.all<{ request_id: string }>("/requests")).at(-1)?.request_id;
    const webhook = (await world.webhooks())[0]?.webhook_id;
    const page = await open(`${world.baseUrl}/`);
    await row(page, bad).waitFor();
    const places = [`transactions/${id}`, `disputes/${dispute}`, `requests/${request}`, `webhooks/${webhook}`];
    for (const place of places) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${place}`);
      await page.getByRole("complementary", { name: "Details" }).getByText("<img src=x").first().waitFor();
    }
    const struck = await page.evaluate(() => [
      (window as { struck?: number }).struck,
      document.querySelectorAll("img, body script").length,
    ]);
    expect(struck).toEqual([undefined, 0]);
  });

  test("a world that is deleted under it: it says so, and leads to the others; made again, it goes on", async () => {
    const world = await file.world({ id: "short-lived" });
    await makeCharge(world, { external_id: "old" });
    const page = await open(`${world.baseUrl}/#/transactions`, { mayComplain: NOT_THERE });
    await row(page, "old").waitFor();
    await world.delete();
    await page.getByText("This world is not there").waitFor();
    const link = page.getByRole("link", { name: "See which worlds there are" });
    expect(await link.getAttribute("href")).toBe("/#/worlds");
    const again = await file.sandbox.openWorld("short-lived", { scenarios: [] });
    await page.getByText("This world is not there").waitFor({ state: "detached" });
    await makeCharge(again, { external_id: "new" });
    await row(page, "new").waitFor();
    expect(await row(page, "old").count()).toBe(0);
  });

  test("the list of worlds goes along with those made and deleted by others, and with the clock of its own", async () => {
    const world = await file.world({ id: "looked-from" });
    const page = await open(`${world.baseUrl}/#/worlds`);
    const line = (text: string) => page.locator(".line", { hasText: text });
    await line("looked-from").getByText("2026-01-01 12:00:00").waitFor();
    const other = await file.world({ id: "made-by-another" });
    await line("made-by-another").waitFor();
    await other.delete();
    await line("made-by-another").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Advance by 1h" }).click();
    await line("looked-from").getByText("2026-01-01 13:00:00").waitFor();
    await page.getByRole("button", { name: "run: let time flow" }).click();
    await line("looked-from").getByText("running").waitFor();
  });

  test("the address of a world that never was says so, with 404, until it is made", async () => {
    const page = await open("about:blank", { mayComplain: NOT_THERE });
    const answer = await page.goto(`${file.sandbox.baseUrl}/worlds/nowhere/`);
    expect(answer?.status()).toBe(404);
    await page.getByText("This world is not there").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual(["Time line"]);
    await makeCharge(await file.world({ id: "nowhere" }), { external_id: "at-last" });
    await row(page, "at-last").waitFor();
    expect(await page.getByText("This world is not there").count()).toBe(0);
  });

  test.each(["99999", "0", "no-number"])("an entry that is not there is said not to be: %s", async (id) => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/timeline/${id}`);
    await page.getByRole("complementary", { name: "Details" }).getByText(`There is no entry ${id}.`).waitFor();
  });

  test.each([".", ".."])("an id that addresses take for a folder is one that there is not: %s", async (id) => {
    const world = await file.world();
    await makeCharge(world, { external_id: "order..1" });
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    const details = page.getByRole("complementary", { name: "Details" });
    await details.getByText(`There is nothing with the id “${id}”.`).waitFor();
    await page.getByRole("searchbox").fill(id);
    await page.keyboard.press("Enter");
    await page.locator("[role=grid]:focus").waitFor();
  });

  test("a stream that is cut is taken up again where it broke off, and says so meanwhile", async () => {
    const world = await file.world();
    await using way = await cuttableWayTo(file.sandbox.baseUrl);
    const page = await open(`${way.baseUrl}${new URL(world.baseUrl).pathname}/`, { mayComplain: NO_CONNECTION });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant, { external_id: "before" });
    await row(page, "before").waitFor();
    way.cut();
    await page.getByText("The sandbox does not answer").waitFor();
    for (const name of ["meanwhile-1", "meanwhile-2"]) await chargeOf(merchant, { external_id: name });
    way.mend();
    await row(page, "meanwhile-2").waitFor();
    await page.getByText("The sandbox does not answer").waitFor({ state: "detached" });
    const entries = (await world.journal()).length;
    await expect.poll(() => page.locator(".view-head .count").innerText()).toBe(`${entries} entries`);
  });

  test.each([
    { view: "Time line", before: "Disputes", text: "charge is made" },
    { view: "Charges", before: "Time line", text: "order-1" },
    { view: "Accounts", before: "Time line", text: "globex" },
  ])(
    "a view that is opened while nothing answers is not empty, and is read as soon as it can be: $view",
    async (one) => {
      const world = await file.world();
      await makeCharge(world, { external_id: "order-1" });
      await using way = await cuttableWayTo(file.sandbox.baseUrl);
      const page = await open(`${way.baseUrl}${new URL(world.baseUrl).pathname}/`, { mayComplain: NO_CONNECTION });
      await page.getByText("charge is made").waitFor();
      await page.getByRole("link", { name: one.before, exact: true }).click();
      await page.getByRole("heading", { name: one.before, level: 1 }).waitFor();
      const refused = page.waitForEvent("requestfailed");
      way.cut();
      await page.getByRole("link", { name: one.view, exact: true }).click();
      await refused;
      await page.getByText("The sandbox does not answer").waitFor();
      expect(await page.getByText("Nothing has been charged yet").count()).toBe(0);
      way.mend();
      await page.getByText(one.text).first().waitFor();
    },
  );

  test("a sandbox that is started anew has the same history, but other settings: the page shows them", async () => {
    const first = await startSandbox();
    const port = Number(new URL(first.baseUrl).port);
    const page = await open(`${first.baseUrl}/#/settings`, { mayComplain: NO_CONNECTION });
    const quotes = page.getByRole("row").filter({ hasText: "quote_ttl" });
    await quotes.filter({ hasText: "60s" }).waitFor();
    await first.stop();
    await page.getByText("The sandbox does not answer").waitFor();
    await using second = await startSandbox({ port, settings: { quote_ttl: "90s" } });
    expect(second.baseUrl).toBe(first.baseUrl);
    await quotes.filter({ hasText: "90s" }).waitFor();
  });

  test("with three pages side by side, an advance that one of them asked for is stopped by another", async () => {
    const everyMinute = clockRule({ every: "* * * * *" }, [{ note: "tick" }]);
    const world = await file.world({ scenarios: [scenario("busy", everyMinute)] });
    const first = await open(`${world.baseUrl}/`);
    const others = [await first.context().newPage(), await first.context().newPage()];
    for (const page of others) await page.goto(`${world.baseUrl}/`);
    await first.getByText("The making of the world").waitFor();
    await first.keyboard.press("a");
    await first.getByLabel("Span").fill("2000d");
    await first.keyboard.press("Enter");
    for (const page of others) await page.getByText("another’s advance is under way").waitFor();
    await others[1]?.getByRole("button", { name: "stop another’s" }).click();
    await others[1]?.getByText("The advance that was under way is called off.").waitFor();
    await first.getByText("it did not get there").waitFor();
  });

  test("a world that is reset: the page begins anew with it", async () => {
    const world = await file.world();
    await makeCharge(world, { external_id: "forgotten" });
    const page = await open(`${world.baseUrl}/`, { mayComplain: NOT_THERE });
    await row(page, "forgotten").waitFor();
    await world.reset();
    await row(page, "forgotten").waitFor({ state: "detached" });
    await makeCharge(world, { external_id: "remembered" });
    await row(page, "remembered").waitFor();
  });

  test("what is open of a history that is gone is said not to be there, and can no longer be paid", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`, { mayComplain: NOT_THERE });
    const pay = page.getByRole("button", { name: "pay", exact: true });
    await pay.waitFor();
    await world.reset();
    await page.getByText(`There is no transaction ${id}.`).waitFor();
    expect(await pay.count()).toBe(0);
  });

  test("a world that is reset while its journal is about to be streamed: what is open of it is gone all the same", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open("about:blank", { mayComplain: NOT_THERE });
    await routeNext(page, "**/journal/stream", async (route) => {
      await page.getByRole("button", { name: "pay", exact: true }).waitFor();
      await world.reset();
      await route.continue();
    });
    await page.goto(`${world.baseUrl}/#/transactions/${id}`);
    await page.getByText(`There is no transaction ${id}.`).waitFor();
  });

  test("a journal that is narrowed takes in what happens, and is that of the other history when the world is reset", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const page = await open(`${world.baseUrl}/`);
    await page.getByLabel("Search the time line").fill('"resource":"cashin"');
    await page.getByText(`0 matches in ${(await world.journal()).length} entries`).waitFor();
    await page.getByRole("button", { name: "journal" }).click();
    const isTold = async (matches: string) => {
      const entries = (await world.journal()).length;
      await page.locator(".search-foot").getByText(`${matches} in ${entries} entries`, { exact: true }).waitFor();
      return page.getByRole("grid", { name: "Journal" }).getByRole("row").allInnerTexts();
    };
    expect(await isTold("0 matches")).toEqual([]);
    for (const matches of ["1 match", "2 matches"]) {
      await chargeOf(merchant);
      expect((await isTold(matches)).join()).toMatch(/^[^,]*charge is made/);
    }
    await world.reset();
    expect(await isTold("0 matches")).toEqual([]);
  });

  test("a journal of 100 000 entries: as few rows are drawn as are in sight, wherever one looks", async () => {
    const folder = testFolder();
    const length = await writeLongJournal(folder, 100_000);
    await using sandbox = await startSandbox({ data: folder });
    // Goes before its sandbox does: a page that is still there would complain that its stream cannot be had again.
    await using page = await open(`${sandbox.baseUrl}/`);
    await page.getByText(`${length} entries`).waitFor();
    await row(page, "entry 100000").waitFor();
    await page.getByRole("button", { name: "journal" }).click();
    const grid = page.getByRole("grid", { name: "Journal" });
    const drawn = () => grid.locator("[role=row]").count();
    for (const share of [0.5, 0.25, 0.9, 0.1]) {
      await grid.evaluate((box, part) => {
        box.scrollTop = (box.scrollHeight - box.clientHeight) * part;
      }, share);
      const sequence = Math.round(length * (1 - share));
      await grid
        .getByText(new RegExp(`^note: entry ${String(sequence).slice(0, 2)}`))
        .first()
        .waitFor();
      expect(await drawn()).toBeLessThan(80);
    }
    await grid.focus();
    await page.keyboard.press("End");
    await row(page, "The world is made").waitFor();
    await page.keyboard.press("Home");
    await makeCharge(await sandbox.defaultWorld(), { external_id: "latest" });
    await row(page, "charge is made").waitFor();
    expect(await drawn()).toBeLessThan(80);
  });

  test("many charges at once: threads stay as few rows as are in sight, and older ones come as one scrolls", async () => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await Merchant.of(world);
    const page = await open(`${world.baseUrl}/`);
    await page.getByText("The making of the world").waitFor();
    for (let number = 1; number <= 250; number++) await chargeOf(merchant, { external_id: `n-${number}` });
    await row(page, "n-250").waitFor();
    await page.reload();
    await row(page, "n-250").waitFor();
    const grid = page.getByRole("grid", { name: "Time line" });
    await expect
      .poll(async () => {
        await grid.evaluate((box) => {
          box.scrollTop = box.scrollHeight;
        });
        return grid.getByText("The making of the world").count();
      })
      .toBe(1);
    expect(await grid.locator("[role=row]").count()).toBeLessThan(80);
  });
});

describeInBrowser("a sandbox with a control token", () => {
  const guarded = useSandbox({ controlToken: "open-sesame" });
  const open = useBrowser();

  test("asks for it once, and goes on with it", async () => {
    const page = await open(`${guarded.sandbox.baseUrl}/`, { mayComplain: /status of 401/ });
    // The field has the focus: a password manager's or one's own keys go there at once.
    await page.locator("[name=token]:focus").waitFor();
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("That is not the token.").waitFor();
    await page.getByLabel("Control token").fill("open-sesame");
    await page.getByRole("button", { name: "look in" }).click();
    await page.getByText("The making of the world").waitFor();
    await makeCharge(await guarded.sandbox.defaultWorld(), { external_id: "through-the-stream" });
    await page.getByText("through-the-stream").first().waitFor();
    await page.reload();
    await page.getByText("through-the-stream").first().waitFor();
  });

  test("keys do nothing before it is given: what they open is not there afterwards", async () => {
    const page = await open(`${guarded.sandbox.baseUrl}/`, { mayComplain: /status of 401/ });
    await page.locator("[name=token]:focus").waitFor();
    await page.keyboard.type("open-sesame");
    await page.keyboard.press("Tab");
    for (const key of ["f", "n", "?", "a"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await page.getByText("The making of the world").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.locator(".notice").count()).toBe(0);
  });
});
