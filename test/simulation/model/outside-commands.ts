/** Commands of the outside world: payers, banks, chains, the authority, support. */
import fc from "fast-check";
import { ControlCallError } from "../../../src/index.ts";
import { agree, Disagreement } from "./agreement.ts";
import * as cashins from "./cashins.ts";
import * as cashouts from "./cashouts.ts";
import { command, picked, type Scene, SKIPPED, strays, suiting, which } from "./commands.ts";
import { revert } from "./conversions.ts";
import { decimalText, minorUnits } from "./decimals.ts";
import { type Decision, decide as decideDispute, isDisputed, isUndecided, openDispute } from "./disputes.ts";
import { DAY, HOUR, isFiat, scaleOf } from "./facts.ts";
import { read } from "./look-commands.ts";
import { moveTo } from "./moving.ts";
import { amount, amountText, seldom, type WrittenAmount, written } from "./requests.ts";
import { balanceOf, type Transaction } from "./state.ts";
import { deposit as depositInto } from "./wallets.ts";

/** Calls the control interface and holds a refusal against the model. @returns the answer; null where it was refused. */
export async function control<Answer>(
  { branch }: Scene,
  path: string,
  body: object,
  refusals: readonly string[] = [],
): Promise<{ readonly answer: Answer | null; readonly label: string }> {
  try {
    const answer = await branch.world.call<Answer>("POST", path, body);
    if (refusals.length === 0) return { answer, label: "done" };
    throw new Disagreement(`POST ${path}: the model refuses it with ${refusals.join(" or ")}, the sandbox did it.`);
  } catch (error) {
    if (!(error instanceof ControlCallError)) throw error;
    if (refusals.includes(error.code)) return { answer: null, label: error.code };
    throw new Disagreement(`POST ${path} ${JSON.stringify(body)}: ${error.status} ${error.code} ${error.message}`);
  }
}

const NOT_NOW = "INVALID_TRANSITION";
const WRONG = "INVALID_REQUEST";

/** One of the transactions of a type; those that suit come first. */
function transactionFor(
  { branch: { state } }: Scene,
  { index, type, suits, any }: { index: number; type: string; suits: (row: Transaction) => boolean; any: boolean },
): Transaction | undefined {
  const all = state.transactions.filter((row) => row.type === type);
  return picked(suiting(all, suits, any), index);
}

const isPending = ({ status }: Transaction) => status === "pending";
const isPaid = ({ status }: Transaction) => status === "confirmed" || status === "refunded";

/** Units of an amount that is to arrive; null for none. */
function arriving(given: WrittenAmount, currency: string): bigint | null {
  const units = minorUnits(amountText(given, currency), scaleOf(currency));
  return units === 0n ? null : units;
}

const pay = command(
  17,
  fc.record({ of: which, strays, amount: seldom(amount), crypto: fc.option(amount, { nil: undefined, freq: 2 }) }),
  async (scene, { of, strays: any, amount: other, crypto }) => {
    const cashin = transactionFor(scene, { index: of, type: "cashin", suits: isPending, any });
    if (!cashin) return SKIPPED;
    const given = isFiat(cashin.currency) ? other : crypto;
    const units = given ? arriving(given, cashin.currency) : cashin.amount;
    const isWrong = units === null || (isFiat(cashin.currency) && units !== cashin.amount);
    const refusals = [...(isPending(cashin) ? [] : [NOT_NOW]), ...(isWrong ? [WRONG] : [])];
    const body = given ? { amount: written(given, cashin.currency) } : {};
    const { answer, label } = await control(scene, `/transactions/${cashin.id}/pay`, body, refusals);
    if (answer && units !== null) cashins.pay(scene.branch.state, cashin, units);
    return label;
  },
);

const endings = { expire: "expired", cancel: "canceled", fail: "failed" } as const;

