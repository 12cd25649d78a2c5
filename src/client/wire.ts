/** How types of this program look as JSON. */
import type { z } from "zod";
import type { ExactNumber } from "../domain/money.ts";

/** A value as JSON carries it: an exact number becomes a plain one. */
export type Wire<Value> = Value extends ExactNumber
  ? number
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** A schema's input as a caller writes it; lists may be readonly, such as those `as const`. */
export type Input<Schema extends z.ZodType> = Written<z.input<Schema>>;

type Written<Value> = Value extends ExactNumber
  ? number
  : Value extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Written<Value[Key]> }
      : Value;

/** A union of forms in which each has the fields of the others as absent, so that any field can be read. */
export type Forms<Value, All = Value> = Value extends unknown
  ? Value & { readonly [Key in Exclude<All extends unknown ? keyof All : never, keyof Value>]?: never }
  : never;

/** A value with all its members optional, also those of nested objects. */
export type Part<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
    : Value;
