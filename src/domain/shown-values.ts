/** How answers and events show amounts and instants. */
import { z } from "zod";

/** A decimal text: money at full scale (`D01`), balances below zero at times (`D52`). */
export const shownAmount = z.string().regex(/^-?\d+(\.\d+)?$/);

/** UTC with milliseconds and `Z` (`D27`). */
export const shownInstant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, { error: "must be like 2026-01-01T12:00:00.000Z" })
  .meta({ format: "date-time" });
