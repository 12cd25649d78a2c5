/** The check of the ledger: of a sound world it finds nothing, of each thing that is off it tells. */
import { expect, onTestFinished, test } from "vitest";
import { createCharge } from "../../src/service/cashin.ts";
import { checkLedger } from "../../src/service/ledger-check.ts";
import type { World } from "../../src/world/world.ts";
import { bareWorld, START } from "../support/bare-world.ts";

const AVAILABLE = "merchant:acme:available";

/** A world with BRL 100.00 of acme's and a charge that nobody has paid. @returns the id of the charge with it. */
function worldWithCharge() {
  const world = bareWorld("ledger", { BRL: "100.00" });
  onTestFinished(() => world.database.close());
  const [credential] = world.accounts.credentialsOf("acme");
  if (!credential) throw new Error("The account has no credential.");
  const charge = world.operate((operation) =>
    createCharge(operation, credential, { currency: "BRL", amount: "10.00" }, {}),
  );
  return { world, id: charge.transaction_id };
}

/** The ids of the checks that find something, and what they find. */
function found(world: World): [string, string][] {
  const { ok, checks } = checkLedger(world);
  const off = checks.filter((check) => !check.ok);
  expect(ok).toBe(off.length === 0);
  return off.map(({ id, detail }) => [id, detail]);
}

function post(world: World, subject: string, source: string, destination: string, amount = 5n): void {
  world.operate(() => world.ledger.post(1, START, subject, { source, destination, currency: "BRL", amount }));
}

test("nothing in a sound world", () => {
  const { world } = worldWithCharge();
  expect(found(world)).toEqual([]);
  expect(checkLedger(world).checks[0]?.detail).toBe("1 currency sums to zero.");
});

test.each(["locked", "disputed"])("D37 D52 that more is let go than was blocked: %s below zero", (role) => {
  const { world } = worldWithCharge();
  post(world, "order-1", `merchant:acme:${role}`, AVAILABLE);
  expect(found(world)).toEqual([["locked_is_never_negative", `Off: merchant:acme:${role} BRL.`]]);
});

test("D52 a balance that can be used may be below zero", () => {
  const { world } = worldWithCharge();
  post(world, "order-1", AVAILABLE, "external:pix", 100_05n);
  expect(world.ledger.balance(AVAILABLE, "BRL")).toBe(-5n);
  expect(found(world)).toEqual([]);
});

test("that a charge was credited before it was paid", () => {
  const { world, id } = worldWithCharge();
  post(world, id, "external:pix", AVAILABLE);
  expect(found(world)).toEqual([["cashins_are_credited_once_confirmed", `Off: ${id}.`]]);
});

test("that a balance is another than its postings come to", () => {
  const { world } = worldWithCharge();
  world.database.run("UPDATE balances SET amount = amount + 1 WHERE account = ?", AVAILABLE);
  expect(found(world)).toEqual([
    ["sums_to_zero", "Off: BRL 1."],
    ["balances_follow_from_postings", `Off: ${AVAILABLE} BRL.`],
  ]);
});
