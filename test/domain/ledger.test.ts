/** The posting templates: between whom they move money, and what a lifecycle adds up to. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fillPostings,
  isBlocked,
  type LedgerRole,
  ledgerAccount,
  ledgerRoles,
  type Posting,
} from "../../src/domain/ledger.ts";
import type { LifecycleName, StateOf, TriggerOf } from "../../src/domain/lifecycles.ts";
import { resolveTransition } from "../../src/domain/machine.ts";

const parties = { username: "acme", network: "PIX", counterparty: "globex" };
const BRL = { main: "BRL" };
const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 16n });

/** What postings add up to, by ledger account and currency; zeros left out. */
function balancesOf(postings: readonly Posting[]): Record<string, bigint> {
  const balances: Record<string, bigint> = {};
  const move = (account: string, currency: string, amount: bigint) => {
    const key = `${account} ${currency}`;
    balances[key] = (balances[key] ?? 0n) + amount;
  };
  for (const { source, destination, currency, amount } of postings) {
    move(source, currency, -amount);
    move(destination, currency, amount);
  }
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0n));
}

/** The postings of a resource that takes these triggers in turn. */
function play(
  name: LifecycleName,
  triggers: readonly TriggerOf<LifecycleName>[],
  figures: Readonly<Record<string, bigint>>,
  currencies: { main: string; counter?: string } = BRL,
): Posting[] {
  let state: StateOf<LifecycleName> | null = null;
  return triggers.flatMap((trigger) => {
    const row = resolveTransition(name, state, trigger);
    state = row.to;
    return fillPostings(row.postings, currencies, figures, parties);
  });
}

describe("ledger accounts", () => {
  test.each<[LedgerRole, string]>([
    ["available", "merchant:acme:available"],
    ["locked", "merchant:acme:locked"],
    ["disputed", "merchant:acme:disputed"],
    ["counterparty", "merchant:globex:available"],
    ["outside", "external:pix"],
    ["fees", "service:fees"],
    ["spread", "service:spread"],
    ["provider", "service:provider"],
    ["opening", "service:opening"],
  ])("%s is %s", (role, account) => {
    expect(ledgerAccount(role, parties)).toBe(account);
  });

  test("every role has an account of its own", () => {
    const accounts = (Object.keys(ledgerRoles) as LedgerRole[]).map((role) => ledgerAccount(role, parties));
    expect(new Set(accounts).size).toBe(accounts.length);
  });

  test.each<LedgerRole>(["outside", "counterparty"])("%s without its party is a fault", (role) => {
    expect(() => ledgerAccount(role, { username: "acme" })).toThrow(`"${role}"`);
  });
});

test("BAL-03 what is blocked is locked or disputed money of a merchant, whatever a network is called", () => {
  const blocked = (Object.keys(ledgerRoles) as LedgerRole[]).filter((role) => isBlocked(ledgerAccount(role, parties)));
  expect(blocked).toEqual(["locked", "disputed"]);
  expect(isBlocked(ledgerAccount("outside", { ...parties, network: "LOCKED" }))).toBe(false);
});

describe("filling templates", () => {
  test("figures are put in, movements of zero are left out", () => {
    const names = ["receive", "charge_fee"] as const;
    expect(fillPostings(names, BRL, { amount: 15_000n, fee: 150n }, parties)).toEqual([
      { source: "external:pix", destination: "merchant:acme:available", currency: "BRL", amount: 15_000n },
      { source: "merchant:acme:available", destination: "service:fees", currency: "BRL", amount: 150n },
    ]);
    expect(fillPostings(names, BRL, { amount: 15_000n, fee: 0n }, parties)).toHaveLength(1);
    expect(fillPostings([], BRL, {}, parties)).toEqual([]);
  });

  test("a figure that is missing or negative is a fault, never a movement the other way", () => {
    expect(() => fillPostings(["receive"], BRL, {}, parties)).toThrow('"amount"');
    expect(() => fillPostings(["receive"], BRL, { amount: -1n }, parties)).toThrow('"amount"');
  });

  test("a posting in the destination currency of a conversion needs one", () => {
    expect(() => fillPostings(["buy"], BRL, { bought: 1n }, parties)).toThrow("destination currency");
    const [posting] = fillPostings(["buy"], { main: "BRL", counter: "USDT" }, { bought: 1n }, parties);
    expect(posting).toMatchObject({ currency: "USDT", amount: 1n });
  });
});

