import { isTooDeep } from "../domain/nesting.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { jsonIn } from "../domain/written-json.ts";

/** A text as a JSON object; null if it is not one, or too deep to be read: faults answer calls before they are read. */
export function objectIn(text: string): Plain | null {
  const value = jsonIn(text);
  return isObject(value) && !isTooDeep(value) ? value : null;
}
