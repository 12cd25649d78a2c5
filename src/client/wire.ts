/** What types of the house look like to those who send and read JSON. */
import type { z } from "zod";
import type { ExactNumber } from "../domain/money.ts";

/** A value as JSON carries it: a number that the house keeps exactly is a plain one there. */
export type Wire<Value> = Value extends ExactNumber
  ? number
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** What a schema takes, as those who call write it; a list may be one that nobody changes, such as one `as const`. */
export type Input<Schema extends z.ZodType> = Written<z.input<Schema>>;

type Written<Value> = Value extends ExactNumber
  ? number
  : Value extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Written<Value[Key]> }
      : Value;

/** Forms that a value may have: each knows the fields of the others as not there, so that all can be asked for. */
export type Forms<Value, All = Value> = Value extends unknown
  ? Value & { readonly [Key in Exclude<All extends unknown ? keyof All : never, keyof Value>]?: never }
  : never;

/** Some of the members of a value, and of those within it. */
export type Part<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
    : Value;
