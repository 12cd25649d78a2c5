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

/** As much of an address as all have: what is before and behind one @. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** What may be left out, and may change later (interface, section 4). */
export const accountDetails = {
  name: text(200).optional(),
  document: text(32).optional(),
  email: z
    .string()
    .max(200)
    .regex(EMAIL, { error: "must be an address such as shop@example.com" })
    .refine(...KEPT_AS_IT_IS)
    .optional(),
  postback_url: z.string().nullable().optional(),
};
