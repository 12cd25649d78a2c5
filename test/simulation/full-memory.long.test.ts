/** A world in memory that has grown to all that SQLite lets one be: told as what it is, and nothing half done. */
import { expect, onTestFinished, test } from "vitest";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { FROZEN, startProcess } from "../support/process.ts";
import { faultsOf } from "./load/invariants.ts";

/** Calls are kept with their bodies: with these it takes some twelve hundred. */
const FILLING = "x".repeat(900_000);
const MOST_CALLS = 1_300;

test("503 where a world in memory has grown to 1 GB, reads go on, and a reset makes room", async () => {
  const { world, running } = await started();
  const merchant = await Merchant.of(world);
  const charge = (count: number, more = {}) =>
    merchant.cashin({ currency: "BRL", amount: "150.00", external_id: `order-${count}`, ...more });
  const answered: number[] = [];
  for (let count = 0; count < MOST_CALLS; count++) {
    const { status } = await charge(count, { note: FILLING });
    answered.push(status);
    if (status !== 200) break;
  }
  expect([answered.at(-1), new Set(answered)]).toEqual([503, new Set([200, 503])]);
  expect(await control(world, "POST", "/clock/advance", { by: "5s" })).toMatchObject({
    status: 503,
    body: {
      error: {
        code: "STORAGE_FULL",
        message:
          "A world in memory has grown to 1 GB, the most that one holds: nothing half done was kept. " +
          "Reset the world, or start with --data, where the disk alone is the bound.",
      },
    },
  });
  expect(await control(world, "GET", "/transactions?limit=1")).toMatchObject({ status: 200 });
  expect(await faultsOf(world)).toEqual([]);

  await world.reset();
  expect((await charge(0)).status).toBe(200);
  expect(await running.end("SIGTERM")).toBe(0);
  expect(running.complaints()).toMatch(/^payments-sandbox: a world in memory has grown to 1 GB, [^\n]+\n$/);
});

async function started() {
  const running = await startProcess(...FROZEN);
  onTestFinished(async () => void (await running.end("SIGKILL")));
  return { running, world: running.world };
}
