/** The settings of a world, with defaults: most choose one reading of a point that the specification leaves open. */
import { z } from "zod";
import { DURATION_EXAMPLES, isTooLong, parseDuration, TOO_LONG } from "./durations.ts";
import { isObject } from "./plain-values.ts";

const noDuration = ({ input }: { input?: unknown }) =>
  typeof input === "string" && isTooLong(input) ? TOO_LONG : `must be a duration such as ${DURATION_EXAMPLES}`;

/** A duration as text; it is parsed to milliseconds where it is used. */
export const durationSetting = z
  .string({ error: noDuration })
  .refine((text) => parseDuration(text) !== null, { error: noDuration });

/**
 * Where webhooks may go (`D63`): `local` lets plain http through to the machine and its private networks, `strict`
 * follows the specification to the letter, `any` lets everything through.
 */
export const webhookTargets = ["local", "strict", "any"] as const;

/** TABLE: the settings of a world, with their decisions and defaults; what they mean is in {@link settingNotes}. */
export const settingsSchema = z.strictObject({
  /** D02 */ currencies: z.enum(["table", "extended"]).default("table"),
  /** D08 */ cashout_fee: z.enum(["deducted", "added"]).default("deducted"),
  /** D13 */ signature_tolerance: durationSetting.default("300s"),
  /** D13 */ signature_clock: z.enum(["either", "world", "wall"]).default("either"),
  /** D16 */ credential_block: durationSetting.default("300s"),
  /** D18 */ auth_failures: z.enum(["window", "consecutive"]).default("window"),
  /** D19 */ protections: z.enum(["enforce", "report", "off"]).default("enforce"),
  /** D23 */ duplicate_status: z.union([z.literal(409), z.literal(422)]).default(409),
  /** D32 */ expired_event: z.enum(["pix", "all"]).default("pix"),
  /** D39 */ transfer_sent_direction: z.enum(["sent", "out"]).default("sent"),
  /** D40 */ quotes: z.enum(["implicit", "ignore"]).default("implicit"),
  /** D40 */ quote_ttl: durationSetting.default("60s"),
  /** D44 */ deposit_events: z.enum(["both", "cashin", "wallet_deposit"]).default("both"),
  /** D48 */ status_words: z.enum(["lifecycle", "glossary"]).default("lifecycle"),
  /** D53 */ unanswered_dispute: z.enum(["lost", "open"]).default("lost"),
  /** D54 */ lost_dispute_status: z.enum(["lost", "confirmed"]).default("lost"),
  /** D55 */ legacy_refund_events: z.boolean().default(false),
  /** D60 */ retry_base: z.enum(["previous", "first"]).default("previous"),
  /** D61 */ webhook_rate: z.int().min(1).max(1_000_000).default(100),
  /** D63 */ webhook_targets: z.enum(webhookTargets).default("local"),
  /** Readiness report: the environment that the receiver is told it is in (interface, section 6). */
  receiver_environment: z.enum(["sandbox", "production"]).default("sandbox"),
  /** Replacements of files of `fixtures/`, in their shape (`D07`). */
  fixtures: z.record(z.string(), z.unknown()).default({}),
});

/**
 * The settings of several sources, those of later ones over those of earlier ones; of `fixtures`, each kind of data by
 * itself. They are not validated.
 */
export function overlaidSettings(
  ...sources: readonly (Readonly<Record<string, unknown>> | undefined)[]
): Record<string, unknown> {
  const settings: Record<string, unknown> = Object.assign({}, ...sources);
  const fixtures = sources.map((source) => source?.fixtures).filter((data) => data !== undefined);
  const areObjects = fixtures.every(isObject);
  if (fixtures.length > 1 && areObjects) settings.fixtures = Object.assign({}, ...fixtures);
  return settings;
}

/** The settings of a world. */
export type Settings = z.infer<typeof settingsSchema>;

/** TABLE: what each setting is, for editors and documentation. */
export const settingNotes = {
  currencies: "Currencies and chains: those of the specification's table, or those of its longer list too.",
  cashout_fee: "The fee of a cash-out is taken out of its amount, or added to it.",
  signature_tolerance: "How far X-Timestamp may be from the clock, either way.",
  signature_clock: "What X-Timestamp is compared with: the world's clock, the wall clock, or whichever is nearer.",
  credential_block: "How long a credential is blocked after fifteen 4xx answers in a minute.",
  auth_failures: "An address is blocked for five failures within five minutes, or for five in a row.",
  protections: "Rate limits and blocks are enforced, counted and shown only, or off.",
  duplicate_status: "The status of DUPLICATE_EXTERNAL_ID.",
  expired_event: "Which charges send cashin.expired: those of PIX, or all.",
  transfer_sent_direction: "The direction in the sender's transfer.confirmed.",
  quotes: "A conversion takes the rate of the latest simulation, or always the spot rate.",
  quote_ttl: "How long a simulated quote is valid.",
  deposit_events: "The events of a deposit into a fixed wallet.",
  status_words: "The words of statuses in lists: confirmed, or the glossary's paid.",
  unanswered_dispute: "What happens to a dispute whose deadline passes without a reply.",
  lost_dispute_status: "The status that a lost dispute ends in.",
  legacy_refund_events: "Whether refund_confirmed and refund_responded are sent beside the chargeback events.",
  retry_base: "The delay of a retry counts from the attempt before, or from the first one.",
  webhook_rate: "Webhooks per minute of a credential, retries included; what is beyond waits two minutes.",
  webhook_targets: "Webhooks may go to http on this machine and private networks, to https alone, or anywhere.",
  receiver_environment: "What the receiver is told that it is; the readiness report judges it by that.",
  fixtures:
    "Data in place of files of fixtures/, in their shape: currencies, chains, fees, limits, rates, terms, banks, accounts; each in the place of its whole file.",
} as const satisfies Record<keyof Settings, string>;

/** The values of a setting with a fixed set of them, as texts; empty for any other setting. */
export function settingValues(name: keyof Settings): string[] {
  const schema = settingsSchema.shape[name].unwrap();
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodUnion) return schema.options.map(({ value }) => String(value));
  return schema instanceof z.ZodBoolean ? ["false", "true"] : [];
}
