/** Where on the page an id is shown. */
import type { Control } from "../wire/control.ts";
import type { Explanation } from "../wire/insights.ts";

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

/** Where something is shown that is known by any of its ids; null where there is nothing of this id. */
export async function placeOf(control: Control, id: string): Promise<{ view: string; id: string | null } | null> {
  const explanation = await control.get<Explanation>(`/explain/${encodeURIComponent(id)}`).catch(() => null);
  const view = explanation && viewOf[explanation.type];
  if (!explanation || !view) return null;
  if (view === "accounts") return { view, id: null };
  const changed = explanation.chain.findLast(({ kind }) => kind === "transition")?.subject;
  const isResource = ["transactions", "transfers", "conversions", "disputes"].includes(view);
  return { view, id: isResource && changed ? changed : id.replace(/^(wallet|entry)_/, "") };
}
