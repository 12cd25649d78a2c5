import { isObject, type Plain } from "../domain/plain-values.ts";

/** A text as a JSON object; null if it is not one. */
export function objectIn(text: string): Plain | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
