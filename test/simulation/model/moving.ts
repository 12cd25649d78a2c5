/** Moves the clock of a world and of its model, and holds what the advance answers against the model. */
import type { AdvanceInfo, AdvanceTarget } from "../../../src/index.ts";
import { agree } from "./agreement.ts";
import { advance, type Target } from "./clock.ts";
import type { Place } from "./commands.ts";
import { instantText } from "./state.ts";

/** @returns whether it came to what it aims at. */
export async function move({ branch }: Place, given: AdvanceTarget, target: Target): Promise<string> {
  const came = await branch.world.call<AdvanceInfo>("POST", "/clock/advance", given);
  const { to, ...counted } = advance(branch.state, target);
  agree(`the advance ${JSON.stringify(given)}`, { to: instantText(to), ...counted }, came);
  return counted.reached ? "reached" : "not reached";
}

/** To an instant, where that is not past. */
export async function moveTo(place: Place, at: number): Promise<void> {
  if (at > place.branch.state.now) await move(place, { to: instantText(at) }, { kind: "to", at });
}
