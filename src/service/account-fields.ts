/** What is said of an account by whoever opens or changes it: in calls of the control interface, and in scenario files. */
import { z } from "zod";
import { USERNAME, USERNAME_FORM } from "../domain/names.ts";
import { KEPT_AS_IT_IS } from "./input.ts";

const text = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .refine(...KEPT_AS_IT_IS);

/** A username, which cannot change later. */
export const usernameField = z.string().regex(USERNAME, { error: `must match ${USERNAME_FORM}` });

/** What may be left out, and may change later (interface, section 4). */
export const accountDetails = {
  name: text(200).optional(),
  document: text(32).optional(),
  email: text(200).optional(),
  postback_url: z.string().nullable().optional(),
};
