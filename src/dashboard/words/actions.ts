/** What came of an action, as it is said. */

/** @param answer what the resource was after it; of a deposit, its transaction. */
export function doneText(action: string, answer: { readonly status?: string }): string {
  if (action !== "deposit") return `${action}: done.`;
  return answer.status === "pending"
    ? "deposit: sent; it is credited after its confirmations."
    : "deposit: sent, and credited.";
}
