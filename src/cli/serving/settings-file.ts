/** Reads the file of `--settings`, and reports what is wrong with it and where. */

import { readFileSync } from "node:fs";
import type { Document, Node } from "yaml";
import type { z } from "zod";
import type { Path } from "../../domain/path.ts";
import { overlaidSettings, type Settings, settingsSchema } from "../../domain/settings.ts";
import { counted } from "../../domain/words/counted.ts";
import { sentence } from "../../domain/words/near-name.ts";
import { TO_BE_TOLD } from "../../domain/words/told-issues.ts";
import { fileWords } from "../../scenarios/file-words.ts";
import { checkedFixtures } from "../../scenarios/fixture-faults.ts";
import { LineStarts } from "../../scenarios/line-starts.ts";
import { hasUnknownKeys, nearestKey } from "../../scenarios/schema-words.ts";
import { encodingFault, type TextFault, withoutMark } from "../../scenarios/text-faults.ts";
import { syntaxFaults } from "../../scenarios/yaml-faults.ts";
import { yaml } from "../../scenarios/yaml-library.ts";
import { reasonUnread } from "../unread-file.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The settings of a file, none without one; its data for `fixtures/` is checked over that of the wishes of scenarios.
 * @throws {UsageError} names the file, the place in it and the nearest right word.
 */
export function settingsOf(
  file: string | undefined,
  wishes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (file === undefined) return {};
  const text = textOf(file);
  const fault = encodingFault(text);
  if (fault !== null) throw new UsageError(sentenceOf(file, text, [fault]));
  const document = documentOf(file, text);
  const given = contentOf(file, document);
  const faults = faultsOf(given, wishes, document).sort((left, right) => left.offset - right.offset);
  if (faults.length > 0) throw new UsageError(sentenceOf(file, text, faults));
  return given as Readonly<Record<string, unknown>>;
}

function textOf(file: string): string {
  try {
    return withoutMark(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--settings ${file}: ${reasonUnread(error)}.`);
  }
}

function documentOf(file: string, text: string): Document {
  const document = yaml().parseDocument(text, { prettyErrors: false });
  const faults = syntaxFaults(document, text);
  if (faults.length > 0) throw new UsageError(sentenceOf(file, text, faults));
  return document;
}

/** The content; an empty file means no settings. */
function contentOf(file: string, document: Document): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new UsageError(`--settings ${file}: ${(error as Error).message}.`);
  }
}

function faultsOf(given: unknown, wishes: Readonly<Record<string, unknown>>, document: Document): TextFault[] {
  const result = settingsSchema.safeParse(given, { ...TO_BE_TOLD, jitless: true });
  if (!result.success) return result.error.issues.flatMap((issue) => issueFaults(issue, document));
  // The data may rest on that of the scenarios, such as fees on their currencies.
  const { fixtures } = overlaidSettings(wishes, result.data);
  return fixtureFaults(fixtures as Settings["fixtures"], document);
}

function issueFaults(issue: z.core.$ZodIssue, document: Document): TextFault[] {
  const { path } = issue;
  if (hasUnknownKeys(issue)) {
    const known = Object.keys(settingsSchema.shape);
    return issue.keys.map((key) => ({
      offset: offsetOf(document, [key], "key"),
      message: `unknown setting ${JSON.stringify(key)}${nearestKey(key, known)}`,
    }));
  }
  if (path.length === 0) return [{ offset: 0, message: noSettings(issue.input) }];
  return [{ offset: offsetOf(document, path, "value"), message: `${path.map(String).join(".")} ${fileWords(issue)}` }];
}

/** The message for a file that is not an object of settings. */
function noSettings(given: unknown): string {
  return `the file must be an object of settings, such as protections: off; it is ${Array.isArray(given) ? "a list" : "one value"}`;
}

function fixtureFaults(fixtures: Settings["fixtures"], document: Document): TextFault[] {
  return checkedFixtures(fixtures).faults.map(({ path, isKey, message }) => ({
    offset: offsetOf(document, path, isKey ? "key" : "value"),
    message,
  }));
}

/** The offset of a path's value or of its last key; if that is missing, of the part of the path that exists. */
function offsetOf(document: Document, path: Path, end: "key" | "value"): number {
  let node: unknown = document.contents;
  for (const [index, part] of path.entries()) {
    const pair = yaml().isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined;
    const isKey = end === "key" && index === path.length - 1;
    const member = yaml().isSeq(node) ? node.items[Number(part)] : isKey ? pair?.key : pair?.value;
    if (!yaml().isNode(member)) break;
    node = member;
  }
  return (node as Node | null)?.range?.[0] ?? 0;
}

/** One line: the first fault, and how many more there are. */
function sentenceOf(file: string, text: string, [first, ...others]: readonly TextFault[]): string {
  if (!first) return `--settings ${file} cannot be used.`;
  const { line, column } = new LineStarts(text).placeOf(first.offset);
  const told = `--settings ${file}:${line}:${column}: ${first.message}`;
  if (others.length === 0) return sentence(told);
  return `${told} (and ${counted(others.length, "more problem")})`;
}
