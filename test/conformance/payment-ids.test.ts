/** What banks and chains know payments by: each payment has its own, so that a merchant can tell them apart by it. */
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { setStage } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();

const WAYS = [
  { rail: { currency: "BRL" }, key: "12345678909" },
  { rail: { currency: "MXN" }, key: "032180000118359719" },
  { rail: { currency: "USDT", chain: "tron" }, key: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
];

test("TX-16 TX-17 TX-20 INF-06 no two payments share a hash, an end-to-end id or a clave de rastreo, nor made-up people a document", async () => {
  await using stage = await setStage(file);
  const { merchant, world } = stage;
  for (const { rail, key } of WAYS) {
    const { wallet_id } = await walletOf(merchant, rail);
    for (let count = 0; count < 2; count++) {
      await world.act(await chargeOf(merchant, { ...rail, amount: "100" }), "pay");
      await deposit(world, wallet_id, { amount: "100", instant: true });
      const { body } = await merchant.cashout({ ...rail, amount: "100", key });
      await world.act(body.data.transaction_id, "confirm");
    }
  }
  const paidIn = (await stage.events("cashin.confirmed")).map(({ body }) => body.data);
  const paidOut = (await stage.events("cashout.confirmed")).map(({ body }) => body.data);
  const ids = [...paidIn.map(({ e2e_id, tx_hash }) => e2e_id ?? tx_hash), ...paidOut.map(({ hash }) => hash)];
  expect([ids.length, new Set(ids).size]).toEqual([18, 18]);
  const documentsOf = (people: readonly { document: string }[]) => people.flatMap((person) => person?.document ?? []);
  const payers = documentsOf(paidIn.map(({ payer }) => payer));
  const receivers = documentsOf(paidOut.map(({ receiver }) => receiver));
  expect([payers.length, receivers.length]).toEqual([4, 4]);
  // What is paid to one key is paid to one owner.
  expect(new Set([...payers, ...receivers]).size).toBe(6);
});

test.each([
  ["12345678909", "cpf", "12345678909", /^\S+ \S+/],
  ["11222333000181", "cnpj", "11222333000181", / Comércio Ltda$/],
  ["maria@example.com", "email", /^\d{11}$/, /^\S+ \S+/],
])(
  "TX-19 the receiver of what is paid to the key %s is its owner, the same each time",
  async (key, type, document, name) => {
    await using stage = await setStage(file);
    for (let count = 0; count < 2; count++) {
      const { body } = await stage.merchant.cashout({ currency: "BRL", amount: "10", key });
      await stage.world.act(body.data.transaction_id, "confirm");
    }
    const [first, second] = (await stage.events("cashout.confirmed")).map(({ body }) => body.data);
    expect(first).toMatchObject({ wallet: key, key_type: type, receiver: { name: expect.stringMatching(name) } });
    expect(first.receiver.document).toMatch(document);
    expect(second.receiver).toEqual(first.receiver);
  },
);
