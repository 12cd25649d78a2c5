/** `docs/settings.md`: settings and decisions. */
import { z } from "zod";
import type { Decision } from "../domain/decisions/decision.ts";
import { decisionChapters, decisions } from "../domain/decisions.ts";
import { type Settings, settingNotes, settingsSchema, settingValues } from "../domain/settings.ts";
import { code, codes, decisionLinks, page, table } from "./markdown.ts";

const defaults = settingsSchema.parse({});
const names = Object.keys(settingsSchema.shape) as (keyof Settings)[];

const HOW = `Settings belong to a world. The default world takes them from \`--settings FILE\` (YAML or JSON), any other from
\`settings\` of \`POST /_sandbox/worlds\` or \`createWorld\`; a scenario may bring its own under its key \`settings\`. An
unknown name or value is refused, with the nearest right one.`;

const EXAMPLE = `\`\`\`yaml
webhook_targets: strict
signature_tolerance: 60s
fixtures:
  terms: { conversion_spread_percentage: "0.5", wallets_per_credential: 3 }
\`\`\``;

/**
 * TABLE: the keys of `fixtures`; a test checks them against the schema, which is in a room that pages do not import.
 */
export const dataNames = ["currencies", "chains", "fees", "limits", "rates", "accounts", "terms", "banks"] as const;

const DATA = `Each key of \`fixtures\` replaces the whole shipped file: \`rates\` with one currency leave the world with that rate
only. Copy what you want to keep from the file in [fixtures](../fixtures); in an installed package, those files are
there to be read, and changing them changes nothing. For each setting and for each key of \`fixtures\`, what is
given to the server or the call wins over what its scenarios say, and of several scenarios the later one wins. What a scenario says must stand by itself: its fees
cannot be in a currency that only another source adds.

Limits count cash-ins, cash-outs, transfers and conversions when they are requested, at the requested amount. Deposits
into fixed wallets and the transfers of a split do not count, nor does a different amount that a payer sends.`;

const DECIDED = `## What the specification leaves open

The sandbox follows the specification of the service to the letter. Where the specification is silent or ambiguous, the
tables below give one answer. If a merchant might meet either of two readings in production, the answer is a setting, so
that you can test both. Codes and fields that the sandbox had to make up are marked in \`/openapi.json\`
(\`x-sandbox-decision\`).`;

/** The page, in Markdown. */
export function settingsPage(): string {
  const rows = names.map((name) => [code(name), valuesOf(name), noteOf(name), decisionLinks(deciding(name))]);
  const chapters = decisionChapters.map(({ title, decisions: own }) => {
    return `### ${title}\n\n${table(["id", "open point", "answer", "setting"], own.map(cells))}`;
  });
  const settings = table(["setting", "values", "what it decides", "open point"], rows);
  return page("Settings", "src/domain/settings.ts and src/domain/decisions.ts", [
    HOW,
    settings,
    `A settings file:\n\n${EXAMPLE}`,
    DATA,
    DECIDED,
    ...chapters,
  ]);
}

/** What a setting decides. */
function noteOf(name: keyof Settings): string {
  if (name !== "fixtures") return settingNotes[name];
  return `Data that replaces files of \`fixtures/\`: ${codes(dataNames)}.`;
}

function deciding(name: keyof Settings): string[] {
  return decisions.filter(({ settings }) => settings.includes(name)).map(({ id }) => id);
}

function cells({ id, point, answer, settings }: Decision): string[] {
  return [`<a id="${id.toLowerCase()}"></a>${id}`, point, answer, settings.map(settingWords).join("; ") || "–"];
}

/** `webhook_targets`: `local` (default), `strict`, `any`. */
function settingWords(name: keyof Settings): string {
  return name === "fixtures" ? code(name) : `${code(name)}: ${valuesOf(name)}`;
}

/** The values of a setting, the default first. */
function valuesOf(name: keyof Settings): string {
  const usual = defaults[name];
  if (name === "fixtures") return "data in the form of the files of `fixtures/`";
  const others = settingValues(name).filter((value) => value !== String(usual));
  return [`${code(String(usual))} (default)`, ...(others.length > 0 ? others.map(code) : [rangeOf(name)])].join(", ");
}

function rangeOf(name: keyof Settings): string {
  const schema = settingsSchema.shape[name].unwrap();
  return schema instanceof z.ZodNumber ? `${schema.minValue} to ${schema.maxValue}` : "any duration";
}
