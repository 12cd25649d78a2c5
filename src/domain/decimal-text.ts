/** Decimals in fixture data. */
import { z } from "zod";

/** A decimal such as `"0.30"`, of no more characters than amounts are read with. */
export const decimalText = z
  .string()
  .regex(
    /^(?=.{1,64}$)\d+(\.\d+)?$/,
    "must be a decimal string of at most 64 characters, without a sign, such as 0.185",
  );
