/** What an open page shows of what no journal entry tells: time that has passed, and what that has decided. */
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import type { WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { openedDispute } from "../support/disputes.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("a page that stays open", () => {
  const file = useSandbox();
  const open = useBrowser();
  const detail = (page: Page) => page.getByRole("complementary", { name: "Details" });

  const within = { expect: [{ no_event: "cashin.refunded", within: "10s" }] };
  const rich = { expect: [{ balance: { BRL: { gt: "20000.00" } } }] };

  test.each([
    { what: "time passes", expected: within, act: (world: WorldClient) => world.advance("20s") },
    {
      what: "a balance changes",
      expected: rich,
      act: (world: WorldClient) => world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "50000" }),
    },
  ])("the verdicts of a scenario are those of now when $what, before they are asked for periodically", async (row) => {
    const world = await file.world({ scenarios: [{ scenario: "own", ...row.expected }] });
    const page = await open("about:blank");
    await page.clock.install();
    await page.goto(`${world.baseUrl}/#/scenarios`);
    const card = page.getByRole("article", { name: "Scenario own" });
    await card.locator("li .state", { hasText: "pending" }).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await row.act(world);
    await expect.poll(() => shownSoon(page, () => card.locator(".state").allInnerTexts())).toEqual(["passed", "pass"]);
  });

  test("a verdict that time alone decides, while it flows, is shown, and so is what is wrong with a followed file", async () => {
    const world = await file.world({ scenarios: [{ scenario: "own", ...within }] });
    const page = await open("about:blank");
    await page.clock.install();
    await page.goto(`${world.baseUrl}/#/scenarios`);
    const card = page.getByRole("article", { name: "Scenario own" });
    await card.locator("li .state", { hasText: "pending" }).waitFor();
    let isBroken = true;
    await page.route("**/scenarios?*", async (route) => {
      if (!isBroken) return route.fallback();
      const response = await route.fetch();
      const { items, ...rest } = await response.json();
      const problem = { file: "own.yaml", line: 3, column: 7, message: '"aftr" is not known.', excerpt: "", caret: 1 };
      const broken = items.map((item: object) => ({ ...item, problems: [problem] }));
      await route.fulfill({ json: { items: broken, ...rest } });
    });
    await page.clock.runFor(3_000);
    await card.getByRole("alert").getByText('own.yaml:3:7: "aftr" is not known.').waitFor();
    isBroken = false;
    await world.setClock({ mode: "running", speed: 3_600 });
    const verdicts = async () => {
      await page.clock.runFor(3_000);
      return card.locator("li .state").allInnerTexts();
    };
    await expect.poll(verdicts).toEqual(["pass"]);
  });

  test("a fault that a scenario's step puts on is on", async () => {
    const step = { fault: { name: "by a step", request: "POST /v2/*", inject: { status: 503 } } };
    const world = await file.world({ scenarios: [scenario("faulty", clockRule({ at: "+5s" }, [step]))] });
    const page = await open(`${world.baseUrl}/#/faults`);
    await page.getByRole("heading", { name: "Nothing goes wrong" }).waitFor();
    await world.advance("10s");
    await page.getByRole("heading", { name: "by a step" }).waitFor();
  });

  test("a deadline that passes, and leaves the dispute open, no longer waits, and is a finding of the report", async () => {
    const world = await file.world({ settings: { unanswered_dispute: "open" } });
    const { infractionId } = await openedDispute(world, await SigningMerchant.ofAccount(world));
    const page = await open(`${world.baseUrl}/#/disputes/${infractionId}`);
    await detail(page).getByText("None yet. It comes by POST").waitFor();
    await detail(page).getByText("deadline of the reply").waitFor();
    const report = await open(`${world.baseUrl}/#/readiness`);
    const finding = report.locator(".check-line", { hasText: "Disputes are answered" });
    const verdict = finding.locator(".state");
    await verdict.waitFor();
    const before = await verdict.innerText();
    await world.advance("8d");
    await detail(page).getByText("deadline of the reply").waitFor({ state: "detached" });
    await detail(page).getByText("None came, and none is taken any more.").waitFor();
    await expect.poll(() => verdict.innerText()).not.toBe(before);
  });

  test("a dispute that was decided without a reply asks for none", async () => {
    const world = await file.world();
    const { infractionId } = await openedDispute(world, await SigningMerchant.ofAccount(world));
    const page = await open(`${world.baseUrl}/#/disputes/${infractionId}`);
    await detail(page).getByText("None yet. It comes by POST").waitFor();
    await detail(page).getByRole("button", { name: "win" }).click();
    await detail(page).getByText("None came, and none is taken any more.").waitFor();
  });

  test("a charge whose payment is on a chain has no expiry any more", async () => {
    const world = await file.world();
    const make = () => makeCharge(world, { currency: "BTC", amount: "0.01" });
    const page = await open(`${world.baseUrl}/#/transactions/${await make()}`);
    const expires = detail(page).getByText("Expires", { exact: true });
    await expires.waitFor();
    await world.scenarios.load("happy-path");
    const id = await make();
    await page.goto(`${world.baseUrl}/#/transactions/${id}`);
    await detail(page).getByText("step of a scenario").waitFor();
    expect(await expires.count()).toBe(0);
    expect(await transactionOf(world, id)).toMatchObject({ status: "pending", expires_at: expect.any(String) });
  });

  test("what a call or an entry led to is told as it comes, whatever it is about", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: INBOX });
    const id = await chargeOf(await Merchant.of(world));
    const journal = await world.journal();
    const made = journal.find(({ kind, subject }) => kind === "transition" && subject === id);
    const call = journal.find(({ sequence }) => sequence === made?.cause);
    const pages = [
      await open(`${world.baseUrl}/#/requests/${call?.subject}`),
      await open(`${world.baseUrl}/#/timeline/${call?.sequence}`),
    ];
    const ledTo = (page: Page) => detail(page).locator(".part", { hasText: "What it led to" });
    for (const page of pages) await ledTo(page).waitFor();
    await world.advance("5s");
    for (const page of pages) await ledTo(page).getByText("became the webhook").first().waitFor();
  });

  test("what comes next is left out while the clock is past what it was, until that has been read", async () => {
    const world = await file.world();
    await makeCharge(world);
    await world.advance("1m");
    await makeCharge(world);
    const page = await open("about:blank");
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    let isHeld = false;
    const passing: Promise<void>[] = [];
    const pass = async (route: Route) => route.fulfill({ response: await route.fetch() });
    // Before the page is loaded: its stream, which the clock comes by, might be under way as the looking begins.
    await page.route("**/clock", async (route) => {
      if (isHeld) await isLetGo;
      passing.push(pass(route));
      await passing.at(-1);
    });
    await page.goto(`${world.baseUrl}/`);
    await page.getByText("2 timers next in 29m").waitFor();
    isHeld = true;
    // One that has passed must not be answered only after the advance.
    await Promise.all(passing);
    await world.advance("29m1s");
    await world.advance("1h");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:31:00");
    expect(await page.locator(".pending").innerText()).toBe("2 timers");
    letGo();
    await page.getByText("nothing pending").waitFor();
  });
});

/** Lets the page draw, and rest between two readings, but for less than the time after which it asks by itself. */
async function shownSoon<Shown>(page: Page, read: () => Promise<Shown>): Promise<Shown> {
  await page.clock.runFor(20);
  return read();
}
