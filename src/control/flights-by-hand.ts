import type { PreparedAttempt } from "../webhooks/attempts.ts";
import { type ControlCall, worldGone } from "./call.ts";

/**
 * Sends attempts by hand one after another, until all have ended. All count as in flight from the start: otherwise a
 * pause between two could be taken for the end.
 * @throws {ControlError} 409 `WORLD_GONE` if the world is closed before.
 */
export async function flyInTurn(call: ControlCall, attempts: readonly PreparedAttempt[]): Promise<void> {
  const { delivery, runner, world } = call.live;
  let before: Promise<unknown> = Promise.resolve();
  const flights = attempts.map((attempt) => {
    const flight = before.then(() => delivery.flyByHand(attempt));
    before = flight;
    return flight;
  });
  await Promise.all(flights.map((flight) => runner.accompany(flight)));
  const hasEnded = ({ position }: PreparedAttempt) => world.attempts.get(position)?.outcome != null;
  if (!attempts.every(hasEnded)) throw worldGone(call);
}
