/** Worlds of older versions kept a hash of every body that came with an external id, however short. */
import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { once } from "../../src/service/idempotency.ts";
import { bareWorld } from "../support/bare-world.ts";

test("D24 TX-04 the same body gives the original of such a world, another one a refusal", () => {
  const world = bareWorld("older");
  onTestFinished(() => world.database.close());
  const canonical = '{"amount":100,"external_id":"order-1"}';
  const body_digest = createHash("sha256").update(canonical).digest("base64url");
  world.externalIds.insert({
    username: "acme",
    external_id: "order-1",
    operation: "cashin",
    body_digest,
    resource_id: "the first",
  });
  const send = (body: object) =>
    world.operate((operation) =>
      once(
        operation,
        { operation: "cashin", username: "acme", externalId: "order-1", body },
        { check: () => {}, make: () => "another", find: (id) => id, idOf: (id) => id },
      ),
    );
  expect(send({ external_id: "order-1", amount: 100 })).toBe("the first");
  expect(() => send({ external_id: "order-1", amount: 101 })).toThrow("external_id");
});
