/** Makes any kind of event happen, end to end: by the calls and actions that lead to it, never by itself. */
import { type EventKind, eventKinds, legacyEventNames } from "../domain/events.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { endpointOf } from "../http/endpoints.ts";
import { ownerOf } from "./external-ids.ts";
import { type Found, find, lastDispute, type Resource } from "./found-resources.ts";
import { type MerchantClient, ServiceCallError } from "./merchant-client.ts";
import {
  destinationFor,
  isAboutDispute,
  making,
  nouns,
  otherSideOf,
  paidAmountOf,
  type Recipe,
  type RecipeAction,
  recipes,
  subjectIn,
  subjectsOf,
} from "./recipes.ts";
import { type Purse, rehearse } from "./rehearsal.ts";
import { callThrough } from "./struck.ts";
import { isOfSide, partiesOf } from "./transfer-parties.ts";
import { type MerchantMaker, type Played, perform, type Stage } from "./trigger-actions.ts";
import { TriggerError } from "./trigger-error.ts";
import {
  asJsonNumber,
  asked,
  refuseUnsettable,
  refuseUntold,
  refuseWrongTrigger,
  type Told,
  undisputable,
  type Values,
  valuesOf,
} from "./trigger-values.ts";
import type { WebhookInfo } from "./webhook-types.ts";
import type { WorldClient } from "./world-client.ts";

/** Options of `world.trigger`. */
export interface TriggerOptions {
  /** The id of an existing resource, or its `external_id`, to trigger the event on, instead of a fresh one. */
  readonly on?: string | undefined;
  /** Values for the event, by their path within its data, such as `payer.name`. */
  readonly set?: Values | undefined;
}

/**
 * Triggers an event.
 * @returns its webhook. @throws {TriggerError} @throws {ServiceCallError} @throws {ControlCallError}
 * @throws {Error} for an unknown option, with the nearest known one, and for a value that is not a text.
 */
export async function trigger(
  world: WorldClient,
  merchant: MerchantMaker,
  event: string,
  options: TriggerOptions,
): Promise<WebhookInfo> {
  refuseWrongTrigger(options);
  const kind = kindNamed(String(event));
  const { on, set = {} } = options;
  refuseUnsettable(kind, set, on !== undefined);
  if (on === undefined && set.external_id !== undefined) await refuseTaken(world, set.external_id);
  const found = on === undefined ? undefined : await find(world, on);
  const toldOf = (id: string) => world.webhooks({ event: kind, transaction_id: id });
  const before = found ? (await toldOf(found.id)).map(({ webhook_id }) => webhook_id) : [];
  const stage = { world, merchant, set };
  const { subject, refusal } = found ? await playOn(stage, found, kind) : await playOnFresh(stage, kind);
  const isNew = (hook: WebhookInfo) => hook.subject === subject && !before.includes(hook.webhook_id);
  const came = (await toldOf(subject)).find((hook) => isNew(hook) && isOfSide(hook, set));
  if (came) return came;
  throw (
    refusal ?? new TriggerError(`All was done, and no ${kind} came: the world's settings or scenarios keep it back.`)
  );
}

function kindNamed(event: string): EventKind {
  const kind = eventKinds.find((candidate) => candidate === event);
  if (kind) return kind;
  const beside = eventKinds.find((candidate) => legacyEventNames[candidate] === event);
  if (beside) {
    const told = `${event} is sent beside ${beside} where legacy_refund_events is set; make ${beside} happen.`;
    throw new TriggerError(told, { isWrongInput: true });
  }
  const near = didYouMean(event, eventKinds);
  throw new TriggerError(sentence(`There is no event "${event}"${near}`), { isWrongInput: true });
}

/** Refuses an `external_id` in use: the service would answer with the existing resource and make nothing new. */
async function refuseTaken(world: WorldClient, externalId: string): Promise<void> {
  const owner = await ownerOf(world, externalId);
  if (owner === undefined) return;
  const instead = `set another one, or make it happen on ${owner}`;
  throw new TriggerError(`The external_id ${JSON.stringify(externalId)} is taken by ${owner}: ${instead}.`);
}

async function playOnFresh(stage: Stage, kind: EventKind): Promise<Played> {
  const mayFail = Object.keys(stage.set).length > 0 || recipes[kind].setting;
  const told = mayFail ? await rehearseOnFresh(stage, kind, "own").catch(rethrow) : undefined;
  if (told) refuseUntold(kind, stage.set, told);
  return make(stage, recipes[kind]);

  function rethrow(error: unknown): never {
    // The service asks for a chain, which would not help.
    const lacksChain = error instanceof ServiceCallError && error.code === "UNSUPPORTED_CHAIN";
    throw lacksChain && isAboutDispute(recipes[kind]) ? undisputable(`in ${stage.set.currency}`) : error;
  }
}

/**
 * @returns the data that the event would have, and the chain of its transaction, which not every event tells; undefined
 * if none comes. @throws {TriggerError} if a setting is why.
 */
