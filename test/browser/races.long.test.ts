/** What the dashboard makes of answers that come late, twice or not at all. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { testFolder } from "../support/folder.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, routeNext, useBrowser } from "./browser.ts";
import { writeLongJournal } from "./long-journal.ts";

/** Lets the next answer of an address wait once the sandbox has given it. @returns what lets it go. */
async function holdAnswer(page: Page, url: string): Promise<() => void> {
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  await routeNext(page, url, async (route) => {
    const response = await route.fetch();
    await isLetGo;
    await route.fulfill({ response });
  });
  return letGo;
}

/** What a page asks for from now on. */
function requestsOf(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
  return asked;
}

describeInBrowser("the dashboard, when answers come late", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("the clock is not taken back by what was asked for before it was moved", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    await world.advance("1h");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("13:00:00");
    const letGo = await holdAnswer(page, `${world.baseUrl}/_sandbox/`);
    const asked = page.waitForRequest(`${world.baseUrl}/_sandbox/`);
    await world.reset();
    await asked;
    await page.getByRole("button", { name: "Advance by 1m" }).click();
    await page.getByText("1m on, to").waitFor();
    const clock = page.waitForResponse("**/clock");
    letGo();
    await clock;
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:01:00");
  });

  test("a list that is narrowed takes in what comes, though its reading got lost", async () => {
    const world = await file.world();
    await makeCharge(world, { external_id: "first" });
    const page = await open(`${world.baseUrl}/#/transactions?only=pending`, { mayComplain: /net::ERR_FAILED/ });
    await page.getByText("1 match in 1 transaction").waitFor();
    const lost = page.waitForEvent("requestfailed");
    await routeNext(page, "**/transactions?cursor=0&limit=2", (route) => route.abort());
    await makeCharge(world, { external_id: "second" });
    await lost;
    await page.getByText("second", { exact: true }).waitFor();
  });

  test.each([
    { view: "Accounts", call: "**/accounts?*", text: "globex" },
    { view: "Charges", call: "**/transactions?*", text: "order-1" },
    { view: "Time line", call: "**/journal?*", text: "charge is made" },
  ])("a view whose reading got lost beside a stream that goes on is read again: $view", async (lost) => {
    const world = await file.world();
    await makeCharge(world, { external_id: "order-1" });
    const page = await open(`${world.baseUrl}/#/pending`, { mayComplain: /ERR_FAILED/ });
    await page.getByText("charge expires").waitFor();
    await routeNext(page, lost.call, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.getByRole("link", { name: lost.view, exact: true }).click();
    await failed;
    await page.getByText(lost.text).first().waitFor();
  });

  test("older entries that cannot be read are asked for again after a while, and not at once", async () => {
    const folder = testFolder();
    await writeLongJournal(folder, 2_000);
    await using sandbox = await startSandbox({ data: folder });
    await using page = await open(`${sandbox.baseUrl}/`, { mayComplain: /ERR_FAILED/ });
    await page.getByText("entry 2000", { exact: false }).first().waitFor();
    let asked = 0;
    await page.route("**/journal?*", (route) => (++asked <= 3 ? route.abort() : route.continue()));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel("Search the time line").fill("entry 7");
    for (const count of [1, 2, 3]) {
      await expect.poll(() => asked).toBe(count);
      await page.clock.runFor(900);
      expect(asked, "before a second has passed").toBe(count);
      await page.clock.runFor(200);
    }
    await page.getByText("note: entry 799").waitFor();
  });

  test("an id that is found late takes nobody back who has gone on", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions`);
    const letGo = await holdAnswer(page, "**/explain/*");
    const [asked, answered] = [page.waitForRequest("**/explain/*"), page.waitForResponse("**/explain/*")];
    const search = page.getByLabel("Search transactions");
    await search.fill(id);
    await search.press("Enter");
    await asked;
    await page.getByRole("link", { name: "Disputes", exact: true }).click();
    letGo();
    await (await answered).finished();
    await page.getByLabel("Search disputes").fill("none");
    await page.getByText("0 matches in 0 disputes").waitFor();
    expect(page.url()).toBe(`${world.baseUrl}/#/disputes?search=none`);
  });

  test("a fault that is put on, or taken out, leaves those that another has put on meanwhile", async () => {
    const world = await file.world();
    const rule = (name: string) => ({ name, request: "* /v2/*", inject: { status: 503 } });
    const names = async () => {
      const { rules } = await world.call<{ rules: { name?: string }[] }>("GET", "/faults");
      return rules.map(({ name }) => name);
    };
    const add = (name: string) => world.faults.add(rule(name));
    await add("first");
    const page = await open(`${world.baseUrl}/#/faults`);
    await page.getByRole("heading", { name: "first" }).waitFor();
    /** Another changes them, and the page has not been told what to yet. */
    const unseen = async (change: () => Promise<unknown>) => {
      const letGo = await holdAnswer(page, "**/faults");
      const asked = page.waitForRequest("**/faults");
      await change();
      await asked;
      return letGo;
    };
    const showFirst = await unseen(() => add("second"));
    await page.getByRole("button", { name: "add…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "add" }).click();
    await expect.poll(names).toEqual(["first", "second", undefined]);
    showFirst();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".card").count()).toBe(3);
    const showLast = await unseen(() => add("third"));
    await page.getByRole("button", { name: "Take this fault out" }).first().click();
    await expect.poll(names).toEqual(["second", undefined, "third"]);
    showLast();
  });

  test("a fault that another has taken out meanwhile is told to be gone", async () => {
    const world = await file.world();
    const [first] = await world.faults.set([{ request: "* /v2/*", inject: { status: 503 } }]);
    const page = await open(`${world.baseUrl}/#/faults`, { mayComplain: /404/ });
    await page.getByRole("button", { name: "Take this fault out" }).waitFor();
    const letGo = await holdAnswer(page, "**/faults");
    const asked = page.waitForRequest("**/faults");
    await world.faults.remove(first?.id ?? "");
    await asked;
    await page.getByRole("button", { name: "Take this fault out" }).click();
    await page.getByText("There is no fault rule fault_1.").waitFor();
    letGo();
    await page.getByRole("heading", { name: "Nothing goes wrong" }).waitFor();
  });

  test("a snapshot is taken once, however often it is asked for before it is answered", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/snapshots`);
    await page.getByRole("heading", { name: "None has been taken" }).waitFor();
    const asked = requestsOf(page);
    const letGo = await holdAnswer(page, "**/snapshots");
    const name = page.getByLabel("Name of the snapshot");
    await name.press("Enter");
    await name.press("Enter");
    letGo();
    await page.getByText("Snapshot snapshot-1 is taken.").waitFor();
    expect(asked.filter((call) => call.startsWith("POST"))).toHaveLength(1);
  });

  test("the name of another snapshot that is typed before one is taken stays", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/snapshots`);
    await page.getByRole("heading", { name: "None has been taken" }).waitFor();
    const letGo = await holdAnswer(page, "**/snapshots");
    const name = page.getByLabel("Name of the snapshot");
    await name.fill("first");
    await name.press("Enter");
    await name.fill("second");
    letGo();
    await page.getByText("Snapshot first is taken.").waitFor();
    await page.getByRole("button", { name: "Delete snapshot first" }).waitFor();
    await name.press("Enter");
    await page.getByText("Snapshot second is taken.").waitFor();
    await expect.poll(() => name.inputValue()).toBe("");
  });
});

