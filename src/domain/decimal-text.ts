/** Decimals in fixture data. */
import { z } from "zod";

/** An unsigned decimal such as `"0.30"`, of at most 64 characters: `parseDecimal` takes no more. */
export const decimalText = z
  .string()
  .regex(
    /^(?=.{1,64}$)\d+(\.\d+)?$/,
    "must be a decimal string of at most 64 characters, without a sign, such as 0.185",
  );