async function rehearseOnFresh({ world, set }: Stage, kind: EventKind, purse: Purse): Promise<Told | undefined> {
  const { setting } = recipes[kind];
  const told = await rehearse(world, purse, async (unseen) => {
    const merchant = async (username?: string) => unseen.merchant(username);
    const made = await make({ world: unseen, merchant, set }, recipes[kind]);
    const hooks = await unseen.webhooks({ event: kind });
    const body = hooks.find((hook) => hook.subject === made.subject && isOfSide(hook, set))?.body;
    const transaction = await unseen.find<{ chain: string | null }>(`/transactions/${made.subject}`);
    return body && { chain: transaction?.chain, ...("data" in body ? body.data : body) };
  });
  if (!told && setting) {
    const { settings } = await world.info();
    throw new TriggerError(`Under ${setting}: ${settings[setting]} no ${kind} comes of this, so nothing was done.`);
  }
  return told;
}

async function make(stage: Stage, { makes, actions }: Recipe): Promise<Played> {
  const { world, merchant, set } = stage;
  const { path, collection, id, input, fields } = making[makes];
  const parties = makes === "transfer" ? await partiesOf(world, set) : undefined;
  const destination = makes === "cashout" ? { key: destinationFor(set.currency, set.network) } : {};
  const pair = makes === "conversion" ? otherSideOf(set) : {};
  const body = asked({ ...input, ...paidAmountOf(makes, set), ...destination, ...pair }, fields, set);
  // A conversion takes a JSON number (D09).
  if (makes === "conversion") body.amount = asJsonNumber(String(body.amount));
  if (parties) body.username = parties.paid;
  const caller = await merchant(parties?.payer);
  const call = `POST ${path}`;
  const post = () => caller.post<Record<string, unknown>>(path, body, { signed: endpointOf(call)?.signed ?? false });
  const made = await callThrough(world, call, post).catch(async (error: unknown) => {
    if (!(error instanceof ServiceCallError) || error.code !== "RATE_EXPIRED") throw error;
    await quoteAnew(world, caller, body);
    return callThrough(world, call, post);
  });
  return perform(stage, { collection, id: String(made[id]) }, actions);
}

/** The program's own quote of a pair and amount may have ended: the service then asks for another one (D40). */
async function quoteAnew(world: WorldClient, caller: MerchantClient, conversion: Record<string, unknown>) {
  const { base_currency, destination_currency, amount } = conversion;
  const path = "/v2/conversions/simulate";
  await callThrough(world, `POST ${path}`, () => caller.post(path, { base_currency, destination_currency, amount }));
}

/** Continues from the state of the resource, or of its dispute: actions that it no longer allows have been done. */
async function playOn(stage: Stage, found: Found, kind: EventKind): Promise<Played> {
  const { world } = stage;
  const { actions, setting } = recipes[kind];
  const { collection, id, resource } = found;
  refuseOther(kind, id, collection, resource);
  const next = actionsFrom(collection, resource, actions);
  const mayEndHalfWay = next.length > 1 && next.length === actions.length;
  if (mayEndHalfWay || (setting && next.length > 0)) await rehearseOnOneLike(resource, stage, kind);
  if (next.length > 0)
    return perform(stage, { collection, id: collection === "wallets" ? String(resource.wallet_id) : id }, next);
  const dispute = collection === "transactions" ? await lastDispute(world, id) : undefined;
  const isOfDispute = actions.some(({ onDispute }) => onDispute);
  if (dispute && isOfDispute) return playOn(stage, await find(world, dispute), kind);
  const { status, actions: allowed } = resource;
  const isOpen = dispute && allowed.length === 0 && (await find(world, dispute)).resource.actions.length > 0;
  const state = isOpen ? `${status} and disputed (${dispute})` : status;
  const instead = isOpen ? "decide the dispute first" : `it allows ${allowed.join(", ") || "no action"}`;
  throw new TriggerError(`${id} is ${state}, which does not lead there; ${instead}.`);
}

/** Refuses a resource of another kind: kinds share names of actions, so the other kind's action would be done. */
function refuseOther(kind: EventKind, id: string, collection: string, { type }: Resource): void {
  const subject = subjectIn(collection, type);
  const known = subjectsOf(recipes[kind]);
  if (known.includes(subject)) return;
  const right = known.map((each) => nouns[each]).join(" or ");
  throw new TriggerError(`${kind} happens to ${right}, and ${id} is ${nouns[subject]}.`);
}

/** Rehearses on a new resource like this one. That the service refuses to make one, as for limits, is no objection. */
async function rehearseOnOneLike(resource: Resource, stage: Stage, kind: EventKind): Promise<void> {
  const set = { ...valuesOf(resource, recipes[kind].makes), ...stage.set };
  try {
    // The balance that it took may have been spent since.
    await rehearseOnFresh({ ...stage, set }, kind, "plenty");
  } catch (error) {
    if (!(error instanceof ServiceCallError)) throw error;
  }
}

/** The actions from the first that the resource's state allows; none if it allows none of them. */
function actionsFrom(
  collection: string,
  resource: Resource,
  actions: readonly RecipeAction[],
): readonly RecipeAction[] {
  const offered = collection === "disputes" ? actions.filter(({ onDispute }) => onDispute) : actions;
  const first = offered.findIndex(({ name }) => allows(resource, name));
  return first < 0 ? [] : offered.slice(first);
}

function allows({ status, actions }: Resource, name: string): boolean {
  return name === "reply" ? status === "open" : actions.includes(name);
}
