/** Moves the clock of a world and of its model, and holds what the advance answers against the model. */
import type { AdvanceInfo, AdvanceTarget } from "../../../src/index.ts";
import { agree } from "./agreement.ts";
import { advance, type Target } from "./clock.ts";
import type { Scene } from "./commands.ts";
import { instantText } from "./state.ts";

/** @returns whether it came to what it aims at. */
export async function move({ branch }: Scene, given: AdvanceTarget, target: Target): Promise<string> {
  const came = await branch.world.call<AdvanceInfo>("POST", "/clock/advance", given);
  const { to, ...counted } = advance(branch.state, target);
  agree(`the advance ${JSON.stringify(given)}`, { to: instantText(to), ...counted }, came);
  return counted.reached ? "reached" : "not reached";
}

/** To an instant, where that is not past. */
export async function moveTo(scene: Scene, at: number): Promise<void> {
  if (at > scene.branch.state.now) await move(scene, { to: instantText(at) }, { kind: "to", at });
}
