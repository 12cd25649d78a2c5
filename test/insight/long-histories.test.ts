/** Explanations of what has had more entries than are shown. */
import { expect, onTestFinished, test } from "vitest";
import { explain } from "../../src/insight/explain/explain.ts";
import { bareWorld } from "../support/bare-world.ts";

/** Most entries that a history shows. */
const MOST = 1000;

test("a history is told to lack its oldest entries only where it does", () => {
  const world = bareWorld("long");
  onTestFinished(() => world.database.close());
  const told = () => explain(world, "acme");
  world.operate((operation) => {
    for (let count = world.journal.of("acme").length; count < MOST; count++) {
      operation.record("account.funded", "acme", { currency: "BRL", amount: "1.00" });
    }
  });
  expect(told()?.history).toHaveLength(MOST);
  expect(told()?.history_truncated).toBeUndefined();
  const [oldest, next] = told()?.history ?? [];

  world.operate((operation) => operation.record("account.funded", "acme", { currency: "BRL", amount: "1.00" }));
  expect(told()?.history).toHaveLength(MOST);
  expect(told()?.history_truncated).toBe(true);
  expect([oldest?.kind, told()?.history[0]?.sequence]).toEqual(["account.opened", next?.sequence]);
});
