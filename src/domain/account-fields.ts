/** The fields of an account where one is described: in control calls, scenario files and bundles. */
import { z } from "zod";
import { KEPT_AS_IT_IS } from "./kept-text.ts";
import { USERNAME, USERNAME_FORM } from "./names.ts";

const text = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .refine(...KEPT_AS_IT_IS);

/** A username, which cannot change later. */
export const usernameField = z.string().regex(USERNAME, { error: `must match ${USERNAME_FORM}` });

/** The form that all e-mail addresses share: text without blanks on both sides of a single @. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The optional fields, which may change later (interface, section 4). */
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
