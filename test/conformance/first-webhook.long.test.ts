/** The first webhook of a process: what is loaded for it takes nothing from the receiver's time. */
import { expect, test, vi } from "vitest";
import { paidWebhook } from "../support/charges.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const TIMEOUT_MS = 5_000;

vi.mock("undici", async (importOriginal) => {
  await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_MS));
  return importOriginal();
});

const file = useSandbox({ webhookTimeoutMs: TIMEOUT_MS });

test("CONST-08 the receiver has its whole time at the first webhook too", async () => {
  await using receiver = await startReceiver();
  const { status, attempts } = await paidWebhook(await file.world({ postback_url: receiver.url }));
  expect(status).toBe("delivered");
  expect(attempts[0]?.duration_ms).toBeLessThan(TIMEOUT_MS);
});
