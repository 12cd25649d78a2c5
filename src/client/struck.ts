/** Explains a trigger's own call of the service that a fault rule of the world struck. */
import { STRUCK_HINT } from "../world/interception.ts";
import { UnreachableError } from "./control-client.ts";
import type { JournalEntryInfo } from "./control-types.ts";
import { ServiceCallError } from "./merchant-client.ts";
import { TriggerError } from "./trigger-error.ts";
import type { WorldClient } from "./world-client.ts";

/** TABLE: faults, as the journal has them, despite which the call may have been carried out. */
const CARRIED_OUT = ["disconnect: after", "malformed: true"];
/** Faults without an answer, and with a wrong one. A delay is neither: a delayed refusal has a reason of its own. */
const [SILENT, ANSWERED] = [/^disconnect: /, /^(error|status|malformed): /];

/**
 * Makes a trigger's call of the service.
 * @param call its method and path.
 * @throws {TriggerError} if a fault rule struck it; says whether it may have been carried out.
 * @throws {ServiceCallError} @throws {UnreachableError} if the call fails for any other reason.
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

/** The faults that may have caused an error: an answer says so in a header; without one, only the journal tells. */
function faultsBehind(error: unknown): RegExp | undefined {
  if (error instanceof UnreachableError) return SILENT;
  return error instanceof ServiceCallError && error.hint.includes(STRUCK_HINT) ? ANSWERED : undefined;
}

/** The fault last injected into a call, such as `status: 500`; undefined if none, or if the world does not answer. */
async function lastFaultOf(world: WorldClient, call: string): Promise<string | undefined> {
  const injections = world.all<JournalEntryInfo>("/journal?kind=fault.injected");
  const entry = (await injections.catch(() => [])).findLast(({ data }) => data.request === call);
  const [injected] = Object.entries((entry?.data.inject ?? {}) as Readonly<Record<string, unknown>>);
  return injected?.join(": ");
}
