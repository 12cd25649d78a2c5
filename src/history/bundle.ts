/** A bundle: all that a world's history follows from, and the history itself to hold a replay against. */
import { z } from "zod";
import { settingsSchema } from "../domain/settings.ts";
import type { WorldSpec } from "../host/creation.ts";
import type { Input } from "../store/inputs.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest } from "../store/requests.ts";
import { WORLD_ID } from "../host/sandbox.ts";
import { packageVersion } from "../package-version.ts";
import { formatInstant, LAST_INSTANT } from "../world/instants.ts";
import type { World } from "../world/world.ts";

/** Marks a file as a bundle of this product. */
const FORMAT = "payments-sandbox-bundle";

/** The form of bundles that this program writes and reads. */
const VERSION = 1;

/** As many rows are read from the store at a time. */
const PAGE = 1_000;

/** A file that is no bundle, or one of another version; the message says which and what would be right. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

/** Bytes as text where they are text, else in base 64. */
const bytes = z.union([z.strictObject({ text: z.string() }), z.strictObject({ base64: z.string() })]);
type Bytes = z.infer<typeof bytes>;

const instant = z.int().min(0).max(LAST_INSTANT);
const texts = z.record(z.string(), z.string());
const source = z.strictObject({ file: z.string(), text: z.string() });
const placed = { ordinal: z.int().min(1), at: instant };

const requestInput = z.strictObject({
  ...placed,
  kind: z.literal("request"),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: texts,
  body: bytes,
  too_large: z.boolean(),
  ip: z.string(),
  wall_at: instant,
  /** Calls up to this operation had been answered when it was sent, as far as that is known. */
  sent_after: z.int().min(0).nullable().optional(),
  /** Whether another call was under way when it came. */
  in_company: z.boolean().optional(),
  proof: z.strictObject({ credential: z.string().nullable().optional(), signature: z.boolean().optional() }),
});

const controlInput = z.strictObject({
  ...placed,
  kind: z.literal("control"),
  method: z.string(),
  path: z.string(),
  /** JSON, with numbers as they were written. */
  body: z.string(),
  file: z.string().nullable(),
  /** The scenarios that it loaded, as they were. */
  sources: z.array(source).nullable(),
});

const dispatchInput = z.strictObject({ ...placed, kind: z.literal("dispatch"), due: instant, sequence: z.int() });

const landingInput = z.strictObject({
  ...placed,
  kind: z.literal("landing"),
  attempt: z.int(),
  outcome: z.enum(["delivered", "refused", "failed"]),
  status: z.int().nullable(),
  error: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
  response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  response_body: bytes,
  response_truncated: z.boolean(),
});

const restartInput = z.strictObject({ ...placed, kind: z.literal("restart") });

/** Where a world that is itself a replay came to its rest. */
const restInput = z.strictObject({ ...placed, kind: z.literal("rest") });

const bundleInput = z.discriminatedUnion("kind", [
  requestInput,
  controlInput,
  dispatchInput,
  landingInput,
  restartInput,
  restInput,
]);

const account = z.strictObject({
  username: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/),
  name: z.string().optional(),
  document: z.string().optional(),
  email: z.string().optional(),
  postback_url: z.string().nullable().optional(),
  balances: z.record(z.string(), z.string()).optional(),
});

const worldSpec = z.strictObject({
  id: z.string().regex(WORLD_ID),
  seed: z.int().min(0),
  clock: z.strictObject({ mode: z.enum(["running", "frozen"]), speed: z.number().positive().max(1e6), start: instant }),
  settings: settingsSchema,
  scenarios: z.array(source),
  accounts: z.array(account).min(1).nullable(),
  postback_url: z.string().nullable(),
});

const journalEntry = z.strictObject({
  sequence: z.int(),
  at: z.string(),
  kind: z.string(),
  subject: z.string().nullable(),
  cause: z.int().nullable(),
  rule: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});

const bundleSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** The version of the program that wrote it. */
  made_by: z.string(),
  world: worldSpec,
  /** What the clock showed at the end. */
  now: instant,
  /** Operations of the world; those that are no input are timers, which follow from the inputs. */
  operations: z.int(),
  inputs: z.array(bundleInput),
  journal: z.array(journalEntry),
});

export type Bundle = z.infer<typeof bundleSchema>;
export type BundleInput = Bundle["inputs"][number];
export type BundledEntry = Bundle["journal"][number];
export type InputOf<Kind extends BundleInput["kind"]> = Extract<BundleInput, { kind: Kind }>;

/** The bundle of a world, as it is now. */
export function exportBundle(world: World): Bundle {
  return {
    format: FORMAT,
    version: VERSION,
    made_by: packageVersion(),
    world: world.meta.get<WorldSpec>("spec") as Bundle["world"],
    now: world.clock.now(),
    operations: world.operations,
    inputs: [...requestsOf(world), ...othersOf(world)].sort((left, right) => left.ordinal - right.ordinal),
    journal: [...pages((after) => world.journal.after(after, PAGE), "sequence")].map(bundledEntry),
  };
}

/** Reads what should be a bundle. @throws {BundleError} */
export function readBundle(given: unknown): Bundle {
  const { format, version } = (given ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) throw new BundleError(`This is no bundle: its "format" is not "${FORMAT}".`);
  if (version !== VERSION) {
    throw new BundleError(
      `This bundle is of version ${JSON.stringify(version)}; this program reads version ${VERSION}.`,
    );
  }
  const result = bundleSchema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BundleError(`This bundle is damaged: ${issue?.path.join(".")}: ${issue?.message}.`);
}

/** An entry as bundles and replays compare it. */
export function bundledEntry({ sequence, at, kind, subject, cause, rule, data }: JournalEntry): BundledEntry {
  return { sequence, at: formatInstant(at), kind, subject, cause, rule, data };
}

/** What {@link Bytes} stand for. */
export function bytesIn(given: Bytes): Buffer {
  return "text" in given ? Buffer.from(given.text) : Buffer.from(given.base64, "base64");
}

function bundled(content: Buffer | null): Bytes {
  const text = (content ?? Buffer.alloc(0)).toString();
  const isText = content === null || Buffer.from(text).equals(content);
  return isText ? { text } : { base64: content.toString("base64") };
}

function* requestsOf(world: World): Generator<InputOf<"request">> {
  for (const row of pages((after) => world.requests.after(after, PAGE), "position")) yield requestOf(row);
}

function requestOf(row: LoggedRequest): InputOf<"request"> {
  const { ordinal, at, method, path, query, headers, body, too_large, ip, proof } = row;
  const { wall_at, sent_after, in_company } = row;
  const call = { method, path, query, headers: { ...headers }, body: bundled(body), too_large, ip };
  return { ordinal, kind: "request", at, ...call, wall_at, sent_after, in_company, proof };
}

function* othersOf(world: World): Generator<BundleInput> {
  for (const input of pages((after) => world.inputs.after(after, PAGE), "ordinal")) yield inputOf(world, input);
}

function inputOf(world: World, { ordinal, kind, at, data }: Input): BundleInput {
  const kept = JSON.parse(data);
  if (kind !== "landing") return { ordinal, kind, at, ...kept };
  const attempt = world.webhooks.attempt(kept.attempt);
  if (!attempt) throw new Error(`The attempt ${kept.attempt} of an input is not there.`);
  const { status, error, response_headers, response_truncated } = attempt;
  const outcome = attempt.outcome as InputOf<"landing">["outcome"];
  const response_body = bundled(attempt.response_body);
  const answer = { outcome, status, error, response_headers, response_body, response_truncated };
  return { ordinal, kind, at, attempt: kept.attempt, ...answer };
}

function* pages<Key extends string, Row extends Record<Key, number>>(
  fetch: (after: number) => Row[],
  key: Key,
): Generator<Row> {
  let rows = fetch(0);
  while (rows.length > 0) {
    yield* rows;
    rows = fetch(rows.at(-1)?.[key] ?? Number.MAX_SAFE_INTEGER);
  }
}
