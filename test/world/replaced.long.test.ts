/** A world in a file whose place cannot be taken by what a reset or a restore puts there. */
import { expect, test, vi } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";

const disk = vi.hoisted(() => ({ isFailing: false }));

vi.mock("../../src/host/files.ts", async (original) => {
  const files = await original<typeof import("../../src/host/files.ts")>();
  const layReady: typeof files.layReady = (path, bytes) => {
    const put = files.layReady(path, bytes);
    return () => {
      if (disk.isFailing) throw Object.assign(new Error("EIO: i/o error, rename"), { code: "EIO" });
      put();
    };
  };
  return { ...files, layReady };
});

test("goes on as it was, and can be reset once the disk does as it is told", async () => {
  await using sandbox = await startSandbox({ data: testFolder() });
  const world = await sandbox.createWorld();
  const merchant = await Merchant.of(world);
  await world.takeSnapshot("empty");
  const charge = await chargeOf(merchant, { currency: "BRL", amount: "10.00" });
  disk.isFailing = true;
  for (const call of ["/reset", "/snapshots/empty/restore"]) {
    const { status, body } = await control(world, "POST", call, {});
    expect([status, body.error.code], call).toEqual([503, "STORAGE_FULL"]);
    expect((await world.transactions.list()).map(({ transaction_id }) => transaction_id)).toEqual([charge]);
  }
  disk.isFailing = false;
  expect((await control(world, "POST", "/reset", {})).status).toBe(200);
  expect(await world.transactions.list()).toEqual([]);
});
