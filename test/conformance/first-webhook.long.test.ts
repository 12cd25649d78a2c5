/** The first webhook of a process: what is loaded for it takes nothing from the receiver's time. */
import { expect, test, vi } from "vitest";
import { paidWebhook } from "../support/charges.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

/** What loading takes, by the clock that durations are read from. */
const LOADING_MS = 600_000;

const loading = vi.hoisted(() => ({ passedMs: 0 }));

vi.mock("undici", (importOriginal) => {
  loading.passedMs += LOADING_MS;
  return importOriginal();
});

vi.mock("../../src/runtime.ts", async (original) => {
  const runtime = await original<typeof import("../../src/runtime.ts")>();
  return { ...runtime, monotonicNow: () => runtime.monotonicNow() + loading.passedMs };
});

const file = useSandbox();

test("CONST-08 the receiver has its whole time at the first webhook too", async () => {
  await using receiver = await startReceiver();
  const { status, attempts } = await paidWebhook(await file.world({ postback_url: receiver.url }));
  expect(status).toBe("delivered");
  expect(loading.passedMs).toBe(LOADING_MS);
  expect(attempts[0]?.duration_ms).toBeLessThan(LOADING_MS);
});
