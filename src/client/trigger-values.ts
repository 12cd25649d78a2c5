/** What can be set on a triggered event; everything else is refused before anything is done. */
import { methods } from "../domain/currencies.ts";
import { type EventKind, eventDefinitions } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { jsonIn } from "../domain/written-json.ts";
import { isAboutDispute, type Making, making, nouns, type Recipe, type RecipeAction, recipes } from "./recipes.ts";
import { refuseNoObject, refuseNoText, refuseWrongOptions } from "./refusals.ts";
import { TriggerError } from "./trigger-error.ts";

/** Texts by their path within an event's data. */
export type Values = Readonly<Record<string, string>>;

/** An event's data. */
export type Told = Readonly<Record<string, unknown>>;

/** @throws {Error} for an unknown option, with the nearest known one, and for an id or a value that is not a text. */
export function refuseWrongTrigger(options: { readonly on?: unknown; readonly set?: Values | undefined }): void {
  refuseWrongOptions("trigger", options, ["on", "set"]);
  const { on, set = {} } = options;
  if (on !== undefined) refuseNoText("on", on);
  refuseNoObject("set", set, '{ amount: "12.50" }');
  for (const [path, value] of Object.entries(set)) refuseNoText(`set.${path}`, value);
}

/**
 * Refuses paths that cannot be set on an event.
 * @param isThere whether it happens to an existing resource, whose own values can no longer be set.
 * @throws {TriggerError} names what can be set.
 */
export function refuseUnsettable(kind: EventKind, set: Values, isThere: boolean): void {
  const known = settable(kind, isThere);
  const path = Object.keys(set).find((each) => !known.includes(each));
  if (path === undefined) return;
  if (path === "chain" && isAboutDispute(recipes[kind])) throw undisputable("on a chain");
  if (actionWith(recipes[kind], path) || (!isThere && isOfMade(recipes[kind], path))) {
    throw new TriggerError(elsewhere(kind, path, known, isThere), { isWrongInput: true });
  }
  const [first = ""] = path.split(".");
  // Of an object such as `payer`, name only the members that can be set.
  const follows = isTold(kind, path) && !known.some((each) => each.startsWith(`${first}.`));
  const what = follows ? `"${path}" of ${kind} follows from the rest` : `${kind} has no "${path}" that can be set`;
  const instead = known.length > 0 ? didYouMean(path, known) : "; there is nothing to set";
  throw new TriggerError(sentence(what + instead), { isWrongInput: true });
}

/** The paths of its data that can be set, and those that it takes besides to make the event in every currency. */
function settable(kind: EventKind, isThere: boolean): string[] {
  const { makes, actions, beside = [], side } = recipes[kind];
  const made = isThere ? [] : [...Object.keys(making[makes].fields), ...(side ? [side] : [])];
  const all = [...new Set([...made, ...actions.flatMap(({ fields }) => Object.keys(fields ?? {}))])];
  return all.filter((path) => isTold(kind, path) || beside.includes(path));
}

function isTold(kind: EventKind, path: string): boolean {
  const [outer = ""] = path.split(".");
  return Object.hasOwn(eventDefinitions[kind].data.shape, outer);
}

function isOfMade({ makes }: Recipe, path: string): boolean {
  return Object.hasOwn(making[makes].fields, path);
}

function actionWith({ actions }: Recipe, path: string): RecipeAction | undefined {
  return actions.find(({ fields = {} }) => Object.hasOwn(fields, path));
}

/** The refusal of an event about a dispute of another charge than a PIX. @param what tells it from a PIX. */
export function undisputable(what: string): TriggerError {
  return new TriggerError(`Only a PIX can be disputed, not a charge ${what}.`, { isWrongInput: true });
}

/** Says where to set a value that the resource or an action takes, but the event does not carry. */
function elsewhere(kind: EventKind, path: string, known: readonly string[], isThere: boolean): string {
  const what = `${kind} tells no "${path}"`;
  const noun = nouns[recipes[kind].makes];
  const action = actionWith(recipes[kind], path);
  const first = action ? `give it to the action ${action.name} of ${noun}` : `make ${noun} that has it`;
  const remedy = isThere ? "" : `: ${first}, and trigger the event on that`;
  const rest = known.length > 0 ? `what can be set is ${known.join(", ")}` : "there is nothing to set";
  return `${what}${remedy}; ${rest}.`;
}

/**
 * Refuses a value that only an event of another currency has, as it would be lost.
 * @param told the event's data, and the chain that its transaction is on. @throws {TriggerError}
 */
export function refuseUntold(kind: EventKind, set: Values, told: Told): void {
  refuseOtherMethod(kind, set, told);
  const lost = Object.keys(set).find((path) => {
    if (set[path] === "") return false;
    const [outer = "", inner] = path.split(".");
    const value = told[outer];
    const isKnown = isTold(kind, path) || path === "chain";
    return isKnown && (inner === undefined ? value : (value as Told | null | undefined)?.[inner]) == null;
  });
  if (lost === undefined) return;
  const instead = "set a currency that has one, or leave it out";
  throw new TriggerError(`${kind} in ${told.currency} has no "${lost}"; ${instead}.`, { isWrongInput: true });
}

/** Refuses a network where the currency has a method of its own, which needs none and goes by no other. */
function refuseOtherMethod(kind: EventKind, { network = "" }: Values, told: Told): void {
  const method = methods.find((each) => each === told.network);
  if (network === "" || method === undefined || network.toUpperCase() === method) return;
  const instead = "set a currency that goes by another one, or leave it out";
  throw new TriggerError(`${kind} in ${told.currency} has the network ${method}; ${instead}.`, { isWrongInput: true });
}

/** The values with which to make another resource like this one; not its `external_id`, which is unique. */
export function valuesOf(resource: object, makes: Making): Values {
  const paths = Object.keys(making[makes].fields).filter((path) => path !== "external_id");
  const values = Object.entries(resource).filter(
    (entry): entry is [string, string] => paths.includes(entry[0]) && typeof entry[1] === "string",
  );
  return Object.fromEntries(values);
}

/** The input with the values that were set, nested where their field's path is. */
export function asked(
  input: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, string>>,
  set: Values,
): Record<string, unknown> {
  const body: Record<string, unknown> = { ...input };
  for (const [path, value] of Object.entries(set)) {
    const [outer, inner] = (fields[path] ?? "").split(".");
    if (!outer) continue;
    body[outer] = inner === undefined ? value : { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

/** The exact amount as a JSON number; a text that is no number stays a text, so that the service refuses it (D09). */
export function asJsonNumber(text: string): ExactNumber | string {
  return isJsonNumber(text) ? new ExactNumber(text) : text;
}

function isJsonNumber(text: string): boolean {
  return typeof jsonIn(text) === "number" && text.trim() === text;
}
