/** Decimals in fixture data. */
import { z } from "zod";
import { isDecimal } from "./money.ts";

/** An unsigned decimal such as `"0.30"`. */
export const decimalText = z
  .string()
  .refine(
    (text) => isDecimal(text) && !text.startsWith("-"),
    "must be a decimal string of at most 64 characters, without a sign, such as 0.185",
  );
