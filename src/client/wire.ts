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

/** What a schema takes, as those who call write it. */
export type Input<Schema extends z.ZodType> = Wire<z.input<Schema>>;

/** Some of the members of a value, and of those within it. */
export type Part<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
    : Value;
