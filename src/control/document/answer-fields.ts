/** Field schemas that the answers of the control interface have in common. */
import { z } from "zod";
import { shownAmount, shownInstant } from "../../domain/shown-values.ts";

/** Any text. */
export const text = z.string();
/** A text, or null where there is none. */
export const textOrNull = text.nullable();
/** A list of texts. */
export const texts = z.array(text);
/** A whole number, from 0. */
export const count = z.int().min(0);
const whole = z.int();
/** An instant of the world's clock, in UTC with milliseconds (`D27`). */
export const instant = shownInstant;
/** Like {@link instant}; null where it has not come, or never will. */
export const instantOrNull = instant.nullable();
/** An amount, a balance or a rate; only a balance can be below zero. */
export const decimal = shownAmount;
/** An object whose members depend on what it is about. */
export const anything = z.record(z.string(), z.unknown());
/** The sequence of the journal entry that led to it. */
export const cause = whole.nullable().meta({ description: "The sequence of the journal entry that led to it." });
/** The place of a rule; null where none brought it about. */
export const rule = textOrNull.meta({ description: "`file:line` of the rule that brought it about." });
/** Headers of HTTP by their names. */
export const headers = z.record(z.string(), text);

/** One page of a list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: textOrNull });
