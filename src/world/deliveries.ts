/** How deliveries leave and come down, in whose midst the network takes its time. */
import { laterTurn } from "../runtime.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import type { Timer } from "../store/timers.ts";
import type { Advances } from "./advances.ts";
import type { Courier, Landing } from "./courier.ts";
import type { Flight, Flights } from "./flights.ts";
import type { Stall } from "./stall.ts";
import { carryOut } from "./timer-work.ts";
import type { Turns } from "./turns.ts";
import type { World } from "./world.ts";

/** What deliveries share with their runner, which decides when they may leave and when all is committed. */
interface Ground {
  readonly courier: Courier;
  /** The most deliveries in the air at a time while time stands still. */
  readonly concurrency: number;
  readonly onFault: (error: unknown, timer?: Timer) => void;
  readonly flights: Flights;
  readonly advances: Advances;
  readonly stall: Stall;
  readonly turns: Turns;
  /** Called before something is done that is to be committed. */
  readonly beforeChange: () => void;
  /** Called with a delivery that has come down, and whose result waits to be recorded. */
  readonly onDown: (flight: Flight) => void;
}

/** Begins deliveries, lane by lane, and records their results. */
export class Deliveries {
  readonly #world: World;
  readonly #ground: Ground;
  #closed = false;

  constructor(world: World, ground: Ground) {
    this.#world = world;
    this.#ground = ground;
  }

  /** Whether a timer is that of a delivery. */
  includes(timer: Timer): boolean {
    return timer.kind === this.#ground.courier.kind;
  }

  /**
   * Begins the delivery of a timer, or has it wait in its lane.
   * @param standsStill whether time stands still: only so many are then in the air at a time.
   * @returns whether another timer may run at once.
   */
  dispatch(timer: Timer, standsStill: boolean): boolean {
    const { courier, concurrency, flights } = this.#ground;
    // A delivery that takes no time also waits for those that are down, so that results are recorded in order.
    const lane = courier.lane(timer);
    const mustWait = courier.takesTime(lane) ? flights.inTheAir >= concurrency : flights.areUnderWay;
    if (mustWait && standsStill) return false;
    if (flights.lanes.take(lane, timer) && !this.#carry(timer, lane, this.#world.clock.isLongPast(timer.due)))
      flights.lanes.free(lane);
    return true;
  }

  /**
   * Counts a delivery that was begun by hand among those in the air, and waits until its result is recorded.
   * @throws the store's error if the store is full; the result is recorded later.
   */
  async accompany(delivery: Promise<Landing>): Promise<void> {
    const { flights, stall } = this.#ground;
    const flight = flights.begin(this.#world.clock.now(), null);
    this.#comeDown(await delivery, flight);
    // What is late comes before it, a stretch in each turn.
    while (flights.has(flight) && !stall.why) await laterTurn();
    if (stall.why && flights.landings.areWaiting) throw stall.why;
  }

  /** Records the results of deliveries; what the store does not take now is recorded later. */
  land(): void {
    const { flights, stall, beforeChange } = this.#ground;
    const { landings } = flights;
    if (landings.areWaiting) beforeChange();
    while (landings.areWaiting && stall.unlessFull(() => landings.writeNext(this.#closed)));
  }

  /** Lets the lanes of those that have come down go on. */
  goOn(): void {
    this.#ground.flights.goOn((lane) => this.#carryNextOf(lane));
  }

  /** Records the results of all that have come down, and of those that this lets go on and that take no time. */
  landAll(): void {
    this.land();
    this.goOn();
    this.land();
  }

  /** From now on none begins, and a result that the store does not take is lost. */
  close(): void {
    this.#closed = true;
  }

  /** Begins a delivery. @returns whether it is in the air; false if it was done at once or could not begin. */
  #carry(timer: Timer, lane: string, isLate: boolean): boolean {
    const { advances, beforeChange, flights } = this.#ground;
    advances.underWay?.countTimer();
    beforeChange();
    const delivery = this.#begun(timer, isLate);
    if (!delivery) return false;
    void this.#follow(delivery, flights.begin(timer.due, lane), timer);
    return true;
  }

  /** Prepares a delivery; an error of ours is reported like that of any timer. Null if nothing is in the air. */
  #begun(timer: Timer, isLate: boolean): Promise<Landing> | null {
    const { courier, stall, onFault } = this.#ground;
    try {
      return courier.carry(timer, isLate);
    } catch (error) {
      const work = () => {
        throw error;
      };
      stall.unlessFull(
        isStorageFault(error) ? work : () => carryOut(this.#world, timer, { work, isEarly: false, onFault }),
      );
      return null;
    }
  }

  async #follow(delivery: Promise<Landing>, flight: Flight, timer: Timer): Promise<void> {
    const { flights, stall, turns, onFault } = this.#ground;
    let landing: Landing = () => {};
    try {
      landing = await delivery;
    } catch (error) {
      // Its beginning was not committed: its timer is on the clock again, and runs once the store is tried again, or was.
      if (isStorageFault(error)) {
        flights.giveUp(flight);
        if (!stall.why) turns.ask();
        return;
      }
      onFault(error, timer);
    }
    this.#comeDown(landing, flight);
  }

  #comeDown(landing: Landing, flight: Flight): void {
    this.#ground.flights.comeDown(landing, flight);
    this.#ground.onDown(flight);
  }

  /** Begins what waits in a lane, within what an advance may run. @returns whether one is in the air. */
  #carryNextOf(lane: string): boolean {
    const { advances, flights, stall } = this.#ground;
    const { lanes } = flights;
    for (let next = lanes.next(lane); next && !this.#closed && !stall.why; next = lanes.next(lane)) {
      if (advances.underWay?.isOver) return false;
      // While it waited its turn, a re-delivery by hand may have taken it off the clock.
      const isThere = this.#world.timers.get(next.due, next.sequence) !== undefined;
      if (isThere && this.#carry(next, lane, true)) return true;
    }
    return false;
  }
}
