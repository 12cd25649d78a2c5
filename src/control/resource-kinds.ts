/** TABLE: the kinds of resources that the control interface lists, and how each is found and shown. */
import { z } from "zod";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { statesOf } from "../domain/machine.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { required } from "../domain/required.ts";
import { actionsAllowed } from "../service/actions.ts";
import { conversionAnswer } from "../service/conversions.ts";
import { disputeFields } from "../service/disputes.ts";
import { transferAnswer } from "../service/transfers.ts";
import { walletAnswer } from "../service/wallets.ts";
import type { Conversion } from "../store/conversions.ts";
import type { Dispute } from "../store/disputes.ts";
import { type TransactionColumns, transactionColumns } from "../store/transactions.ts";
import type { Transfer } from "../store/transfers.ts";
import type { Wallet } from "../store/wallets.ts";
import { formatInstantOrNull } from "../world/instants.ts";
import { type Resources, resourceBy } from "../world/resources.ts";
import type { World } from "../world/world.ts";
import { pageQuery } from "./call.ts";
import { noAccount } from "./missing-name.ts";
import { readInput } from "./validation.ts";
import { known, transactionDetail, transactionView } from "./views.ts";

/** A kind of resource; ids are strings. */
export interface ResourceKind {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  /** The lifecycles that its resources may have. */
  readonly lifecycles: readonly LifecycleName[];
  /** Its name in the OpenAPI document: in the names of its calls, and of their answers. */
  readonly title: "Transaction" | "Conversion" | "Transfer" | "Wallet" | "Dispute";
  /** The lifecycle of the resource with this id; undefined if there is none. */
  readonly lifecycleOf: (world: World, id: string) => LifecycleName | undefined;
  /** The schema of the list's query; {@link pageQuery} unless it can be narrowed. */
  readonly query?: () => z.ZodType;
  /** @param query what the list is narrowed by, as the schema has let it through. */
  readonly after: (
    world: World,
    position: number,
    limit: number,
    query: URLSearchParams,
  ) => { position: number; view: object }[];
  /** All that is known of it. */
  readonly detail: (world: World, id: string) => object;
}

/** The query of `GET /transactions`. */
export const transactionQuery = onFirstUse(() =>
  z.strictObject({
    external_id: z.string().optional(),
    type: z.enum(["cashin", "cashout"]).optional(),
    status: z.enum([...new Set([...statesOf("cashin"), ...statesOf("cashout")])]).optional(),
    currency: z.string().optional(),
    username: z.string().min(1, "must not be empty").optional(),
    ...pageQuery().shape,
  }),
);

/** @throws {ControlError} 400 for a currency that the world does not have, 404 for such a username. */
function columnsIn(query: URLSearchParams, world: World): TransactionColumns {
  const columns = Object.fromEntries(transactionColumns.map((name) => [name, query.get(name) ?? undefined]));
  const { currency, username } = columns;
  if (currency !== undefined)
    readInput(z.object({ currency: z.enum([...world.currencies.currencies.keys()]) }), { currency });
  if (username !== undefined && !world.accounts.get(username)) throw noAccount(world, username);
  return columns;
}

/** TABLE: a row for each path; cash-ins and cash-outs share one. */
export const resourceKinds: readonly ResourceKind[] = [
  {
    path: "transactions",
    name: "transaction",
    lifecycles: ["cashin", "cashout"],
    title: "Transaction",
    lifecycleOf: (world, id) => resourceBy.cashin(world, id)?.type,
    query: transactionQuery,
    after: (world, position, limit, query) =>
      world.transactions
        .after(position, limit, columnsIn(query, world))
        .map((row) => ({ position: row.position, view: transactionView(world, row.transaction) })),
    detail: (world, id) => transactionDetail(world, required(resourceBy.cashin(world, id), `The transaction ${id}`)),
  },
  kindOf("conversions", "conversion", "Conversion", {
    after: (world, position, limit) => world.conversions.after(position, limit),
    position: (row) => row.position,
    id: (row) => row.conversion_id,
    view: conversionView,
  }),
  kindOf("transfers", "transfer", "Transfer", {
    after: (world, position, limit) => world.transfers.after(position, limit),
    position: (row) => row.position,
    id: (row) => row.transaction_id,
    view: transferView,
  }),
  kindOf("wallets", "wallet", "Wallet", {
    after: (world, position, limit) => world.wallets.after(position, limit),
    position: (row) => row.wallet_id,
    id: (row) => String(row.wallet_id),
    view: walletView,
  }),
  kindOf("disputes", "dispute", "Dispute", {
    after: (world, position, limit) => world.disputes.after(position, limit),
    position: (row) => row.position,
    id: (row) => row.infraction_id,
    view: disputeView,
  }),
];

function kindOf<Name extends LifecycleName>(
  path: string,
  lifecycle: Name,
  title: ResourceKind["title"],
  of: {
    after: (world: World, position: number, limit: number) => Resources[Name][];
    position: (row: Resources[Name]) => number;
    id: (row: Resources[Name]) => string;
    view: (world: World, row: Resources[Name]) => object;
  },
): ResourceKind {
  const find = resourceBy[lifecycle];
  const view = (world: World, row: Resources[Name]) => ({
    ...of.view(world, row),
    actions: actionsAllowed(world, lifecycle, of.id(row), row.status),
  });
  return {
    path,
    name: lifecycle,
    lifecycles: [lifecycle],
    title,
    lifecycleOf: (world, id) => find(world, id) && lifecycle,
    after: (world, position, limit) =>
      of.after(world, position, limit).map((row) => ({ position: of.position(row), view: view(world, row) })),
    detail: (world, id) => ({
      ...view(world, required(find(world, id), `The ${lifecycle} ${id}`)),
      ...known(world, id),
    }),
  };
}

/** A conversion as it is listed, without its actions; `spread` is in the destination currency, like `fee` (`D40a`). */
export function conversionView(world: World, row: Conversion) {
  const { username, client_id, external_id, status } = row;
  const spread = world.currencies.format(row.spread, row.currency_to);
  return { ...conversionAnswer(world, row), spread, status, external_id, username, client_id };
}

/**
 * A transfer as it is listed, without its actions; `split_of` is the cash-in that it is a share of, null if a call
 * asked for the transfer (`D35`).
 */
export function transferView(world: World, row: Transfer) {
  const { client_id, split_of } = row;
  return { ...transferAnswer(world, row), recipient: row.recipient, sender: row.username, client_id, split_of };
}

/** A fixed wallet as it is listed, without its actions. */
export function walletView(world: World, row: Wallet) {
  const { username, client_id, network, status } = row;
  return { ...walletAnswer(world, row), network, status, username, client_id };
}

/**
 * A dispute as it is listed, without its actions; `reply` is null until the merchant has replied, and numbers its files
 * from 1.
 */
export function disputeView(world: World, row: Dispute) {
  const { username, client_id, reply_id, reply_text, responded_at, resolved_at } = row;
  const files = reply_id === null ? [] : world.disputes.filesOf(reply_id);
  return {
    ...disputeFields(world, row),
    username,
    client_id,
    reply: reply_id === null ? null : { reply_id, text: reply_text, files: files.map(fileView) },
    responded_at: formatInstantOrNull(responded_at),
    resolved_at: formatInstantOrNull(resolved_at),
  };
}

function fileView(file: { name: string; type: string; content: Buffer }, index: number) {
  return { number: index + 1, name: file.name, type: file.type, size: file.content.length };
}
