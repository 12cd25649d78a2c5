/** What becomes of a trigger whose own call of the service a fault rule of its world strikes. */
import { STRUCK_HINT } from "../world/interception.ts";
import { UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import { ServiceCallError } from "./merchant-client.ts";
import { TriggerError } from "./trigger-error.ts";
import type { WorldClient } from "./world-client.ts";

/** TABLE: faults after which a call has been carried out all the same, as they stand in the journal. */
const CARRIED_OUT = ["disconnect: after", "malformed: true"];
/** What leaves no answer; a call that is only answered later is refused for a reason of its own. */
const [SILENT, ANSWERED] = [/^disconnect: /, /^(error|status|malformed): /];

/**
 * A call that a trigger makes of the service, by its method and path.
 * @throws {TriggerError} where a fault rule struck it, saying whether something may have come of it.
 * @throws {ServiceCallError} @throws {UnreachableError} as the call does, for any other reason.
 */
export async function callThrough<Answer>(
  world: WorldClient,
  call: string,
  make: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await make();
  } catch (error) {
    const kind = faultsBehind(error);
    const fault = kind && (await lastFaultOf(world, call));
    if (!fault || !kind.test(fault)) throw error;
    const outcome = CARRIED_OUT.includes(fault) ? "though it may have been carried out" : "and nothing came of it";
    const instead = "take the rule out, or trigger again";
    throw new TriggerError(`A fault rule of this world struck ${call} (${fault}), ${outcome}; ${instead}.`);
  }
}

/** The faults that an error may come of: an answer says so in a header; where there is none, only the journal does. */
function faultsBehind(error: unknown): RegExp | undefined {
  if (error instanceof UnreachableError) return SILENT;
  return error instanceof ServiceCallError && error.hint.includes(STRUCK_HINT) ? ANSWERED : undefined;
}

/** What was last injected into a call, as `status: 500`; undefined where that is nothing, or the world does not answer. */
async function lastFaultOf(world: WorldClient, call: string): Promise<string | undefined> {
  const injections = world.all<JournalEntryInfo>("/journal?kind=fault.injected");
  const entry = (await injections.catch(() => [])).findLast(({ data }) => data.request === call);
  const [injected] = Object.entries((entry?.data.inject ?? {}) as Readonly<Record<string, unknown>>);
  return injected?.join(": ");
}
