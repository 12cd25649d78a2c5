/** Fault rules that are set by call. */
import { sentence } from "../domain/words/near-name.ts";
import { type FaultRule, faultRule, faultsInput, faultsInVain, MAX_RULES } from "../scenarios/fault-rule-schema.ts";
import {
  appendFault,
  describeFaults,
  hasFault,
  hasMostFaults,
  removeFault,
  setFaults,
} from "../scenarios/faults-by-hand.ts";
import { type ControlCall, type ControlRoute, command, inputOf, nothing, Reply, taking } from "./call.ts";
import { ControlError, notFound } from "./errors.ts";

/** TABLE: calls of fault rules (interface, section 4). */
export const faultRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    operationId: "getFaults",
    answer: "Faults",
    handle: ({ live }) => describeFaults(live.world),
  },
  {
    method: "PUT",
    path: "/faults",
    operationId: "replaceFaults",
    answer: "Faults",
    ...taking(faultsInput, (call, { rules }) => replace(call, rules)),
  },
  {
    method: "POST",
    path: "/faults",
    operationId: "addFault",
    answer: "Fault",
    statuses: [201],
    ...taking(() => faultRule, add),
  },
  { method: "DELETE", path: "/faults", operationId: "removeFaults", answer: "Faults", handle: removeAll },
  { method: "DELETE", path: "/faults/:id", operationId: "removeFault", answer: "Faults", handle: removeOne },
];

function replace(call: ControlCall, rules: readonly FaultRule[]) {
  const { world } = call.live;
  command(call, null, (operation) => {
    refuseVain(rules.flatMap((rule, index) => faultsInVain(operation, rule, ["rules", index])));
    setFaults(operation, rules);
  });
  return describeFaults(world);
}

function add(call: ControlCall, rule: FaultRule): Reply {
  const { world } = call.live;
  if (hasMostFaults(world)) {
    throw new ControlError(422, "INVALID_REQUEST", `There are ${MAX_RULES} fault rules already; take some out.`);
  }
  command(call, null, (operation) => {
    refuseVain(faultsInVain(operation, rule, []));
    appendFault(operation, rule);
  });
  return new Reply(201, describeFaults(world).rules.at(-1));
}

function removeAll(call: ControlCall) {
  inputOf(call, nothing);
  return replace(call, []);
}

function removeOne(call: ControlCall) {
  const { live, params } = call;
  const { id = "" } = params;
  inputOf(call, nothing);
  if (!hasFault(live.world, id)) throw notFound("fault rule", id);
  command(call, null, (operation) => removeFault(operation, id));
  return describeFaults(live.world);
}

/** @throws {ControlError} 400 for rules that can never act. */
function refuseVain(problems: readonly string[]): void {
  if (problems.length > 0) throw new ControlError(400, "INVALID_REQUEST", sentence(problems.join("; ")), { problems });
}
