/**
 * Runs what is due. By itself it runs everything due at or before the present instant; an advance moves the instant
 * on, timer by timer. Deliveries are the only work that takes real time: where the clock does not flow, which is while
 * it is advanced and while it is frozen, what is due later than one in the air waits for it, so that the same comes of
 * it on any machine; the interface goes on answering.
 */
import { nextTurn, wakeAfter } from "../runtime.ts";
import type { Timer } from "../store/timers.ts";
import { type Instant, LAST_INSTANT } from "./instants.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./world.ts";

/** Work of a timer kind that is done within one transaction. The timer is already taken off the clock. */
export type TimerWork = (operation: Operation, timer: Timer) => void;

/** The work of timers that go over the network: webhook attempts. */
export interface Courier {
  readonly kind: string;
  /** Timers of one lane go one after another, in order; lanes do not wait for each other. */
  lane(timer: Timer): string;
  /** Takes the timer off the clock and begins; null when it is done at once. */
  carry(timer: Timer): Promise<void> | null;
}

/** What an advance aims at. A duration counts from where the advance begins, which is later where others queue before. */
export type AdvanceTarget =
  | { readonly kind: "by"; readonly durationMs: number }
  | { readonly kind: "to"; readonly instant: Instant }
  | { readonly kind: "next" }
  | { readonly kind: "idle" };

/** What an advance came to. */
export interface AdvanceResult {
  readonly from: Instant;
  readonly to: Instant;
  /** Whether it came to its target: false when there was none, it was called off or `max_timers` were run before. */
  readonly reached: boolean;
  /** Timers that ran, delivery attempts too. */
  readonly timers: number;
  /** The journal's last entry before it began. */
  readonly lastEntry: number;
}

interface Advance {
  readonly target: AdvanceTarget;
  readonly maxTimers: number;
  readonly finish: (result: AdvanceResult) => void;
  from: Instant;
  goal: Instant;
  lastEntry: number;
  timers: number;
  begun: boolean;
  canceled: boolean;
}

/** Timers run in one stretch before other work of the process gets its turn. */
const STRETCH = 128;

export class Runner {
  readonly #world: World;
  readonly #work: Readonly<Record<string, TimerWork>>;
  readonly #courier: Courier;
  readonly #concurrency: number;
  readonly #onFault: (error: unknown, timer: Timer) => void;
  readonly #advances: Advance[] = [];
  /** Lanes with a delivery in the air, and what waits behind it. */
  readonly #lanes = new Map<string, Timer[]>();
  readonly #waitingInLanes = new Set<number>();
  readonly #settleWaiters: (() => void)[] = [];
  #inTheAir = 0;
  #onLanding: () => void = () => {};
  #driving = false;
  #turnAsked = false;
  #closed = false;
  #stopWaking: () => void = () => {};

  constructor(
    world: World,
    work: Readonly<Record<string, TimerWork>>,
    courier: Courier,
    options: { concurrency: number; onFault: (error: unknown, timer: Timer) => void },
  ) {
    this.#world = world;
    this.#work = work;
    this.#courier = courier;
    this.#concurrency = options.concurrency;
    this.#onFault = options.onFault;
  }

  /** Whether time is being advanced. */
  get advancing(): boolean {
    return this.#advances.length > 0;
  }

  /** Whether deliveries are in the air. */
  get delivering(): boolean {
    return this.#inTheAir > 0;
  }

  /** Queues an advance; answers when all that it covers is done. */
  advance(target: AdvanceTarget, maxTimers = Number.POSITIVE_INFINITY): Promise<AdvanceResult> {
    return new Promise((finish) => {
      const instant = this.#world.clock.now();
      const progress = { from: instant, goal: instant, lastEntry: 0, timers: 0, begun: false, canceled: false };
      this.#advances.push({ target, maxTimers, finish, ...progress });
      this.drive();
    });
  }

  /** Calls off the advance under way, between two timers. @returns whether there was one. */
  cancelAdvance(): boolean {
    const [advance] = this.#advances;
    if (!advance) return false;
    advance.canceled = true;
    this.drive();
    return true;
  }

