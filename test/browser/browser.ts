/** A real Chromium for the tests of the dashboard; what its console says is looked at after every test. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";

const paths = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = paths.find((path) => path !== "" && existsSync(path));

/** Long enough for a machine that does much else; nothing waits for it to pass. */
const TIMEOUT_MS = 60_000;

/** Where no Chromium is installed, the tests are reported as skipped, with the reason. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath) describe(name, tests);
  else describe.skip(`${name} (skipped: there is no Chromium in ${paths.filter(Boolean).join(", ")})`, tests);
}

/** Starts Chromium. @throws where there is none. */
export function launchBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-quic", "--disable-background-networking"];
  return chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
}

/**
 * Does something else with the next request to an address. Chromium may lose a request that is made in the moment in
 * which a page stops looking into its requests, so the page goes on doing so, and lets all others pass.
 */
export async function routeNext(page: Page, url: string, handle: (route: Route) => unknown): Promise<void> {
  let isFirst = true;
  await page.route(url, (route) => {
    if (!isFirst) return route.fallback();
    isFirst = false;
    return handle(route);
  });
}

interface Opening extends BrowserContextOptions {
  /** What the console may say: a world or a thing that is not there, a call that is refused. */
  readonly mayComplain?: RegExp;
}

/** One browser per test file. @returns what opens a page of its own at an address. */
export function useBrowser(): (url: string, options?: Opening) => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (url, { mayComplain, ...options } = {}) => {
    if (!browser) throw new Error("The browser of this file has not been started.");
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    onTestFinished(async () => {
      await context.close();
      expect(complaints.filter((complaint) => !mayComplain?.test(complaint))).toEqual([]);
    });
    await page.goto(url);
    return page;
  };
}
