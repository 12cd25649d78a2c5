import { isStorageFault } from "../store/storage-fault.ts";
import type { Timer } from "../store/timers.ts";
import { Advance, type AdvanceOptions, type AdvanceResult, type AdvanceTarget } from "./advance.ts";
import { Advances } from "./advances.ts";
import { Backlog } from "./backlog.ts";
import type { Courier, Landing } from "./courier.ts";
import { Deliveries } from "./deliveries.ts";
import { type Flight, Flights } from "./flights.ts";
import type { Instant } from "./instants.ts";
import { Stall } from "./stall.ts";
import { carryOut, type TimerWork } from "./timer-work.ts";
import { Turns } from "./turns.ts";
import { Waiters } from "./waiters.ts";
import type { World } from "./world.ts";

/** The most timers run in one stretch, and in one transaction, before other work of the process gets its turn. */
const STRETCH = 128;

/** The most timers run before an operation from outside gets its turn. */
const CATCH_UP = 10_000;

/** Turns of the event loop after which a request has left; before that, the client checks its open connection. */
const UNTIL_SENT = 2;

/** How long, in real time, until a full store is tried again. */
const STORAGE_RETRY_MS = 1_000;

/**
 * Runs the timers that are due. By itself it runs everything due at or before the present instant; an advance moves
 * that instant on, timer by timer. Deliveries are the only work that takes real time: while the clock does not flow,
 * that is, while it is advanced or frozen, timers behind a delivery in the air wait for it, but see `catchUp`.
 */
export class Runner {
  readonly #world: World;
  readonly #work: Readonly<Record<string, TimerWork>>;
  readonly #onFault: (error: unknown, timer?: Timer) => void;
  readonly #advances = new Advances();
  readonly #settleWaiters = new Waiters();
  readonly #backlog: Backlog;
  readonly #flights: Flights;
  readonly #stall: Stall;
  readonly #turns = new Turns(() => this.drive());
  readonly #deliveries: Deliveries;
  /** Whether the runner did something not committed yet; what callers did is committed at the end of their turn. */
  #unsure = false;
  #driving = false;
  #closed = false;

