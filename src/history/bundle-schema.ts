/** The schema of a bundle. */
import { z } from "zod";
import { accountDetails, usernameField } from "../domain/account-fields.ts";
import { attemptOutcomes } from "../domain/attempt-outcomes.ts";
import { MAX_SPEED } from "../domain/bounds.ts";
import { BUNDLE_FORMAT } from "../domain/bundle-format.ts";
import { clockModes } from "../domain/clock-modes.ts";
import { NAME, NAME_FORM } from "../domain/names.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { settingsSchema } from "../domain/settings.ts";
import { shownInstant } from "../domain/shown-values.ts";
import { LAST_INSTANT } from "../world/instants.ts";

/** The version of bundles that this program writes and reads. */
export const VERSION = 1;

/** The schema of a bundle; made on first use. */
export const bundleSchema = onFirstUse(() =>
  z.strictObject({
    format: z.literal(BUNDLE_FORMAT),
    version: z.literal(VERSION),
    /** The version of the program that wrote it. */
    made_by: z.string(),
    world: worldSpec(),
    /** The instant of the clock at the end. */
    now: instant(),
    /** How many operations the world had; those that are not inputs ran timers, which follow from the inputs. */
    operations: z.int(),
    inputs: z.array(bundleInput()),
    journal: z.array(journalEntry()),
  }),
);

const instant = () => z.int().min(0).max(LAST_INSTANT);
const source = () => z.strictObject({ file: z.string(), text: z.string() });

/** Bytes: as text if they are valid UTF-8, else in base64. */
const bytes = () => z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.string() })]);

/** The schema of a kind of input, with the number and the instant of its operation. */
function inputOf<Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.strictObject({ ordinal: z.int().min(1), at: instant(), kind: z.literal(kind), ...fields });
}

/** TABLE: inputs from outside, by kind. */
const bundleInput = () =>
  z.discriminatedUnion("kind", [
    inputOf("request", requestFields()),
    inputOf("control", controlFields()),
    inputOf("dispatch", { due: instant(), sequence: z.int() }),
    inputOf("landing", landingFields()),
    // A timer that ran before its turn.
    inputOf("timer", { due: instant(), sequence: z.int() }),
    inputOf("restart", {}),
    // The end of a replay, in a world that was itself made by a replay.
    inputOf("rest", {}),
  ]);

const requestFields = () => ({
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: bytes(),
  too_large: z.boolean(),
  ip: z.string(),
  wall_at: instant(),
  /** The last operation whose call had been answered when this one was sent; null or absent if unknown. */
  sent_after: z.int().min(0).nullable().optional(),
  /** Whether another call was under way when it came. */
  in_company: z.boolean().optional(),
  proof: z.strictObject({ credential: z.string().nullable().optional(), signature: z.boolean().optional() }),
});

const controlFields = () => ({
  method: z.string(),
  path: z.string(),
  /** The JSON body, with numbers as they were written. */
  body: z.string(),
  file: z.string().nullable(),
  /** The sources of the scenarios that it loaded. */
  sources: z.array(source()).nullable(),
});

const landingFields = () => ({
  attempt: z.int(),
  outcome: z.enum(attemptOutcomes),
  status: z.int().nullable(),
  error: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
  response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  response_body: bytes(),
  response_truncated: z.boolean(),
});

const account = () =>
  z.strictObject({
    username: usernameField,
    ...accountDetails,
    balances: z.record(z.string(), z.string()).optional(),
  });

const worldSpec = () =>
  z.strictObject({
    id: z.string().regex(NAME, { error: `must match ${NAME_FORM}` }),
    seed: z.int().min(0),
    clock: z.strictObject({
      mode: z.enum(clockModes),
      speed: z.number().positive().max(MAX_SPEED),
      start: instant(),
    }),
    settings: settingsSchema,
    scenarios: z.array(source()),
    accounts: z.array(account()).min(1).nullable(),
    postback_url: z.string().nullable(),
  });

const journalEntry = () =>
  z.strictObject({
    sequence: z.int().min(0),
    at: shownInstant,
    kind: z.string(),
    subject: z.string().nullable(),
    cause: z.int().nullable(),
    rule: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  });

/** A bundle as `GET /export` answers it and `replay` takes it (interface, section 4). */
export type Bundle = z.infer<ReturnType<typeof bundleSchema>>;
/** An input from outside, of one of several kinds. */
export type BundleInput = Bundle["inputs"][number];
/** An entry of the journal, its instant as text. */
export type BundledEntry = Bundle["journal"][number];
/** The input of one kind. */
export type InputOf<Kind extends BundleInput["kind"]> = Extract<BundleInput, { kind: Kind }>;
/** Bytes as they came: as text if that gives the same bytes back, else in base64. */
export type BundledBytes = InputOf<"request">["body"];