const endCharge = command(
  6,
  fc.record({ of: which, strays, how: fc.constantFrom("expire", "cancel", "fail") }),
  async (scene, { of, strays: any, how }) => {
    const cashin = transactionFor(scene, { index: of, type: "cashin", suits: isPending, any });
    if (!cashin) return SKIPPED;
    const { label, answer } = await control(
      scene,
      `/transactions/${cashin.id}/${how}`,
      {},
      isPending(cashin) ? [] : [NOT_NOW],
    );
    if (answer) cashins.endUnpaid(scene.branch.state, cashin, endings[how]);
    return label === "done" ? endings[how] : label;
  },
);

const refund = command(
  7,
  fc.record({
    of: which,
    strays,
    type: fc.constantFrom("cashin", "cashout"),
    amount: fc.option(amount, { nil: undefined, freq: 2 }),
    reason: fc.constantFrom(undefined, "Sent back"),
  }),
  async (scene, { of, strays: any, type, amount: given, reason }) => {
    const { state } = scene.branch;
    const row = transactionFor(scene, { index: of, type, suits: isPaid, any });
    if (!row) return SKIPPED;
    const isAllowed = isPaid(row) && !isDisputed(state, row.id);
    const left = (type === "cashin" ? row.amount : row.debit) - row.refunded;
    const units = given ? arriving(given, row.currency) : left;
    const isWrong = units === null || units > left || left === 0n;
    const refusals = [...(isAllowed ? [] : [NOT_NOW]), ...(isWrong ? [WRONG, NOT_NOW] : [])];
    const body = {
      ...(given ? { amount: written(given, row.currency) } : {}),
      ...(reason === undefined ? {} : { reason }),
    };
    const { answer, label } = await control(scene, `/transactions/${row.id}/refund`, body, refusals);
    if (!answer || units === null) return label;
    if (type === "cashin")
      cashins.giveBack(state, row, { amount: units, reason: reason ?? "MANUAL_REFUND", from: "available" });
    else cashouts.refund(state, row, units, reason ?? "PROVIDER_REVERSAL");
    return `${type} ${units < left ? "in part" : "whole"}`;
  },
);

const confirm = command(6, fc.record({ of: which, strays }), async (scene, { of, strays: any }) => {
  const cashout = transactionFor(scene, { index: of, type: "cashout", suits: isPending, any });
  if (!cashout) return SKIPPED;
  const refusals = isPending(cashout) ? [] : [NOT_NOW];
  const { answer, label } = await control(scene, `/transactions/${cashout.id}/confirm`, {}, refusals);
  if (answer) cashouts.confirm(scene.branch.state, cashout);
  return label;
});

/** At once, or on another day than it was made; its limits are given back to that one (D49). */
const failCashout = command(
  5,
  fc.record({
    of: which,
    strays,
    error_code: fc.constantFrom("PIX_KEY_NOT_FOUND", "UNKNOWN", "BLACKLISTED"),
    later: seldom(fc.constantFrom(2 * HOUR, DAY, 2 * DAY)),
  }),
  async (scene, { of, strays: any, error_code, later = 0 }) => {
    const { branch } = scene;
    const cashout = transactionFor(scene, { index: of, type: "cashout", suits: isPending, any });
    if (!cashout) return SKIPPED;
    await moveTo(scene, branch.state.now + later);
    const refusals = isPending(cashout) ? [] : [NOT_NOW];
    const { answer, label } = await control(scene, `/transactions/${cashout.id}/fail`, { error_code }, refusals);
    if (answer) cashouts.fail(branch.state, cashout, error_code);
    const owner = branch.apps.find(({ merchant }) => merchant.clientId === cashout.client);
    if (answer && owner) await read(branch, owner, "/v2/account/limits");
    return label;
  },
);

