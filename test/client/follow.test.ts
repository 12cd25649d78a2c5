/** What happens in a world is followed through all its histories, until it goes away. */
import { expect, test } from "vitest";
import type { JournalEntryInfo } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("a reset or a restore begins a new history, told from its first entry", async () => {
  const world = await file.world();
  await world.takeSnapshot("empty");
  const length = (await world.journal()).length;
  let histories = 0;
  const following = world.follow(length, { onNewHistory: () => histories++ });
  const next = async () => (await following.next()).value as JournalEntryInfo;
  await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: 1 });
  expect((await next()).sequence).toBe(length + 1);
  for (const begin of [() => world.reset(), () => world.restore("empty")]) {
    let entry = next();
    await begin();
    while ((await entry).sequence !== 1) entry = next();
    expect(await entry).toMatchObject({ kind: "world.created" });
  }
  expect(histories).toBe(2);
  await world.delete();
  let last = await following.next();
  while (!last.done) last = await following.next();
});
