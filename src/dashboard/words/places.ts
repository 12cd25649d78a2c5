/** Where on the page an id is shown. */
import { HEX_ID } from "../../domain/identifiers/resource-ids.ts";
import type { Explanation, JournalEntry } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";

/** TABLE: the view of each type of the answers of `/explain`, and the id that it goes by there. */
const viewOf: Readonly<Record<string, string>> = {
  cashin: "transactions",
  cashout: "transactions",
  transfer: "transfers",
  conversion: "conversions",
  wallet: "wallets",
  dispute: "disputes",
  webhook: "webhooks",
  request: "requests",
  account: "accounts",
  credential: "accounts",
  entry: "timeline",
};

/** The view of a kind of resource, as transitions name it. */
export function viewOfResource(resource: string): string | undefined {
  return viewOf[resource];
}

/** TABLE: the view of ids that say by their form what they are of. */
const byForm: readonly (readonly [form: RegExp, view: string])[] = [
  [/^req_/, "requests"],
  [/^evt_/, "webhooks"],
  [/^inf_/, "disputes"],
  [/^\d+$/, "wallets"],
  // A rule by the clock: `daily/0`.
  [/\/\d+$/, "scenarios"],
];

/** The views that the ids of payments are shown in; all of these look alike. */
const ofPayments = ["transactions", "transfers", "conversions"];

/** Whether an id is that of a payment. */
export function isPaymentId(id: string): boolean {
  return HEX_ID.test(id);
}

/** What an entry is about, as {@link viewOfId} asks for it: a kind of resource, or an event about one. */
export function aboutOf({ kind, data }: Pick<JournalEntry, "kind" | "data">): string {
  const [, named] = /^\S+ \/(\w+?)s?\//.exec(String(data.call ?? "")) ?? [];
  return String(data.resource ?? data.event ?? data.on ?? named ?? kind);
}

/** The view of what has an id; undefined where that is not known. @param of an event about it, or its kind of resource. */
export function viewOfId(id: string, of = ""): string | undefined {
  const view = viewOf[of.split(".")[0] ?? ""] ?? "";
  // A username may look like any id; accounts are not shown one by one.
  if (view === "accounts") return undefined;
  if (isPaymentId(id)) return ofPayments.includes(view) ? view : undefined;
  return byForm.find(([form]) => form.test(id))?.[1];
}

/** Where something is shown that is known by any of its ids; null where there is nothing of this id. */
export async function placeOf(control: Control, id: string): Promise<{ view: string; id: string | null } | null> {
  const explanation = await control.get<Explanation>(`/explain/${encodeURIComponent(id)}`).catch(() => null);
  if (!explanation) return null;
  const view = viewOf[explanation.type];
  const changed = explanation.chain.findLast(({ kind }) => kind === "transition")?.subject;
  // A refund and a timer have no place of their own: one is shown with what it is of, the other with what put it there.
  if (!view && changed && changed !== id) return placeOf(control, changed);
  const last = explanation.chain.at(-1);
  if (!view) return last ? { view: "timeline", id: String(last.sequence) } : null;
  if (view === "accounts") return { view, id: null };
  const isResource = [...ofPayments, "disputes"].includes(view);
  return { view, id: isResource && changed ? changed : id.replace(/^(wallet|entry)_/, "") };
}
