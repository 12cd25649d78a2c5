/** A running world: its parts put together, with the work of its timers. */
import { laterTurn } from "../runtime.ts";
import { ScenarioEngine } from "../scenarios/engine.ts";
import { runStep, STEP_TIMER } from "../scenarios/steps.ts";
import { TICK_TIMER } from "../scenarios/ticks.ts";
import { DEPOSIT_TIMER, EXPIRY_TIMER } from "../service/cashin.ts";
import { performCashin } from "../service/cashin-actions.ts";
import { GATEWAY_TIMER } from "../service/cashout.ts";
import { refuseAddress } from "../service/cashout-actions.ts";
import { creditDeposit } from "../service/deposits.ts";
import { DEADLINE_TIMER, missDeadline } from "../service/disputes.ts";
import type { Database } from "../store/database.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import { Delivery, type Send } from "../webhooks/delivery.ts";
import { RELEASE_TIMER, release } from "../webhooks/holding.ts";
import { enqueue } from "../webhooks/outbox.ts";
import type { Operation } from "../world/operation.ts";
import { Runner } from "../world/runner.ts";
import type { TimerWork } from "../world/timer-work.ts";
import { World } from "../world/world.ts";

/** What all worlds of a process share. */
export interface Surroundings {
  /** Null in a replay, which sends nothing. */
  readonly send: Send | null;
  /** The most deliveries at a time while the clock is frozen or advanced (`--webhook-concurrency`). */
  readonly concurrency: number;
  /** Reports errors of ours. */
  readonly onFault: (error: unknown) => void;
}

/** A world with its runner, its delivery and its scenarios, from its opening until it is closed. */
export class LiveWorld {
  readonly world: World;
  readonly delivery: Delivery;
  readonly runner: Runner;
  /** Null when it is to be read anew from the store. */
  #scenarios: ScenarioEngine | null = null;
  #rests = false;
  #closed = false;

  constructor(database: Database, surroundings: Surroundings) {
    const { send, concurrency } = surroundings;
    const onFault = (error: unknown) => surroundings.onFault(database.asTold(error));
    this.world = new World(database);
    this.#scenarios = new ScenarioEngine(this.world);
    this.delivery = new Delivery(this.world, send);
    this.runner = new Runner(this.world, this.#timerWork(), this.delivery, { concurrency, onFault });
    this.world.followers.events.push(enqueue);
    this.world.interceptors = {
      request: (operation, request) => this.scenarios.strikeRequest(operation, request),
      delivery: (operation, webhook) => this.scenarios.strikeDelivery(operation, webhook),
    };
    this.world.followers.occurrences.push((operation, occurrence) => this.scenarios.follow(operation, occurrence));
    // The undone operation may have loaded or removed scenarios.
    this.world.afterUndoing = (error) => {
      if (isStorageFault(error)) this.#scenarios = null;
    };
  }

  get scenarios(): ScenarioEngine {
    this.#scenarios ??= new ScenarioEngine(this.world);
    return this.#scenarios;
  }

  get id(): string {
    return this.world.id;
  }

  /** Whether it is closed: deleted, replaced by a reset or restore, or its process is stopping. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Begins to run what is due; a finished replay rests until the first operation from outside, or until it is woken. */
  start(): void {
    this.#rests = this.#endsAtRest;
    if (this.#rests) this.world.beforeOperation = () => this.wake();
    else this.#begin();
  }

  /** Ends the rest of a finished replay, if it still rests: to be called before time is to pass, or to be waited for. */
  wake(): void {
    if (this.#rests) this.#begin();
  }

  get #endsAtRest(): boolean {
    const { inputs, operations } = this.world;
    const [last] = inputs.after(operations - 1, 1);
    return last?.kind === "rest";
  }

  /** Begins to run what is due, first the attempts that were in the air when the process died. */
  #begin(): void {
    this.#rests = false;
    this.world.beforeOperation = () => this.runner.catchUp();
    this.world.afterOperation = () => {
      // Without deliveries in the air, drive alone does what the operation made due.
      if (this.runner.delivering) this.runner.catchUp();
      this.runner.drive();
    };
    this.world.afterLoss = (error) => {
      this.#scenarios = null;
      this.runner.lose(error);
    };
    this.runner.begin(() => this.delivery.recover());
  }

  /**
   * Waits for deliveries in the air, then closes the store.
   * @param graceOver resolves when waiting is to end: deliveries still in the air are then sent again after the next
   * start, as if the process had died. Never resolves unless given.
   */
  async finish(graceOver: Promise<void> = new Promise(() => {})): Promise<void> {
    try {
      await Promise.race([this.runner.close(), graceOver]);
      this.delivery.abandon();
      // Callers of advances that were broken off get a turn to look at the result.
      await laterTurn();
    } finally {
      this.#close();
    }
  }

  /** Closes at once; results of deliveries in the air are lost. */
  abandon(): void {
    this.delivery.abandon();
    void this.runner.close();
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.world.commitListeners) listener([]);
    this.world.database.close();
  }

  #timerWork(): Record<string, TimerWork> {
    return {
      [EXPIRY_TIMER]: expireCharge,
      [GATEWAY_TIMER]: (operation, timer) => refuseAddress(operation, timer.subject),
      [DEADLINE_TIMER]: (operation, timer) => missDeadline(operation, timer.subject),
      [DEPOSIT_TIMER]: (operation, timer) => creditDeposit(operation, timer.subject),
      [STEP_TIMER]: runStep,
      [TICK_TIMER]: (operation, timer) => this.scenarios.tick(operation, timer),
      [RELEASE_TIMER]: (operation, timer) => release(operation, timer.subject),
    };
  }
}

function expireCharge(operation: Operation, timer: { readonly subject: string }): void {
  const charge = operation.world.transactions.get(timer.subject);
  if (charge?.status === "pending") performCashin.expire(operation, charge, {});
}
