/** Bundles: everything that determines a world's history, and the history itself, to compare a replay with. */

import type { z } from "zod";
import { BUNDLE_FORMAT } from "../domain/bundle-format.ts";
import { required } from "../domain/required.ts";
import { inMebibytes } from "../domain/words/mebibytes.ts";
import { sentence } from "../domain/words/near-name.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { keptSpec } from "../host/creation.ts";
import { packageVersion } from "../package-version.ts";
import { laterTurn } from "../runtime.ts";
import { issueWords } from "../scenarios/file-words.ts";
import { hasUnknownKeys } from "../scenarios/schema-words.ts";
import type { Input } from "../store/inputs.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest } from "../store/logged-calls.ts";
import { everyRow } from "../store/pages.ts";
import { formatInstant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import {
  type Bundle,
  type BundledBytes,
  type BundledEntry,
  type BundleInput,
  bundleSchema,
  type InputOf,
  VERSION,
} from "./bundle-schema.ts";

export type { Bundle, BundledEntry, BundleInput, InputOf };

/** A file is no bundle, damaged, or of another version; the message says which. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

/** The most bytes of a bundle that can be read again. */
export const MAX_BUNDLE_BYTES = 400 * 1024 * 1024;

/** The bundle of a world would be larger than {@link MAX_BUNDLE_BYTES}. */
export class LargeBundle extends Error {
  override readonly name = "LargeBundle";

  constructor() {
    const most = inMebibytes(MAX_BUNDLE_BYTES);
    super(`The bundle of this world is larger than can be read again (${most}); a fork or a snapshot keeps all of it.`);
  }
}

/** The bundle of a world, as it is now. */
export function exportBundle(world: World): Bundle {
  const end = endOf(world);
  return { ...headOf(world), inputs: [...inputsOf(world, end)], journal: [...journalOf(world, end)] };
}

/**
 * The bundle of a world as JSON, made piece by piece, with a turn for other work after each; what happens meanwhile is
 * not in it. It is a buffer because it may be longer than a JavaScript string can be.
 * @throws {LargeBundle}
 */
export async function bundleAsJson(world: World, most = MAX_BUNDLE_BYTES): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (const text of textsOf(world)) {
    const piece = Buffer.from(text);
    size += piece.length;
    if (size > most) throw new LargeBundle();
    pieces.push(piece);
    await laterTurn();
  }
  return joined(pieces, size);
}

/** Joins the pieces one by one: joining hundreds of megabytes at once would block the process for too long. */
async function joined(pieces: readonly Buffer[], size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    await laterTurn();
  }
  return whole;
}

function* textsOf(world: World): Generator<string> {
  const end = endOf(world);
  yield JSON.stringify(headOf(world)).slice(0, -1);
  for (const [name, items] of Object.entries({ inputs: inputsOf(world, end), journal: journalOf(world, end) })) {
    yield `,"${name}":[`;
    yield* inPieces(items);
    yield "]";
  }
  yield "}";
}

/** The least number of characters in a piece, except the last one. */
const PIECE = 256 * 1024;

