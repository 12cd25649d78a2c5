/** Deliveries that were begun: those in the air, and those that are down and not written yet. */
import type { Landing } from "./courier.ts";
import type { Instant } from "./instants.ts";
import { Landings } from "./landings.ts";
import { Lanes } from "./lanes.ts";

/** One that was begun. */
export interface Flight {
  /** It may have waited its turn since. */
  readonly due: Instant;
  /** Null for one that was begun by hand. */
  readonly lane: string | null;
}

/** Follows deliveries from their beginning until what came of them is written. */
export class Flights {
  readonly lanes = new Lanes();
  readonly landings: Landings;
  /** Begun, and not written yet; how many of them are down. */
  readonly #unwritten = new Set<Flight>();
  #down = 0;
  /** Those that have come down while the next of their lanes has not been looked for yet. */
  #arrived: { readonly landing: Landing; readonly flight: Flight; readonly lane: string }[] = [];
  #onEnd: () => void = () => {};

  constructor(onFault: (error: unknown) => void) {
    this.landings = new Landings(onFault);
  }

  /** How many are in the air. */
  get inTheAir(): number {
    return this.#unwritten.size - this.#down;
  }

  /** Whether there are any in the air, or down and not written: nobody may take that pause for the end. */
  get areUnderWay(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Whether one of them was due by an instant. */
  anyDueBy(instant: Instant): boolean {
    return [...this.#unwritten].some(({ due }) => due <= instant);
  }

  begin(due: Instant, lane: string | null): Flight {
    const flight = { due, lane };
    this.#unwritten.add(flight);
    return flight;
  }

  /** One that was begun will never come down. */
  giveUp(flight: Flight): void {
    if (flight.lane !== null) this.lanes.free(flight.lane);
    this.#end(flight);
  }

  /** One has come down; in a lane it is to be written when {@link goOn} has been called. */
  comeDown(landing: Landing, flight: Flight): void {
    this.#down++;
    if (flight.lane === null) this.#toBeWritten(landing, flight);
    else this.#arrived.push({ landing, flight, lane: flight.lane });
  }

  /**
   * The lanes of those that have come down go on, so that they can be written while the next ones are in the air.
   * @param carryNextOf begins the next one of a lane; false where there is none.
   */
  goOn(carryNextOf: (lane: string) => boolean): void {
    for (const { landing, flight, lane } of this.#arrived.splice(0)) {
      this.#toBeWritten(landing, flight);
      if (!carryNextOf(lane)) this.lanes.free(lane);
    }
  }

  /** Answers when all have been written that were begun. */
  async end(): Promise<void> {
    while (this.areUnderWay) {
      await new Promise<void>((resolve) => {
        this.#onEnd = resolve;
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
    this.#onEnd();
  }
}
