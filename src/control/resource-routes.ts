import type { LifecycleName } from "../domain/lifecycles.ts";
import { InvalidTransition } from "../domain/machine.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { actionsAllowed, resourceActions } from "../service/actions.ts";
import { walletIdIn } from "../world/resources.ts";
import { type ControlCall, type ControlRoute, commandAndSettle, FileReply, inputOf, page, pageQuery } from "./call.ts";
import { ControlError, notFound } from "./errors.ts";
import { noResource } from "./missing-resource.ts";
import { type ResourceKind, resourceKinds } from "./resource-kinds.ts";
import { transactionDetail } from "./views.ts";

/**
 * TABLE: calls that list and show transactions, conversions, transfers, wallets and disputes, or act on them from
 * outside.
 */
export const resourceRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/disputes/:id/files/:number",
    operationId: "getDisputeFile",
    answer: "DisputeFile",
    handle: replyFile,
  },
  ...resourceKinds.flatMap(routesOf),
];

function routesOf(kind: ResourceKind): ControlRoute[] {
  return [
    {
      method: "GET",
      path: `/${kind.path}`,
      operationId: `list${kind.title}s`,
      query: kind.query ?? pageQuery,
      answer: `${kind.title}Page`,
      handle: (call: ControlCall) => list(call, kind),
    },
    {
      method: "GET",
      path: `/${kind.path}/:id`,
      operationId: `get${kind.title}`,
      answer: `${kind.title}Detail`,
      handle: (call: ControlCall) => kind.detail(call.live.world, found(call, kind).id),
    },
    {
      method: "POST",
      path: `/${kind.path}/:id/:action`,
      operationId: `${kind.name}Action`,
      actionsOf: kind.lifecycles,
      // A deposit answers with the transaction that it makes.
      answer: kind.title === "Wallet" ? "TransactionDetail" : `${kind.title}Detail`,
      handle: (call: ControlCall) => act(call, kind),
    },
  ];
}

/** A file of a merchant's reply, as it was sent (`D51`). */
function replyFile({ live: { world }, params }: ControlCall): FileReply {
  const dispute = world.disputes.get(params.id ?? "");
  if (!dispute) throw noResource(world, "dispute", params.id ?? "");
  const files = dispute.reply_id ? world.disputes.filesOf(dispute.reply_id) : [];
  const file = /^[1-9]\d?$/.test(params.number ?? "") ? files[Number(params.number) - 1] : undefined;
  if (!file) throw notFound("file", `${params.number} of the dispute ${params.id}`);
  return new FileReply(file.name, file.type, file.content);
}

function list(call: ControlCall, kind: ResourceKind) {
  const { world } = call.live;
  return page(call, {
    rowsAfter: (after, limit) => kind.after(world, after, limit, call.query),
    positionOf: ({ position }) => position,
    show: ({ view }) => view,
  });
}

async function act(call: ControlCall, kind: ResourceKind) {
  const { id, lifecycle } = found(call, kind);
  const actions = resourceActions[lifecycle];
  const name = call.params.action ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw refusedAction(call, kind, { id, lifecycle, name });
  const input = inputOf(call, action.input);
  const made = await commandAndSettle(call, id, (operation) => action.perform(operation, id, input));
  const { world } = call.live;
  const deposit = lifecycle === "wallet" && typeof made === "string" ? world.transactions.get(made) : undefined;
  return deposit ? transactionDetail(world, deposit) : kind.detail(world, id);
}

/** An action that only other transactions have is refused as not allowed in this state; any other name as unknown. */
function refusedAction(
  { live: { world } }: ControlCall,
  kind: ResourceKind,
  { id, lifecycle, name }: { id: string; lifecycle: LifecycleName; name: string },
): Error {
  const isOfOthers = kind.lifecycles.some((other) => Object.hasOwn(resourceActions[other], name));
  const transaction = isOfOthers ? world.transactions.get(id) : undefined;
  if (!transaction) return noSuchAction(lifecycle, name, Object.keys(resourceActions[lifecycle]));
  const { status } = transaction;
  const allowed = actionsAllowed(world, lifecycle, id, status);
  return new InvalidTransition(lifecycle, status, name, { allowed });
}

function noSuchAction(lifecycle: LifecycleName, name: string, known: readonly string[]): ControlError {
  const instead = known.length > 0 ? didYouMean(name, known) : ": nothing can be done to it";
  return new ControlError(404, "NOT_FOUND", sentence(`A ${lifecycle} has no action "${name}"${instead}`));
}

function found({ live, params }: ControlCall, kind: ResourceKind): { id: string; lifecycle: LifecycleName } {
  const { id: given = "" } = params;
  const lifecycle = kind.lifecycleOf(live.world, given);
  if (!lifecycle) throw noResource(live.world, kind.name, given);
  return { id: lifecycle === "wallet" ? walletIdIn(given) : given, lifecycle };
}