/** The items of a list as JSON, several in each piece. */
function* inPieces(items: Iterable<object>): Generator<string> {
  let piece = "";
  let between = "";
  for (const item of items) {
    piece += between + JSON.stringify(item);
    between = ",";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** The end of a history: its last operation and its last journal entry. */
interface End {
  readonly ordinal: number;
  readonly sequence: number;
}

function endOf(world: World): End {
  return { ordinal: world.operations, sequence: world.journal.last().sequence };
}

function headOf(world: World): Omit<Bundle, "inputs" | "journal"> {
  return {
    format: BUNDLE_FORMAT,
    version: VERSION,
    made_by: packageVersion(),
    // A cast because the lists of a spec are read only.
    world: required(keptSpec(world), "What the world was made from") as Bundle["world"],
    now: world.clock.now(),
    operations: world.operations,
  };
}

/** Validates a bundle. @throws {BundleError} */
export function readBundle(given: unknown): Bundle {
  const { format, version } = (given ?? {}) as { format?: unknown; version?: unknown };
  if (format !== BUNDLE_FORMAT) throw new BundleError(`This is no bundle: its "format" is not "${BUNDLE_FORMAT}".`);
  if (version === undefined) throw new BundleError('This is no bundle: its "version" is missing.');
  if (version !== VERSION) {
    throw new BundleError(
      `This bundle is of version ${JSON.stringify(version)}; this program reads version ${VERSION}.`,
    );
  }
  const result = bundleSchema().safeParse(given, TO_BE_TOLD);
  if (result.success) return result.data;
  const [fault = ""] = result.error.issues.map(faultOf);
  throw new BundleError(sentence(`This bundle is damaged: ${fault}`));
}

function faultOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join(".");
  if (!hasUnknownKeys(issue)) return `${path} ${issueWords(issue)}`;
  return `unknown field ${[path, issue.keys[0]].filter(Boolean).join(".")}`;
}

/** A journal entry in the form in which bundles store it and replays compare it. */
export function bundledEntry({ sequence, at, kind, subject, cause, rule, data }: JournalEntry): BundledEntry {
  return { sequence, at: formatInstant(at), kind, subject, cause, rule, data };
}

/** The bytes of {@link BundledBytes}. */
export function bytesIn(given: BundledBytes): Buffer {
  return "text" in given ? Buffer.from(given.text) : Buffer.from(given.base64, "base64");
}

function bundled(content: Buffer | null): BundledBytes {
  const text = (content ?? Buffer.alloc(0)).toString();
  const isText = content === null || Buffer.from(text).equals(content);
  return isText ? { text } : { base64: content.toString("base64") };
}

/** All inputs, in the order in which they came. */
function* inputsOf(world: World, end: End): Generator<BundleInput> {
  const others = othersOf(world, end);
  let other = others.next();
  for (const row of everyRow("position", (after, limit) => world.requests.after(after, limit))) {
    if (row.ordinal > end.ordinal) break;
    for (; !other.done && other.value.ordinal < row.ordinal; other = others.next()) yield other.value;
    yield requestOf(row);
  }
  for (; !other.done; other = others.next()) yield other.value;
}

function requestOf(row: LoggedRequest): InputOf<"request"> {
  const { ordinal, at, method, path, query, headers, body, too_large, ip, proof } = row;
  const { wall_at, sent_after, in_company } = row;
  const call = { method, path, query, headers: { ...headers }, body: bundled(body), too_large, ip };
  return { ordinal, kind: "request", at, ...call, wall_at, sent_after, in_company, proof };
}

function* othersOf(world: World, end: End): Generator<BundleInput> {
  for (const input of everyRow("ordinal", (after, limit) => world.inputs.after(after, limit))) {
    if (input.ordinal > end.ordinal) return;
    yield inputOf(world, input);
  }
}

function* journalOf(world: World, end: End): Generator<BundledEntry> {
  for (const entry of everyRow("sequence", (after, limit) => world.journal.after(after, limit))) {
    if (entry.sequence > end.sequence) return;
    yield bundledEntry(entry);
  }
}

function inputOf(world: World, { ordinal, kind, at, data }: Input): BundleInput {
  const kept = JSON.parse(data);
  if (kind !== "landing") return { ordinal, kind, at, ...kept };
  const attempt = required(world.attempts.get(kept.attempt), `The attempt ${kept.attempt} of an input`);
  const { status, error, response_headers, response_truncated } = attempt;
  const outcome = required(attempt.outcome, `The outcome of the attempt ${kept.attempt}`);
  const response_body = bundled(attempt.response_body);
  const answer = { outcome, status, error, response_headers, response_body, response_truncated };
  return { ordinal, kind, at, attempt: kept.attempt, ...answer };
}
