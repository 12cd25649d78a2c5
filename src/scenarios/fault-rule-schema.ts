/**
 * The schema of a fault rule by hand (`PUT /faults`, the step `fault`), with the patterns that rules of files share with
 * it (interface, section 5).
 */
import { z } from "zod";
import { eventKinds, eventNames } from "../domain/events.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import type { Path } from "../domain/path.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { asQuestion, nearName } from "../domain/words/near-name.ts";
import type { Operation } from "../world/operation.ts";
import { checkConditions } from "./condition-checks.ts";
import { globOf } from "./conditions.ts";
import { checkWindow, filterFields } from "./filters.ts";
import { injection, injectionFault, type Struckable } from "./injections.ts";
import { inPlaceOfGlob, nearest } from "./schema-words.ts";
import { durationField } from "./time-fields.ts";
import { struckFieldNames } from "./triggers.ts";
import { whereField } from "./where.ts";

/** The most rules by hand that control calls may set in a world. */
export const MAX_RULES = 10_000;

/** The patterns of calls and of deliveries that a rule can name; each must match at least one. */
export const struckFields = {
  request: patternField({
    form: /^([A-Z]+|\*) \/v2\/[a-z0-9_/*]+$/,
    words: "must be a method and path such as POST /v2/transactions/wallet or GET /v2/*",
    names: serviceCalls,
    globs: serviceCalls.map((call) => call.replace(/[^/]+$/, "*")),
    noun: "endpoint of the service",
  }),
  delivery: patternField({
    form: /^[a-z_.*]+$/,
    words: "must be an event kind such as cashin.confirmed, or a glob such as cashin.*",
    names: eventNames,
    globs: eventKinds.flatMap((kind) => [kind.replace(/[^.]+$/, "*"), kind.replace(/^[^.]+(?=\.)/, "*")]),
    noun: "event kind",
  }),
} as const;

/** What the texts of a {@link patternField} are. */
interface Pattern {
  readonly form: RegExp;
  /** The error for a text of another form. */
  readonly words: string;
  readonly names: readonly string[];
  /** What to suggest in place of a glob that matches none of the names. */
  readonly globs: readonly string[];
  /** What a name is called. */
  readonly noun: string;
}

/** A field for a name or a glob of names. */
function patternField({ form, words, names, globs, noun }: Pattern) {
  const text = z
    .string({ error: "must be a text" })
    .regex(form, { error: ({ input }) => words + asQuestion(nearName(String(input), names)) });
  const known = text.superRefine((pattern, context) => {
    if (!form.test(pattern) || names.some((name) => globOf(pattern).test(name))) return;
    const message = `names no ${noun}`;
    if (pattern.includes("*")) context.addIssue(inPlaceOfGlob(message, globs));
    else context.addIssue({ code: "custom", message: message + nearest(pattern, names) });
  });
  return known.meta({ anyOf: [{ enum: [...names] }, { pattern: "[*]" }] });
}

/** The schema of a fault rule: what it strikes, and with which fault. */
export const faultRule = z
  .strictObject({
    name: z.string().max(200).optional(),
    request: struckFields.request.optional(),
    delivery: struckFields.delivery.optional(),
    inject: injection,
    where: whereField,
    ...filterFields,
    for: durationField.optional().meta({ description: "How long it stays active." }),
  })
  .superRefine((rule, context) => {
    if (context.issues.length > 0) return;
    const struck = struckBy(rule);
    if (!struck) {
      context.addIssue({ code: "custom", message: "must have exactly one of request, delivery" });
      return;
    }
    const fault = injectionFault(struck, rule.inject);
    if (fault) context.addIssue({ code: "custom", path: ["inject"], message: fault });
    const known = struckFieldNames(struck, rule[struck] ?? "");
    for (const field of Object.keys(rule.where).filter((name) => !known.includes(name))) {
      const message = `is no field of a ${struck}; there are ${known.join(", ")}`;
      context.addIssue({ code: "custom", path: ["where", field], message });
    }
  });

/** A fault rule of `PUT /faults` or of the step `fault`; scenario files also have some among their own rules. */
export type FaultRule = z.infer<typeof faultRule>;

/** The body of `PUT /faults`, which replaces all rules by hand. */
export const faultsInput = onFirstUse(() =>
  z.strictObject({
    rules: z.array(faultRule).max(MAX_RULES, { error: `must have at most ${MAX_RULES} items` }),
  }),
);

/**
 * What keeps a rule that is set now from ever acting: conditions that can never hold, and a window that never opens.
 * @param place the rule's path. @returns messages that each begin with a path.
 */
export function faultsInVain({ world, now }: Operation, rule: FaultRule, place: Path): string[] {
  const { request, delivery, where } = rule;
  const known = { currencies: world.currencies, usernames: [], hasOwnAccounts: false };
  const pattern = request ?? delivery ?? "";
  const fields = struckFieldNames(request === undefined ? "delivery" : "request", pattern);
  const found = checkConditions([...place, "where"], where, { kind: null, fields, pattern }, known);
  const told = (path: Path, behind: string) => path.map(String).join(".") + behind;
  return [
    ...Array.from(found, ({ path, behind }) => told(path, behind)),
    ...Array.from(checkWindow(place, rule, now), ({ path, key = "", message }) => told([...path, key], `: ${message}`)),
  ];
}

function struckBy({ request, delivery }: { request?: unknown; delivery?: unknown }): Struckable | null {
  if ((request === undefined) === (delivery === undefined)) return null;
  return request === undefined ? "delivery" : "request";
}
