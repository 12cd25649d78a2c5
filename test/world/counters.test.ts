/** Counters of a world, which every operation goes back to where it is undone: they must stay few. */
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { bareWorld, startBareServer } from "../support/bare-server.ts";

test("there are no more of them for more accounts; a further credential is another one all the same", async () => {
  const accounts = Array.from({ length: 50 }, (_, index) => ({ username: `shop-${index}` }));
  const server = await startBareServer({ onFault: () => {}, defaultWorld: { ...bareWorld, accounts } });
  onTestFinished(() => server.stop());
  const world = server.sandbox.get(DEFAULT_WORLD)?.world;
  expect(Object.keys(world?.random.mark ?? {}).length).toBeLessThan(10);
  const issue = () => fetch(`${server.baseUrl}/_sandbox/accounts/shop-7/credentials`, { method: "POST" });
  for (let count = 0; count < 2; count++) expect((await issue()).status).toBe(201);
  const ids = world?.accounts.credentialsOf("shop-7").map(({ client_id }) => client_id);
  expect(new Set(ids).size).toBe(3);
});
