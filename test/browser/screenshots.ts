/** The pictures of the dashboard that the README shows: `npm run screenshots` takes them anew, the same every time. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../src/index.ts";
import { launchBrowser } from "./browser.ts";
import { playMorning } from "./traffic.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "images");
mkdirSync(folder, { recursive: true });

await using sandbox = await startSandbox({ postbackUrl: "sandbox://inbox" });
const world = await sandbox.defaultWorld();
const { pending } = await playMorning(world);
const delivered = (await world.journal()).findLast(
  ({ kind, data }) => kind === "webhook.delivered" && data.event === "cashin.confirmed",
);

/** TABLE: each picture, what it shows, and to what eyes. */
const pictures = [
  { name: "timeline", place: `timeline/${delivered?.sequence}`, colorScheme: "light" },
  { name: "charge-dark", place: `transactions/${pending}`, colorScheme: "dark" },
] as const;

const browser = await launchBrowser();
for (const { name, place, colorScheme } of pictures) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme, reducedMotion: "reduce" });
  await page.goto(`${sandbox.baseUrl}/#/${place}`);
  await page.locator(".detail .chain").first().waitFor();
  // Heads of threads are read once the page has settled.
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}
await browser.close();
