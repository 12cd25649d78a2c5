/** What a world tells of itself: causes of what happened, coverage, and the readiness of the merchant. */
import { z } from "zod";
import { INBOX } from "../domain/destinations.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { coverageOf } from "../insight/coverage.ts";
import { explain } from "../insight/explain/explain.ts";
import { type ReadinessReport, readinessOf } from "../insight/readiness/report.ts";
import { defaultDestination } from "../service/destinations.ts";
import { addressField } from "../service/input.ts";
import { openProbes, type ProbeTarget } from "../webhooks/probes.ts";
import type { World } from "../world/world.ts";
import { type ControlCall, type ControlRoute, command, taking } from "./call.ts";
import { ControlError } from "./errors.ts";
import { flyInTurn } from "./flights-by-hand.ts";
import { noAccount } from "./missing-name.ts";

/** Another loopback address: the wrong source for receivers on this machine (interface, section 6). */
const WRONG_SOURCE = "127.0.0.66";

/** The body of `POST /report/probe`; `source` is the wrong address that one of the probes is sent from. */
export const probeInput = onFirstUse(() =>
  z.strictObject({
    /** The account whose receiver is probed; the first one unless given. */
    username: z.string().optional(),
    source: addressField.default(WRONG_SOURCE),
  }),
);

/** TABLE: calls of causes, readiness and coverage (interface, sections 4 and 6). */
export const insightRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "/explain/:id", operationId: "explain", answer: "Explanation", handle: explainId },
  {
    method: "GET",
    path: "/report",
    operationId: "getReport",
    answer: "Report",
    handle: ({ live }) => readinessOf(live.world),
  },
  { method: "POST", path: "/report/probe", operationId: "probe", answer: "Report", ...taking(probeInput, probe) },
  {
    method: "GET",
    path: "/coverage",
    operationId: "getCoverage",
    answer: "Coverage",
    handle: ({ live }) => coverageOf(live.world),
  },
];

function explainId({ live, params }: ControlCall) {
  const id = params.id ?? "";
  const explanation = explain(live.world, id);
  if (explanation) return explanation;
  const message = `Nothing in the world ${live.id} has the id ${JSON.stringify(id)}.`;
  throw new ControlError(404, "NOT_FOUND", message);
}

/** Sends the probes, and answers with the report that they result in. */
async function probe(
  call: ControlCall,
  { username, source }: z.infer<ReturnType<typeof probeInput>>,
): Promise<ReadinessReport> {
  const { live } = call;
  const target = probedReceiver(live.world, username);
  const attempts = command(call, null, (operation) => openProbes(operation, target, source));
  await flyInTurn(call, attempts);
  return readinessOf(live.world);
}

/**
 * The default destination of an account or, if it has none or the inbox, the receiver that took its last webhook.
 * @throws {ControlError} 404, 409 `UNDELIVERABLE`.
 */
function probedReceiver(world: World, given: string | undefined): ProbeTarget {
  const username = given ?? world.accounts.all()[0]?.username ?? "";
  const [credential] = world.accounts.credentialsOf(username);
  if (!credential) throw noAccount(world, username);
  const { client_id } = credential;
  const usual = defaultDestination(world, client_id);
  const destination = usual === null || usual === INBOX ? world.webhooks.lastTaken(username)?.destination : usual;
  if (destination) return { username, client_id, destination };
  const message = `There is no receiver to probe: give the account ${username} a postback_url${usual ? " of its own; the inbox is none" : ""}.`;
  throw new ControlError(409, "UNDELIVERABLE", message);
}