describeInBrowser("the gate, when answers come late", () => {
  const guarded = useSandbox({ controlToken: "open-sesame" });
  const open = useBrowser();

  test("a token is tried once, and not said to be wrong before that is known", async () => {
    const world = await guarded.world();
    const page = await open(`${world.baseUrl}/`, { mayComplain: /status of 401/ });
    const token = page.getByLabel("Control token");
    await token.fill("open-sesame");
    const asked = requestsOf(page);
    const letGo = await holdAnswer(page, `${world.baseUrl}/_sandbox/`);
    await token.press("Enter");
    await token.press("Enter");
    expect(await page.getByRole("alert").count()).toBe(0);
    letGo();
    await page.getByText("The making of the world").waitFor();
    expect(asked.filter((call) => call === `GET ${world.baseUrl}/_sandbox/`)).toHaveLength(1);
  });

  test("a page that is left and looked at again while its token is asked for anew goes on", async () => {
    const world = await guarded.world();
    const page = await open(`${world.baseUrl}/`, { mayComplain: /status of 401/ });
    const token = page.getByLabel("Control token");
    const give = async () => {
      await token.fill("open-sesame");
      await token.press("Enter");
    };
    await give();
    await page.getByText("The making of the world").waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await world.reset();
    await token.waitFor();
    await routeNext(page, "**/journal/stream", () => {});
    const asked = page.waitForRequest("**/journal/stream");
    await give();
    await asked;
    for (const isHidden of [true, false]) await page.evaluate(hide, isHidden);
    await makeCharge(world, { external_id: "seen-again" });
    await page.getByText("seen-again").first().waitFor();
  });
});

/** Lets a page take itself for one that nobody looks at, or that somebody does. */
function hide(isHidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}
