/** One timer's work, carried out in an operation that takes the timer off the clock. */
import { isStorageFault } from "../store/storage-fault.ts";
import type { Timer } from "../store/timers.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./world.ts";

/** Work of a timer kind that is done within one transaction, which takes the timer off the clock when it is done. */
export type TimerWork = (operation: Operation, timer: Timer) => void;

/**
 * Carries out the work of a timer; with others of the same stretch it is committed later.
 * A fault of ours takes the timer out, or it would come up for ever; the journal keeps what happened.
 * @param onFault told of such a fault.
 * @throws what the store says where it is full; then the timer waits as before.
 */
export function carryOut(
  world: World,
  timer: Timer,
  work: TimerWork | undefined,
  onFault: (error: unknown, timer: Timer) => void,
): void {
  // Last: as long as nothing was written, work that may be refused needs no savepoint of its own.
  const removing = (inner: (operation: Operation) => void) => (operation: Operation) => {
    inner(operation);
    world.timers.remove(timer.due, timer.sequence);
  };
  const perform = (operation: Operation) => {
    if (!work) throw new Error(`There is no work for timers of the kind "${timer.kind}".`);
    work(operation, timer);
  };
  try {
    world.operateTogether(removing(perform), timer.due, timer.cause, timer.rule);
  } catch (error) {
    if (isStorageFault(error)) throw error;
    const tell = (operation: Operation) => {
      operation.record("fault", timer.subject, { timer: timer.kind, message: String(error) });
    };
    world.operate(removing(tell), timer.due, timer.cause, timer.rule);
    onFault(error, timer);
  }
}
