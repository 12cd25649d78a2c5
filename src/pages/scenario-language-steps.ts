/** Tables of what the steps of rules do, and when. */
import { cashoutErrorCodes } from "../domain/cashout-errors.ts";
import { formatDuration } from "../domain/durations.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { stepMoments } from "../scenarios/rule-schema.ts";
import { isWorldAction, kindsWith, namedInputs, stepActions } from "../scenarios/step-actions.ts";
import { CHARGE_LIFETIME_MS } from "../service/cashin.ts";
import { code, codes, table } from "./markdown.ts";
import { definition, propertiesOf, shapeOf, valuesOf } from "./scenario-language-tables.ts";

/** TABLE: kinds of resources as people call them. */
export const nouns: Readonly<Record<LifecycleName, string>> = {
  cashin: "cash-in",
  cashout: "cash-out",
  conversion: "conversion",
  transfer: "transfer",
  wallet: "fixed wallet",
  dispute: "dispute",
};

/** TABLE: the moments that a step may wait for. */
const moments: Readonly<Record<(typeof stepMoments)[number], string>> = {
  confirmations: `after the confirmations of the chain (the settlement time of SPEI; none for PIX), counted from the previous
    step; for them, and for the steps after them, the charge waits beyond its expiry if one of them is a \`pay\``,
  expiry: `at \`expires_at\`, ${formatDuration(CHARGE_LIFETIME_MS)} after the charge was made, before the service itself lets
    it expire`,
  deadline: "at `deadline_at`, before the service itself decides the dispute",
};

/** The moments, the resources that have them, and when they are. */
export function momentTable(): string {
  const rows = stepMoments.map((moment) => {
    const owners = (Object.keys(nouns) as LifecycleName[]).filter((kind) => momentsOf(kind).includes(moment));
    return [code(moment), owners.map((kind) => nouns[kind]).join(", "), moments[moment]];
  });
  return table(["`at:`", "of a", "when"], rows);
}

function momentsOf(kind: LifecycleName): string[] {
  const { anyOf = [] } = propertiesOf(definition(`step-${kind}`)).at ?? {};
  return (anyOf as { enum?: string[] }[]).flatMap((branch) => branch.enum ?? []);
}

/** TABLE: further notes on actions. */
const notes: Readonly<Record<string, string>> = {
  "fail cashout": `\`error_code\` is one of ${codes(cashoutErrorCodes)}.`,
  "pay cashin": "A crypto charge that was paid with less or more is confirmed for what arrived.",
  "refund cashin": "Everything that is left, unless `amount` is given.",
  "refund cashout": "Everything that is left, unless `amount` is given.",
  "dispute cashin": "PIX only.",
  "deposit wallet": "It is credited after its confirmations, or settlement time, unless `instant: true`.",
};

const worldNotes: Readonly<Record<string, string>> = {
  set_rate: 'Such as `{ BRL: "0.19", BTC: 100000 }`; rates that are not named stay, and so do quotes already given.',
  fault: "See [calls](#calls-that-go-wrong) and [webhooks](#webhooks-that-go-wrong) that go wrong.",
};

/** The actions on resources, and on the world. */
export function actionTables(): string {
  const own = stepActions.filter((name) => !isWorldAction(name)).flatMap(resourceRows);
  const ofWorld = stepActions.filter(isWorldAction).map((name) => {
    const schema = definition(`do-${name}`);
    const takes = name === "fault" ? "a fault rule" : valuesOf(schema);
    return [code(name), takes, `${schema.description ?? ""} ${worldNotes[name] ?? ""}`.trim()];
  });
  const heads = ["action", "of a", "takes", "named by", "what it does"];
  return `${table(heads, own)}\n\n${table(["action on the world", "takes", "what it does"], ofWorld)}`;
}

function resourceRows(name: string): string[][] {
  const named = namedInputs(name);
  return kindsWith(name, null).map((kind, index) => {
    const schema = definition(`do-${name}-${kind}`);
    const more = notes[`${name} ${kind}`] ?? "";
    const key = named[index]?.key ?? "";
    return [code(name), nouns[kind], code(shapeOf(schema)), code(key), `${schema.description ?? ""} ${more}`.trim()];
  });
}

/** For each key that names a resource, how it does so. */
export function namingPoints(): string[] {
  const named = stepActions.flatMap((name) => (isWorldAction(name) ? [] : namedInputs(name)));
  const byKey = new Map(named.map(({ key, schema }) => [key, schema.shape[key]?.meta()?.description ?? ""]));
  return [...byKey].map(([key, description]) => `${code(key)}: ${description.replace(/^The \w+: /, "")}`);
}
