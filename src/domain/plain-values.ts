/** Values as they were read from a file or a body, before anything is known of them. */
import { ExactNumber } from "./money.ts";

/** An object with unchecked members. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether a value is an object; an {@link ExactNumber} is a number, not an object. */
export function isObject(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
