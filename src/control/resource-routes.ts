/** Transactions and what the outside world can do to them. */
import { closest } from "fastest-levenshtein";
import { resourceActions } from "../service/actions.ts";
import type { Transaction } from "../store/transactions.ts";
import { type ControlCall, type ControlRoute, commandAndSettle, inputOf, page } from "./call.ts";
import { ControlError, notFound } from "./errors.ts";
import { transactionDetail, transactionView } from "./views.ts";

export const resourceRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "/transactions", handle: listTransactions },
  {
    method: "GET",
    path: "/transactions/:id",
    handle: (call) => transactionDetail(call.live.world, transactionOf(call)),
  },
  { method: "POST", path: "/transactions/:id/:action", handle: act },
];

function listTransactions(call: ControlCall) {
  const { world } = call.live;
  return page(
    call,
    (after, limit) => world.transactions.after(after, limit),
    (row) => row.position,
    (row) => transactionView(world, row.transaction),
  );
}

async function act(call: ControlCall) {
  const transaction = transactionOf(call);
  const actions = resourceActions[transaction.type] ?? {};
  const name = call.params.action ?? "";
  const action = actions[name];
  if (!action) {
    const near = closest(name, Object.keys(actions));
    throw new ControlError(404, "NOT_FOUND", `A ${transaction.type} has no action "${name}"; did you mean "${near}"?`);
  }
  const input = inputOf(call, action.input);
  const { transaction_id } = transaction;
  await commandAndSettle(call, transaction_id, (operation) =>
    action.perform(operation, transaction_id, input as never),
  );
  return transactionDetail(call.live.world, transactionOf(call));
}

function transactionOf({ live, params }: ControlCall): Transaction {
  const transaction = live.world.transactions.get(params.id ?? "");
  if (!transaction) throw notFound("transaction", params.id ?? "");
  return transaction;
}
