/** How answers and events show amounts and instants. */
import { z } from "zod";

/** A decimal text: money at full scale (`D01`), balances below zero at times (`D52`). */
export const shownAmount = z.string().regex(/^-?\d+(\.\d+)?$/);

/** UTC with milliseconds and `Z` (`D27`). */
export const shownInstant = z.iso.datetime({ precision: 3 });