  constructor(
    world: World,
    work: Readonly<Record<string, TimerWork>>,
    courier: Courier,
    { concurrency, onFault }: { concurrency: number; onFault: (error: unknown, timer?: Timer) => void },
  ) {
    this.#world = world;
    this.#work = work;
    this.#onFault = onFault;
    this.#backlog = new Backlog(world, courier.kind);
    this.#flights = new Flights(onFault);
    this.#stall = new Stall((error) => this.#fail(error), onFault);
    this.#deliveries = new Deliveries(world, {
      courier,
      concurrency,
      onFault,
      flights: this.#flights,
      advances: this.#advances,
      stall: this.#stall,
      turns: this.#turns,
      beforeChange: () => {
        this.#unsure = true;
      },
      onDown: (flight) => this.#takeIn(flight),
    });
  }

  /** Whether an advance is under way or queued. */
  get advancing(): boolean {
    return this.#advances.areThere;
  }

  /** Whether deliveries are in the air, or ended and not recorded yet. */
  get delivering(): boolean {
    return this.#flights.areUnderWay;
  }

  /** Queues an advance; resolves when all that it covers is done. @throws {PastInstant} if it would go back. */
  advance(target: AdvanceTarget, options: AdvanceOptions = {}): Promise<AdvanceResult> {
    return new Promise((finish, fail) => {
      const advance = new Advance(this.#world, target, options, { finish, fail });
      if (this.#closed) return advance.standStill();
      this.#advances.add(advance);
      this.drive();
    });
  }

  /** As {@link Advances.cancel}. @returns whether there was one. */
  cancelAdvance(): boolean {
    const isThere = this.#advances.cancel();
    if (isThere) this.drive();
    return isThere;
  }

  /**
   * Waits until nothing due by the present instant is left or in the air; a running clock goes on meanwhile.
   * @returns false if the world was closed before.
   */
  settle(): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    this.#world.commit();
    const settled = this.#settleWaiters.wait(this.#world.clock.now());
    this.drive();
    return settled;
  }

  /** Begins to run what is due, after `work`, which writes to the store; while the store is full, both wait. */
  begin(work: () => void): void {
    this.#flights.landings.add(work);
    this.drive();
  }

  /**
   * Counts a delivery that was begun by hand among those in the air, and waits until its result is recorded.
   * @throws the store's error if the store is full; the result is recorded later.
   */
  accompany(delivery: Promise<Landing>): Promise<void> {
    return this.#deliveries.accompany(delivery);
  }

  /**
   * Runs at once all work due by now that needs no network, so that a caller finds it done. This includes timers that
   * wait for a delivery in the air, except those about that delivery's subject, as the caller may be its receiver. It
   * looks at what is due by one instant, and is limited, so that a very fast clock does not hold it up for ever.
   */
  catchUp(): void {
    if (this.#advances.underWay) return;
    this.#inOneGo(() => {
      this.#makeUp(CATCH_UP);
      this.#deliveries.landAll();
      const now = this.#world.clock.now();
      let left = CATCH_UP;
      while (!this.advancing && left > 0 && this.#world.timers.isDueBy(now) && this.#step()) left--;
      const early = this.delivering && this.#world.timers.isDueBy(now) ? this.#backlog.heldUp(now, left) : [];
      for (const timer of early) if (!this.#stall.unlessFull(() => this.#run(timer, { isEarly: true }))) break;
      this.#commit();
    });
  }

  /** Runs what can run now, and arranges to be woken for the rest. */
  drive(): void {
    this.#inOneGo(() => {
      if (!this.#makeUp(STRETCH)) {
        this.#commit();
        if (this.#stall.why) this.#rest();
        else this.#turns.ask();
        return;
      }
      this.#deliveries.land();
      this.#deliveries.goOn();
      let done = this.#steps(STRETCH);
      // Not if an advance has just ended: what is left at that instant is not part of it, see #arrive.
      if (this.#flights.inTheAir === 0 && !this.#turns.isAsked) {
        this.#deliveries.land();
        done += this.#steps(STRETCH - done);
      }
      this.#commit();
      if (this.#stall.why) this.#rest();
      else if (done === STRETCH) this.#turns.ask();
      else if (this.#flights.landings.areWaiting) this.#turns.ask(UNTIL_SENT);
      else if (!this.#turns.isAsked) this.#rest();
      const isAllDone = (instant: Instant) => !this.#world.timers.isDueBy(instant) && !this.#flights.anyDueBy(instant);
      if (!this.advancing) this.#settleWaiters.answer(isAllDone);
    });
  }

  /** Runs timers at one reading of the clock, unless they are being run already, or never again. */
  #inOneGo(work: () => void): void {
    if (this.#driving || this.#closed) return;
    this.#driving = true;
    this.#stall.tryAgain();
    try {
      this.#world.clock.atOneReading(work);
    } catch (error) {
      // A damaged file, or a disk that fails, cannot be read either.
      if (!isStorageFault(error)) throw error;
      this.#stall.begin(error);
      this.#rest();
    } finally {
      this.#driving = false;
    }
  }

  /** For replays: runs a timer, whatever the clock shows. @param isEarly whether {@link catchUp} ran it before its turn. */
  runAgain(timer: Timer, isEarly: boolean): void {
    this.#run(timer, { isEarly });
  }

  /** Notes that the last commit failed: what it held is done again. */
  lose(error: unknown): void {
    this.#flights.lose();
    if (!isStorageFault(error)) this.#onFault(error);
    else {
      this.#stall.begin(error);
      this.#rest();
    }
  }

  /** Stops for good. Waiting timers stay in the store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#deliveries.close();
    this.#turns.sleep(null);
    this.#advances.breakOff();
    this.#settleWaiters.giveUp();
    this.#writeDown();
    await this.#flights.end();
  }

  /** Runs up to `most` timers of the backlog. @returns whether none is left. */
  #makeUp(most: number): boolean {
    const isPressing = this.advancing || this.#flights.haveResults;
    const run = (timer: Timer) => this.#stall.unlessFull(() => this.#run(timer));
    return this.#backlog.workOff(this.#nextByItself(), { isPressing, most }, run);
  }

  /** @returns how many steps it has done, at most `most`. */
  #steps(most: number): number {
    let done = 0;
    while (done < most && this.#step()) done++;
    return done;
  }

  /** Does one thing. @returns whether another one may follow at once. */
  #step(): boolean {
    if (this.#stall.why || (this.#advances.isNextToBegin && !this.#beginAdvance())) return false;
    const advance = this.#advances.underWay;
    const goal = advance ? advance.goal : this.#world.clock.now();
    const timer = goal !== null && this.#world.timers.isDueBy(goal) ? this.#next() : undefined;
    if (!timer || goal === null || timer.due > goal) return this.#arrive(advance);
    const mustWait = advance && this.delivering && timer.due > this.#world.clock.now();
    if (mustWait) return false;
    if (!this.#deliveries.includes(timer)) return this.#runInTurn(timer, advance);
    return this.#deliveries.dispatch(timer, this.#standsStill());
  }

  /** Begins an advance, once all earlier deliveries are recorded and the advance before it has been answered. */
  #beginAdvance(): boolean {
    if (this.delivering || this.#turns.isAsked) return false;
    // A commit that is lost fails all advances; one that fails while it begins would hold the clock for ever.
    this.#world.commit();
    if (this.#stall.why) return false;
    const hasBegun = this.#advances.begin(() => this.#next()?.due);
    if (!hasBegun) this.#turns.ask();
    return hasBegun;
  }

  /**
   * Nothing more is to run before the goal: ends the advance once all deliveries are recorded. Its caller gets a turn
   * to look at the result before the next advance begins.
   */
  #arrive(advance: Advance | undefined): boolean {
    if (!advance || this.delivering) return false;
    this.#commit();
    if (this.#stall.why) return false;
    this.#stall.unlessFull(() => {
      this.#advances.end();
      this.#turns.ask();
    });
    return false;
  }

  #runInTurn(timer: Timer, advance: Advance | undefined): boolean {
    if (this.delivering && this.#standsStill()) return false;
    advance?.countTimer();
    return this.#stall.unlessFull(() => this.#run(timer));
  }

  #run(timer: Timer, { isEarly = false } = {}): void {
    this.#unsure = true;
    carryOut(this.#world, timer, { work: this.#work[timer.kind], isEarly, onFault: this.#onFault });
  }

  /** Takes in a delivery that has come down; those that come down in one turn are committed together. */
  #takeIn({ lane }: Flight): void {
    if (this.#closed) this.#writeDown();
    else if (lane === null) this.drive();
    else this.#turns.ask();
  }

  #writeDown(): void {
    this.#deliveries.landAll();
    this.#commit();
  }

  /** Commits what was done; if that fails, it is done again, see {@link lose}. */
  #commit(): void {
    if (!this.#unsure) return;
    this.#unsure = false;
    this.#world.commit();
    this.#flights.landings.keep();
    this.#stall.noteKept();
  }

  /** Rejects all advances and all who wait in {@link settle}: the store is full, so nothing goes on for now. */
  #fail(error: unknown): void {
    this.#advances.fail(error);
    this.#settleWaiters.fail(error);
    this.#flights.lanes.lookAgain();
    this.#world.clock.letFlow();
  }

  /** Whether time does not flow by itself: timers then run in one order, however long the network takes. */
  #standsStill(): boolean {
    return this.#advances.underWay !== undefined || this.#world.clock.mode === "frozen";
  }

  #next(): Timer | undefined {
    return this.#flights.lanes.firstBeside(this.#world.timers);
  }

  /** Nothing can run now: sleeps until the next timer of a running clock, or until a full store is tried again. */
  #rest(): void {
    this.#turns.sleep(this.#stall.why ? STORAGE_RETRY_MS : this.#untilNextMs());
  }

  #untilNextMs(): number | null {
    const next = this.#nextByItself();
    return next ? this.#world.clock.realMsUntil(next.due) : null;
  }

  /**
   * The next timer that the flow of time brings; none while it stands still. An advance that waits for deliveries in the
   * air does not stop it, but sends what is due meanwhile itself.
   */
  #nextByItself(): Timer | undefined {
    if (this.#standsStill()) return undefined;
    return this.advancing ? this.#backlog.first() : this.#next();
  }
}
