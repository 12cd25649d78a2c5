/** The lifecycle tables as a page to read: what `docs/states.md` holds, word for word. */
import { type Lifecycle, type LifecycleName, lifecycles, type Transition } from "../domain/lifecycles.ts";
import { allowedActions, statesOf } from "../domain/machine.ts";

/** TABLE: what each kind of resource is called at the head of its states. */
export const lifecycleTitles: Readonly<Record<LifecycleName, string>> = {
  cashin: "Cash-in",
  cashout: "Cash-out",
  conversion: "Conversion",
  transfer: "Internal transfer",
  wallet: "Fixed wallet",
  dispute: "Dispute (infraction)",
};

const INTRODUCTION = `# States and transitions

<!-- Written by \`npm run docs\` from src/domain/lifecycles.ts; a test holds it to the table. -->

Every state of every resource, what leads from one to the next, which money moves and which events are sent, in their
order. The source is the specification's "States and transitions" or a row of the decisions (D…). Whatever is not in
a table cannot happen: an action that a state does not allow answers 409 \`INVALID_TRANSITION\` and changes nothing.
`;

/** The page, in Markdown. */
export function statePage(): string {
  const names = Object.keys(lifecycles) as LifecycleName[];
  return `${[INTRODUCTION, ...names.map(section)].join("\n")}`;
}

function section(name: LifecycleName): string {
  const table: Lifecycle = lifecycles[name];
  const rows = table.transitions.map(cells);
  const actions = statesOf(name).map((state) => `- \`${state}\`: ${codes(allowedActions(name, state)) || "none"}`);
  return `## ${lifecycleTitles[name]}

| From | Trigger | To | Postings | Events | Source |
|---|---|---|---|---|---|
${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}

Actions of the control interface and of scenarios, by state:

${actions.join("\n")}
`;
}

function cells({ from, trigger, to, postings, events, source }: Transition): string[] {
  return [from ?? "(none)", `\`${trigger}\``, to, codes(postings) || "–", codes(events) || "–", source];
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}