describe("what a lifecycle adds up to", () => {
  const anyCharge = fc.tuple(anyAmount, anyAmount).map(([net, fee]) => ({ amount: net + fee, fee, net }));

  test("TX-11 a paid charge credits its net amount", () => {
    fc.assert(
      fc.property(anyCharge, ({ amount, fee, net }) => {
        const balances = balancesOf(play("cashin", ["create", "pay"], { amount, fee }));
        expect(balances["merchant:acme:available BRL"] ?? 0n).toBe(net);
        expect(balances["external:pix BRL"] ?? 0n).toBe(-amount);
      }),
    );
  });

  test.each([["expire"], ["cancel"], ["fail"]] as const)(
    "STATE-05 D33 a charge that ends by %s moves nothing",
    (trigger) => {
      expect(play("cashin", ["create", trigger], {})).toEqual([]);
    },
  );

  test("D54a a refund takes the gross amount back, the fee is kept", () => {
    fc.assert(
      fc.property(anyCharge, ({ amount, fee }) => {
        const balances = balancesOf(play("cashin", ["create", "pay", "refund"], { amount, fee, refund: amount }));
        const kept = { "merchant:acme:available BRL": -fee, "service:fees BRL": fee };
        expect(balances).toEqual(fee === 0n ? {} : kept);
      }),
    );
  });

  test("D37 D08 the money of a cash-out is blocked, and leaves or comes back whole", () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (sent, fee) => {
        const figures = { debit: sent + fee, sent, fee };
        const pending = balancesOf(play("cashout", ["create"], figures));
        expect(pending["merchant:acme:locked BRL"] ?? 0n).toBe(sent + fee);
        expect(balancesOf(play("cashout", ["create", "fail"], figures))).toEqual({});
        const settled = balancesOf(play("cashout", ["create", "confirm"], figures));
        expect(settled["merchant:acme:locked BRL"]).toBeUndefined();
        expect(settled["merchant:acme:available BRL"] ?? 0n).toBe(-(sent + fee));
        expect(settled["external:pix BRL"] ?? 0n).toBe(sent);
        const refund = { ...figures, refund: sent + fee };
        const reversed = balancesOf(play("cashout", ["create", "confirm", "refund"], refund));
        expect(reversed["merchant:acme:available BRL"]).toBeUndefined();
      }),
    );
  });

  test("D52 a dispute blocks, and is unblocked whole when won or canceled", () => {
    fc.assert(
      fc.property(anyAmount, (disputed) => {
        const open = balancesOf(play("dispute", ["open", "reply"], { disputed }));
        expect(open["merchant:acme:disputed BRL"] ?? 0n).toBe(disputed);
        expect(open["merchant:acme:available BRL"] ?? 0n).toBe(-disputed);
        for (const end of ["win", "cancel"] as const) {
          expect(balancesOf(play("dispute", ["open", end], { disputed }))).toEqual({});
          expect(balancesOf(play("dispute", ["open", "reply", end], { disputed }))).toEqual({});
        }
      }),
    );
  });

  test("CONV-02 CONV-03 D40b a conversion debits one currency and credits the other, its refund undoes the account's side", () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, anyAmount, anyAmount, (sold, bought, fee, spread) => {
        const figures = { sold, bought, fee, spread };
        const currencies = { main: "BRL", counter: "USDT" };
        const done = balancesOf(play("conversion", ["execute"], figures, currencies));
        expect(done["merchant:acme:available BRL"] ?? 0n).toBe(-sold);
        expect(done["merchant:acme:available USDT"] ?? 0n).toBe(bought);
        expect(done["service:provider USDT"] ?? 0n).toBe(-(bought + fee + spread));
        const undone = balancesOf(play("conversion", ["execute", "refund"], figures, currencies));
        expect(Object.keys(undone).filter((key) => key.startsWith("merchant:"))).toEqual([]);
      }),
    );
  });

  test("XFER-03 a transfer takes from one what it gives the other", () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const balances = balancesOf(play("transfer", ["execute"], { amount }));
        expect(balances["merchant:acme:available BRL"] ?? 0n).toBe(-amount);
        expect(balances["merchant:globex:available BRL"] ?? 0n).toBe(amount);
      }),
    );
  });
});
