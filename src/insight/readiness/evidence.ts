/** What the readiness report is judged from: the merchant's calls and the deliveries to it, in their order. */
import type { Dispute } from "../../store/disputes.ts";
import { everyRow } from "../../store/pages.ts";
import type { World } from "../../world/world.ts";
import { type Call, callsIn } from "./calls.ts";
import { type Delivered, deliveriesIn, type Tried } from "./deliveries.ts";

/** What checks judge, each list oldest first. */
export interface Evidence {
  readonly world: World;
  readonly calls: readonly Call[];
  readonly webhooks: readonly Delivered[];
  readonly tried: readonly Tried[];
  readonly disputes: readonly Dispute[];
}

/** Reads everything that a report is judged from. */
export function evidenceOf(world: World): Evidence {
  return { world, calls: callsIn(world), ...deliveriesIn(world), disputes: disputesIn(world) };
}

/** Only the calls, at positions beyond `after`, to `until`. */
export function evidenceOfCalls(world: World, after: number, until: number): Evidence {
  return { world, calls: callsIn(world, after, until), webhooks: [], tried: [], disputes: [] };
}

function disputesIn(world: World): Dispute[] {
  return [...everyRow("position", (after, limit) => world.disputes.after(after, limit))];
}

/** Whether the receiver is declared a production one, which must refuse everything that a sandbox sends (WH-08). */
export function isOfProduction({ world }: Evidence): boolean {
  return world.settings.receiver_environment === "production";
}
