/** The messages about the outcome of an action. */

/** @param answer the resource after the action; for a deposit, its transaction. */
export function doneText(action: string, answer: { readonly status?: string }): string {
  if (action !== "deposit") return `${action}: done.`;
  return answer.status === "pending"
    ? "deposit: sent; it is credited after its confirmations."
    : "deposit: sent, and credited.";
}