const dispute = command(
  9,
  fc.record({ of: which, strays, reason: fc.constantFrom(undefined, "Not mine") }),
  async (scene, input) => {
    const { state, world } = scene.branch;
    const isMeant = ({ status, network }: Transaction) => status === "confirmed" && network === "PIX";
    const cashin = transactionFor(scene, { index: input.of, type: "cashin", suits: isMeant, any: input.strays });
    if (!cashin) return SKIPPED;
    const isAllowed = cashin.status === "confirmed" && !isDisputed(state, cashin.id);
    const refusals = [...(isAllowed ? [] : [NOT_NOW]), ...(cashin.network === "PIX" ? [] : [WRONG])];
    const body = input.reason === undefined ? {} : { reason: input.reason };
    const { answer, label } = await control(scene, `/transactions/${cashin.id}/dispute`, body, refusals);
    if (!answer) return label;
    const opened = (await world.disputes.list()).at(-1);
    // The words of a dispute for which none were given are the sandbox's own.
    const reason = input.reason ?? opened?.reason ?? "";
    openDispute(state, cashin, { id: opened?.infraction_id ?? "", reason });
    return label;
  },
);

const decide = command(
  7,
  fc.record({ of: which, strays, decision: fc.constantFrom<Decision>("win", "lose", "cancel") }),
  async (scene, { of, strays: any, decision }) => {
    const { state } = scene.branch;
    const found = picked(suiting(state.disputes, isUndecided, any), of);
    if (!found) return SKIPPED;
    const refusals = isUndecided(found) ? [] : [NOT_NOW];
    const { answer, label } = await control(scene, `/disputes/${found.id}/${decision}`, {}, refusals);
    if (answer) decideDispute(state, found, decision);
    return answer ? decision : label;
  },
);

const deposit = command(7, fc.record({ into: which, amount, instant: fc.boolean() }), async (scene, input) => {
  const { state } = scene.branch;
  const wallet = picked(state.wallets, input.into);
  if (!wallet) return SKIPPED;
  const units = arriving(input.amount, wallet.currency);
  const body = { amount: written(input.amount, wallet.currency), instant: input.instant };
  const path = `/wallets/${wallet.id}/deposit`;
  const { answer, label } = await control<{ transaction_id: string }>(scene, path, body, units === null ? [WRONG] : []);
  if (answer && units !== null)
    depositInto(state, wallet, { id: answer.transaction_id, amount: units, isInstant: input.instant });
  return answer ? `${label} ${input.instant ? "at once" : "in its time"}` : label;
});

const revertConversion = command(5, which, async (scene, index) => {
  const { state } = scene.branch;
  const conversion = picked(state.conversions, index);
  if (!conversion) return SKIPPED;
  const refusals = conversion.status === "completed" ? [] : [NOT_NOW];
  const { answer, label } = await control(scene, `/conversions/${conversion.id}/refund`, {}, refusals);
  if (answer) revert(state, conversion, "SUPPORT_MANUAL_REVERSAL");
  return label;
});

const strange = command(
  2,
  fc.constantFrom("/transactions/none/pay", "/disputes/none/win", "/wallets/9/deposit", "/conversions/none/refund"),
  async (scene, path) => {
    const body = path.endsWith("deposit") ? { amount: "1" } : {};
    return (await control(scene, path, body, ["NOT_FOUND"])).label;
  },
);

const fund = command(
  3,
  fc.record({ to: which, currency: fc.constantFrom("BRL", "BTC", "USDT"), whole: fc.integer({ min: 1, max: 5_000 }) }),
  async (scene, input) => {
    const { state } = scene.branch;
    const account = picked(state.accounts, input.to);
    if (!account) return SKIPPED;
    const body = { currency: input.currency, amount: String(input.whole) };
    const { answer } = await control<{ balances: object[] }>(scene, `/accounts/${account.username}/fund`, body);
    const balance = balanceOf(state, account.username, input.currency);
    balance.available += BigInt(input.whole) * 10n ** BigInt(scaleOf(input.currency));
    const told = { currency: input.currency, balance: decimalText(balance.available, scaleOf(input.currency)) };
    agree(
      "funding",
      told,
      answer?.balances.find((each) => (each as { currency: string }).currency === input.currency),
    );
    return "done";
  },
);

export const outsideCommands = {
  pay,
  endCharge,
  refund,
  confirm,
  failCashout,
  dispute,
  decide,
  deposit,
  revertConversion,
  strange,
  fund,
};
