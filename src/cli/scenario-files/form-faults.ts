/** What the service says against the form of a scripted call. */
import { DomainError } from "../../domain/errors.ts";
import { isObject } from "../../domain/plain-values.ts";
import { withoutStop } from "../../domain/words/near-name.ts";
import { largestBodyOf } from "../../http/body.ts";
import { bodyTooLarge } from "../../http/checks.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { formOf, plainFields, replyOf } from "../../http/reply-form.ts";
import type { UnknownField } from "../../http/unknown-fields.ts";
import { madeUpBytes, madeUpFile, multipart } from "../../runs/form.ts";
import type { ScriptStep } from "../../scenarios/script-schema.ts";
import { referencesIn } from "../../scenarios/variables.ts";

type MadeUp = Parameters<typeof madeUpFile>[0];
type Form = Record<string, string | MadeUp[]>;

/** What is never refused, in place of what is known only in a run, and of a field that is misspelt. */
const SOME_TEXT = "?";
const SOME_FILE: MadeUp = { name: "file.pdf", type: "application/pdf", size: 5 };

/**
 * Why the service refuses a form in a run, apart from misspelt fields; null if it does not. What is filled in there and
 * the files beside the scenario are taken to be right.
 */
export function formFault({ form }: ScriptStep, { path, media }: Endpoint, unknown: UnknownField[]): string | null {
  if (media !== "multipart" || form === undefined) return null;
  const sent = { ...knownForm(form), ...standIns(unknown) };
  try {
    // Files larger than any body are not even made up.
    if (madeUpBytes(sent) > largestBodyOf(path)) throw bodyTooLarge(path);
    const { body, type } = multipart(sent, (file) => madeUpFile(file as MadeUp));
    replyOf(formOf({ path, headers: { "content-type": type }, body }).form);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return withoutStop(error.message);
    throw error;
  }
}

function knownForm(form: NonNullable<ScriptStep["form"]>): Form {
  const known = (value: string | unknown[]) => (typeof value === "string" ? knownText(value) : value.map(knownFile));
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, known(value)]));
}

function knownText(text: string): string {
  return referencesIn(text).length > 0 ? SOME_TEXT : text;
}

function knownFile(file: unknown): MadeUp {
  const isKnown = isObject(file) && referencesIn(String(file.type)).length === 0;
  return isKnown ? (file as MadeUp) : SOME_FILE;
}

/** The fields that are probably meant by others. */
function standIns(unknown: readonly UnknownField[]): Form {
  const meant = plainFields.filter((name) => unknown.some((field) => field.meant === name));
  return Object.fromEntries(meant.map((name) => [name, SOME_TEXT]));
}
