/** Deliveries under way: in the air means not answered yet, down means ended but not recorded yet. */
import type { Landing } from "./courier.ts";
import type { Instant } from "./instants.ts";
import { Landings } from "./landings.ts";
import { Lanes } from "./lanes.ts";

/** A delivery that was begun. */
export interface Flight {
  /** The instant of its timer; it may have left later, after waiting its turn. */
  readonly due: Instant;
  /** Null for a delivery that was begun by hand. */
  readonly lane: string | null;
}

/** Follows deliveries from their beginning until their results are recorded. */
export class Flights {
  readonly lanes = new Lanes();
  readonly landings: Landings;
  /** Begun and not recorded yet; `#down` counts those of them that have come down. */
  readonly #unwritten = new Set<Flight>();
  #down = 0;
  /** Those that have come down, but whose lanes have not been asked for their next delivery yet. */
  #arrived: { readonly landing: Landing; readonly flight: Flight; readonly lane: string }[] = [];
  /** Whoever waits for the end, told after each that has been written. */
  #waiting: (() => void)[] = [];

  constructor(onFault: (error: unknown) => void) {
    this.landings = new Landings(onFault);
  }

  /** How many are in the air. */
  get inTheAir(): number {
    return this.#unwritten.size - this.#down;
  }

  /** Whether any are in the air, or down and not recorded; the work is not finished before none is. */
  get areUnderWay(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Whether one is still in the air, or down and not recorded. */
  has(flight: Flight): boolean {
    return this.#unwritten.has(flight);
  }

  /** Whether any results, or other work that was added to these, wait to be recorded. */
  get haveResults(): boolean {
    return this.#down > 0 || this.landings.areWaiting;
  }

  /** Whether any of them was due by an instant. */
  anyDueBy(instant: Instant): boolean {
    return [...this.#unwritten].some(({ due }) => due <= instant);
  }

  begin(due: Instant, lane: string | null): Flight {
    const flight = { due, lane };
    this.#unwritten.add(flight);
    return flight;
  }

  /** Drops a flight that will never come down. */
  giveUp(flight: Flight): void {
    if (flight.lane !== null) this.lanes.free(flight.lane);
    // Its own timer may have been found on the clock already, and wait behind it.
    this.lanes.lookAgain();
    this.#end(flight);
  }

  /** Notes that the last commit failed: what was recorded waits again, and what was run is on the clock again. */
  lose(): void {
    this.landings.lose();
    this.lanes.lookAgain();
  }

  /** Takes in a flight that has come down; one in a lane is recorded only after {@link goOn} was called. */
  comeDown(landing: Landing, flight: Flight): void {
    this.#down++;
    if (flight.lane === null) this.#toBeWritten(landing, flight);
    else this.#arrived.push({ landing, flight, lane: flight.lane });
  }

  /**
   * Lets the lanes of those that have come down go on, so that they are recorded while the next ones are in the air.
   * @param carryNextOf begins the next delivery of a lane; false if there is none.
   */
  goOn(carryNextOf: (lane: string) => boolean): void {
    for (const { landing, flight, lane } of this.#arrived.splice(0)) {
      this.#toBeWritten(landing, flight);
      if (!carryNextOf(lane)) this.lanes.free(lane);
    }
  }

  /** Resolves when the results of all that were begun are recorded. */
  async end(): Promise<void> {
    while (this.areUnderWay) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #toBeWritten(landing: Landing, flight: Flight): void {
    this.landings.add(landing, () => {
      this.#down--;
      this.#end(flight);
    });
  }

  #end(flight: Flight): void {
    this.#unwritten.delete(flight);
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
