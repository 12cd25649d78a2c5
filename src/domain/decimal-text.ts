/** Decimals in fixture data. */
import { z } from "zod";

/** A decimal such as `"0.30"`, of no more digits than amounts are ever calculated with. */
export const decimalText = z
  .string()
  .regex(
    /^\d{1,40}(\.\d{1,20})?$/,
    "must be a decimal string, with at most 40 digits before the point and 20 after it",
  );
