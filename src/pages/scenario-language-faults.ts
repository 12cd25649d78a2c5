/** The chapters of the scenario language on calls and webhooks that go wrong. */
import { struckFieldNames } from "../scenarios/triggers.ts";
import { code, codes, table } from "./markdown.ts";
import { chapter, example } from "./scenario-language-chapters.ts";
import { definition, keyTable, propertiesOf, type Told, valuesOf } from "./scenario-language-tables.ts";

function injections(struck: "request" | "delivery"): string {
  const kinds = Object.entries(propertiesOf(definition(`inject-${struck}`)));
  const rows = kinds.map(([name, schema]) => [code(name), valuesOf(schema), String(schema.description ?? "")]);
  return table(["`inject:`", "value", "what it does"], rows);
}

/** The chapter on faults of calls. */
export function requests(): string {
  const intro = `\`request\` names calls of \`/v2\` by method and path, with \`*\` for anything (\`"* /v2/*"\` is all of them), and
\`inject\` names one thing that goes wrong. \`where\` knows ${codes(struckFieldNames("request", "*"))}, but not the body; the
call for a token has no \`client_id\` and no \`username\`. The fault strikes after token, rate limit and signature are
checked and before the body is: the call needs a token, uses up its nonce and counts.`;
  const { request, delivery, ...others } = propertiesOf(definition("do-fault"));
  const told: Record<keyof typeof others, Told> = {
    name: ["none", "For reports."],
    inject: ["required", "The fault that strikes.", "as above"],
    where: ["all of them", "Acts only on calls or webhooks with these fields."],
    skip: ["0"],
    times: ["no end"],
    chance: ["100%"],
    from: ["always", "Counted from when the step is done."],
    until: ["always", "Counted likewise."],
    for: ["for good"],
  };
  const further =
    "The step `fault` sets such a rule from then on, and ends it after `for`. It comes before the rules that stand already, those that were set by hand included. Beside `request` or `delivery` it takes:";
  return chapter(
    "Calls that go wrong",
    intro,
    injections("request"),
    example("requests"),
    further,
    keyTable(others, told),
  );
}

/** The chapter on faults of webhooks. */
export function deliveries(): string {
  const intro = `\`delivery\` names webhooks by the kind of their event, with \`*\` for anything, and \`inject\` names what goes wrong.
\`where\` knows the fields of the named events, and ${codes(ownOfDeliveries())}. A rule acts on a webhook once, before its
first attempt; later attempts go as usual.`;
  return chapter("Webhooks that go wrong", intro, injections("delivery"), example("deliveries"));
}

/** The fields that every webhook has, whatever its event. */
function ownOfDeliveries(): string[] {
  const all = struckFieldNames("delivery", "*");
  return all.slice(0, all.indexOf("client_id") + 1);
}