  /** Answers when nothing is due or in the air at the present instant. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      this.#settleWaiters.push(resolve);
      this.drive();
    });
  }

  /** Runs at once all work due by now that needs no network, so that an operation from outside finds it done. */
  catchUp(): void {
    if (this.#driving || this.advancing || this.#closed) return;
    this.#driving = true;
    try {
      while (this.#step());
    } finally {
      this.#driving = false;
    }
  }

  /** Runs what can be run now, and sees to it that it is woken for the rest. */
  drive(): void {
    if (this.#driving || this.#closed) return;
    this.#driving = true;
    try {
      let done = 0;
      while (done < STRETCH && this.#step()) done++;
      if (done === STRETCH) this.#askForTurn();
      else this.#rest();
    } finally {
      this.#driving = false;
    }
  }

  /** Stops for good. What waits stays in the store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWaking();
    const to = this.#world.clock.now();
    for (const { finish, from, timers, lastEntry } of this.#advances.splice(0)) {
      finish({ from, to, reached: false, timers, lastEntry });
    }
    for (const resolve of this.#settleWaiters.splice(0)) resolve();
    while (this.#inTheAir > 0) {
      await new Promise<void>((resolve) => {
        this.#onLanding = resolve;
      });
    }
  }

  /** One thing done. @returns whether there may be another one at once. */
  #step(): boolean {
    const advance = this.#advances[0];
    if (advance && !advance.begun && !this.#begin(advance)) return false;
    const goal = advance ? this.#goalOf(advance) : this.#world.clock.now();
    const timer = advance?.canceled || !this.#isDueBy(goal) ? undefined : this.#next();
    if (!timer || timer.due > goal) return this.#arrive(advance);
    const mustWait = advance && this.#inTheAir > 0 && timer.due > this.#world.clock.now();
    if (mustWait) return false;
    return timer.kind === this.#courier.kind ? this.#dispatch(timer) : this.#run(timer, advance);
  }

  /** What is in the air from before comes down first; then time is held. */
  #begin(advance: Advance): boolean {
    if (this.#inTheAir > 0) return false;
    this.#world.clock.hold();
    advance.begun = true;
    advance.from = this.#world.clock.now();
    advance.goal = this.#firstGoal(advance.target);
    advance.lastEntry = this.#world.journal.last().sequence;
    return true;
  }

  #firstGoal(target: AdvanceTarget): Instant {
    if (target.kind === "to") return target.instant;
    if (target.kind === "by") return Math.min(this.#world.clock.now() + target.durationMs, LAST_INSTANT);
    if (target.kind === "next") return this.#next()?.due ?? this.#world.clock.now();
    return LAST_INSTANT;
  }

  #goalOf(advance: Advance): Instant {
    return isSpent(advance) || this.#isIdle(advance) ? -1 : advance.goal;
  }

  #isIdle({ target }: Advance): boolean {
    return target.kind === "idle" && !this.#world.timers.hasOneShot();
  }

  /** Nothing more is to be run before the goal: the advance is done once all is down from the air. */
  #arrive(advance: Advance | undefined): boolean {
    if (!advance || this.#inTheAir > 0) return false;
    const leftOver = isSpent(advance) && this.#isDueBy(advance.goal) && !this.#isIdle(advance);
    const complete = !advance.canceled && !leftOver;
    const { kind } = advance.target;
    if (complete && (kind === "to" || kind === "by")) this.#world.clock.reach(advance.goal);
    const to = this.#world.clock.now();
    this.#world.database.transaction(() => this.#world.clock.release());
    this.#advances.shift();
    const { from, timers, lastEntry } = advance;
    const reached = complete && !(kind === "next" && timers === 0);
    advance.finish({ from, to, reached, timers, lastEntry });
    return true;
  }

  #run(timer: Timer, advance: Advance | undefined): boolean {
    if (this.#inTheAir > 0 && this.#standsStill()) return false;
    if (advance) advance.timers++;
    const work = this.#work[timer.kind];
    try {
      this.#perform(timer, (operation) => {
        if (!work) throw new Error(`There is no work for timers of the kind "${timer.kind}".`);
        work(operation, timer);
      });
    } catch (error) {
      // A fault of ours: the timer is taken out, or it would come up for ever; the journal keeps what happened.
      this.#perform(timer, (operation) => {
        operation.record("fault", timer.subject, { timer: timer.kind, message: String(error) });
      });
      this.#onFault(error, timer);
    }
    return true;
  }

  #perform(timer: Timer, work: (operation: Operation) => void): void {
    const removeAndWork = (operation: Operation) => {
      this.#world.timers.remove(timer.due, timer.sequence);
      work(operation);
    };
    this.#world.operate(removeAndWork, timer.due, timer.cause, timer.rule);
  }

  #dispatch(timer: Timer): boolean {
    if (this.#inTheAir >= this.#concurrency && this.#standsStill()) return false;
    const lane = this.#courier.lane(timer);
    const queue = this.#lanes.get(lane);
    if (queue) {
      queue.push(timer);
      this.#waitingInLanes.add(timer.sequence);
      return true;
    }
    this.#carry(timer, lane);
    return true;
  }

  /** Begins a delivery. @returns whether it is in the air; else it was done at once. */
  #carry(timer: Timer, lane: string): boolean {
    const [advance] = this.#advances;
    if (advance?.begun) {
      advance.timers++;
      this.#world.clock.reach(timer.due);
    }
    const landing = this.#courier.carry(timer);
    if (!landing) return false;
    this.#inTheAir++;
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, []);
    const land = () => this.#land(lane);
    landing.then(land, (error) => {
      this.#onFault(error, timer);
      land();
    });
    return true;
  }

  #land(lane: string): void {
    // It counts until the next of its lane is in the air: nobody may take the pause between them for the end.
    if (!this.#carryNextOf(this.#lanes.get(lane) ?? [], lane)) this.#lanes.delete(lane);
    this.#inTheAir--;
    this.#onLanding();
    this.drive();
  }

  /** What waits in a lane goes on, but not beyond what an advance may run. @returns whether one is in the air. */
  #carryNextOf(queue: Timer[], lane: string): boolean {
    for (let next = queue.shift(); next && !this.#closed; next = queue.shift()) {
      this.#waitingInLanes.delete(next.sequence);
      const [advance] = this.#advances;
      if (advance?.begun && (advance.canceled || isSpent(advance))) continue;
      if (this.#carry(next, lane)) return true;
    }
    return false;
  }

  /** Whether time does not pass by itself: then all is done in one order, whatever the network does. */
  #standsStill(): boolean {
    return this.advancing || this.#world.clock.mode === "frozen";
  }

  #isDueBy(instant: Instant): boolean {
    const earliest = this.#world.timers.earliest();
    return earliest !== null && earliest <= instant;
  }

  #next(): Timer | undefined {
    const waiting = this.#waitingInLanes;
    const first = this.#world.timers.first(waiting.size + 1);
    return waiting.size === 0 ? first[0] : first.find((timer) => !waiting.has(timer.sequence));
  }

  #askForTurn(): void {
    if (this.#turnAsked) return;
    this.#turnAsked = true;
    nextTurn(() => {
      this.#turnAsked = false;
      this.drive();
    });
  }

  /** Nothing can be run at once: tell those who wait for that, and sleep until the next timer of a running clock. */
  #rest(): void {
    if (this.#inTheAir === 0 && !this.advancing) {
      for (const resolve of this.#settleWaiters.splice(0)) resolve();
    }
    this.#stopWaking();
    if (this.#world.clock.mode === "frozen" || this.advancing) return;
    const next = this.#next();
    const delayMs = next ? this.#world.clock.realMsUntil(next.due) : null;
    if (delayMs !== null) this.#stopWaking = wakeAfter(Math.ceil(delayMs), () => this.drive());
  }
}

/** Whether an advance has run as many timers as it may. */
function isSpent({ timers, maxTimers }: Advance): boolean {
  return timers >= maxTimers;
}
