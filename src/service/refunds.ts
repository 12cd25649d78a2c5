/** Refunds of cash-ins, by an action or through a lost dispute, and their event (`D54`, `D54a`). */
import type { TriggerOf } from "../domain/lifecycles.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Transaction } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { totalBalance } from "./accounts.ts";
import { stepTransaction } from "./transactions.ts";

/** A refund of a charge; `amount` is in minor units, `figures` are those of the trigger's postings. */
interface ChargeRefund {
  readonly trigger: TriggerOf<"cashin">;
  readonly amount: MinorUnits;
  readonly figures: Readonly<Record<string, MinorUnits>>;
  readonly reason: string;
}

/** Gives back an amount of a charge; the fee is kept, the refund gets its own id. @throws {InvalidTransition} */
export function giveBack(operation: Operation, charge: Transaction, refund: ChargeRefund): Transaction {
  const { world, now } = operation;
  const text = (amount: MinorUnits) => world.currencies.format(amount, charge.currency);
  const total = () => text(totalBalance(world, charge.username, charge.currency));
  const before = total();
  const refundId = world.random.hexId("transaction", now);
  return stepTransaction(operation, charge, {
    trigger: refund.trigger,
    changes: { refunded: charge.refunded + refund.amount },
    figures: refund.figures,
    envelopeId: refundId,
    data: (_kind, refunded) => ({
      transaction_id: refundId,
      original_transaction_id: refunded.transaction_id,
      external_id: refunded.external_id,
      currency: refunded.currency,
      amount: text(refunded.amount),
      amount_refunded: text(refund.amount),
      status: refunded.status,
      reason: refund.reason,
      old_balance: before,
      new_balance: total(),
      refunded_at: formatInstant(now),
    }),
  });
}
