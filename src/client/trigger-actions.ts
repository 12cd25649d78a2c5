/** Carries out the actions that lead to an event, one after another, on a resource or on its dispute. */
import { REPLY_PATH } from "../domain/service-calls.ts";
import { ControlCallError, reworded, withoutCall } from "./control-client.ts";
import { disputeOf, lastDispute, type Target } from "./found-resources.ts";
import type { MerchantClient } from "./merchant-client.ts";
import type { RecipeAction } from "./recipes.ts";
import { callThrough } from "./struck.ts";
import { asked, type Values } from "./trigger-values.ts";
import type { WorldClient } from "./world-client.ts";

/** Makes the merchant, called only if one is needed. */
export type MerchantMaker = (username?: string) => Promise<MerchantClient>;

/** The resource that the event is about, once all actions are done. */
export interface Played {
  readonly subject: string;
  /** The first refusal of an action that a scenario had probably done before; thrown if no event comes of it all. */
  readonly refusal?: ControlCallError | undefined;
}

/** In which world an event is triggered, by which merchant, and with which values. */
export interface Stage {
  readonly world: WorldClient;
  readonly merchant: MerchantMaker;
  readonly set: Values;
}

const REPLY_TEXT = "The goods were delivered; the receipt is attached.";

/** Carries out actions; those that a scenario has done already are left out. */
export async function perform(stage: Stage, on: Target, actions: readonly RecipeAction[]): Promise<Played> {
  let subject = on.id;
  let refusal: ControlCallError | undefined;
  for (const action of actions) {
    try {
      subject = await act(stage, on, action);
    } catch (caught) {
      const error = await withSpeed(caught, stage.world, on);
      if (!isOvertaken(error, action, stage.set)) throw refusal ?? error;
      refusal ??= error;
      subject = await subjectOf(stage.world, on, action);
    }
  }
  await stage.world.settle();
  return { subject, refusal };
}

/** Whether a scenario may have done the action already, as when the clock runs fast: then the event may have come. */
function isOvertaken(error: unknown, { name, fields = {} }: RecipeAction, set: Values): error is ControlCallError {
  const isSaid = Object.keys(set).some((path) => path in fields && path !== "amount");
  if (isSaid || !(error instanceof ControlCallError)) return false;
  // After a full refund the state still allows another one, but no amount is left (D54a).
  return error.code === "INVALID_TRANSITION" || (name === "refund" && error.code === "INVALID_REQUEST");
}

/** A refusal for the state that a scenario led to before, while the clock ran fast, with what helps against that. */
async function withSpeed(error: unknown, world: WorldClient, { id }: Target): Promise<unknown> {
  if (!(error instanceof ControlCallError) || error.code !== "INVALID_TRANSITION") return error;
  const { mode, speed } = await world.clock();
  if (mode === "frozen" || speed <= 1) return error;
  const help = `freeze it, or let it run slower, if a scenario was faster with ${id}`;
  return reworded(error, `${error.message} The clock runs ${speed} times as fast as real time: ${help}.`);
}

/** The subject of an action that a scenario has done already. */
async function subjectOf(world: WorldClient, { id }: Target, { makes, onDispute }: RecipeAction): Promise<string> {
  return makes === "dispute" || onDispute ? ((await lastDispute(world, id)) ?? id) : id;
}

/** @returns the id of the resource acted on, or of the one that the action created. */
async function act({ world, merchant, set }: Stage, on: Target, action: RecipeAction): Promise<string> {
  const { name, input = {}, fields = {}, onDispute, makes } = action;
  const ofCharge = onDispute && on.collection === "transactions";
  const { collection, id } = ofCharge ? { collection: "disputes", id: await disputeOf(world, on.id) } : on;
  if (name === "reply") {
    // Only the account of a dispute may reply to it.
    const { username } = await world.call<{ username: string }>("GET", `/disputes/${id}`);
    const caller = await merchant(username);
    const post = () => caller.postForm(REPLY_PATH, { infraction_id: id, text: REPLY_TEXT });
    await callThrough(world, `POST ${REPLY_PATH}`, post);
    return id;
  }
  const path = `/${collection}/${id}/${name}`;
  const done = world.call<{ transaction_id: string }>("POST", path, asked(input, fields, set));
  const { transaction_id } = await done.catch((error: unknown) => {
    throw asSet(error, fields, set);
  });
  if (makes === "dispute") return disputeOf(world, transaction_id);
  return makes === "deposit" ? transaction_id : id;
}

/** Rewords a refusal with the name that the value was set by: `amount_refunded` is the action's `amount`. */
function asSet(error: unknown, fields: Readonly<Record<string, string>>, set: Values): unknown {
  if (!(error instanceof ControlCallError)) return error;
  const { message } = error;
  const said = withoutCall(message);
  const path = Object.keys(set).find((each) => fields[each] !== undefined && said.startsWith(`${fields[each]} `));
  if (path === undefined) return error;
  const call = message.slice(0, message.length - said.length);
  return reworded(error, call + path + said.slice(String(fields[path]).length));
}
